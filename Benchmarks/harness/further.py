"""Measurements beside the comparison: growth of the store, memory, `resolve` without a broker."""

import resource
import statistics
import subprocess
import time

from .cluster import Cluster
from .programs import LABELS
from .report import number
from .stores import Stores
from .sweeps import ByParallelism, ByPrefetch, BySize, median, messages, saturate, sweep
from .workload import make_store, workload

MEMORY_MOVIES, MEMORY_BACKLOG, MEMORY_MESSAGE_BYTES = 1_000_000, 1_000_000, 1024
MOST_MEMORY_MIB = 48
RESOLVED_ACTIVITIES = 1_000_000
LEAST_RESOLVED_A_SECOND = 600_000
GROWTH_TARGETS = {"id": 1.5, "name": 2.0}  # CPU at most rows ÷ at least rows


class Growth:
    programs = ["worker"]

    def measure(self, options, launcher):
        rows = options.growth_rows
        stores = {count: make_store(options.make_store, options.build_folder, count) for count in rows}
        # The worker makes its index of names as soon as it has started; that is no part of what a request costs.
        names = {count: workload(options.build_folder, stores[count], "name") for count in rows}
        for name, target in GROWTH_TARGETS.items():
            requests = {count: workload(options.build_folder, stores[count], name) for count in rows}
            found = sweep(options, rows, f"growth by {name}", lambda count: saturate(
                launcher.with_store(stores[count]), "worker", requests[count], messages(options),
                preparation=names[count]))
            least, most = rows[0], rows[-1]
            ratio = statistics.median(
                above["cpuMicroseconds"] / below["cpuMicroseconds"] for above, below in zip(found[most], found[least]))
            verdict = "reached" if ratio <= target else "missed"
            yield (f"The worker by the store's rows, looked up by {'folded name' if name == 'name' else 'id'}",
                   ["movies", "messages/s", "CPU µs/message", "RssAnon MB"],
                   [[number(count, 0), number(median(found[count], "rate"), 0),
                     number(median(found[count], "cpuMicroseconds"), 2),
                     number(median(found[count], "rssAnonPeakKiB") / 1024, 1)] for count in rows],
                   f"CPU per message at {number(most, 0)} ÷ at {number(least, 0)} rows: {ratio:.2f} "
                   f"(target ≤ {target:g}: {verdict}).")


class Memory:
    programs = ["worker", "relay"]

    def measure(self, options, launcher):
        store = make_store(options.make_store, options.build_folder, MEMORY_MOVIES)
        requests = workload(options.build_folder, store, "id", MEMORY_MESSAGE_BYTES)
        count = options.messages or MEMORY_BACKLOG
        rows = []
        for name in [name for name in self.programs if name in options.programs]:
            found = saturate(launcher.with_store(store), name, requests, count)
            rows.append([LABELS[name], *(number(memory / 1024, 1) if memory else "" for memory in found["rssAnonByTenthKiB"]),
                         number(found["rssAnonPeakKiB"] / 1024, 1)])
        yield (f"RssAnon in MB, {number(MEMORY_MOVIES, 0)} movies, a backlog of {number(count, 0)} messages of 1 KB",
               ["", *(f"to {tenth * 10} %" for tenth in range(1, 11)), "peak"], rows,
               f"The greatest in each tenth of the run. Target for the worker: ≤ {MOST_MEMORY_MIB} MB, and flat.")


class Resolve:
    programs = ["worker"]

    def measure(self, options, launcher):
        """CPU time counts, start included: on one core that is what the wall clock would show."""
        requests = workload(options.build_folder, launcher.store, "id")
        count = options.messages or RESOLVED_ACTIVITIES
        lines = requests.requests.read_text().splitlines(keepends=True)
        path = requests.requests.with_suffix(".many")
        with open(path, "w") as file:
            for start in range(0, count, len(lines)):
                file.writelines(lines[:count - start])
        command = [launcher.built["worker"], "resolve", "--config", launcher.configuration(), path]
        measured = []
        for _ in range(options.rounds):
            started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
            after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - started
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            measured.append((count / cpu, count / seconds))
        path.unlink()
        by_cpu, by_clock = (statistics.median(values) for values in zip(*measured))
        verdict = "reached" if by_cpu >= LEAST_RESOLVED_A_SECOND else "missed"
        yield ("`deeplink-worker resolve`, one process",
               ["activities", "a second of CPU", "a second by the clock"],
               [[number(count, 0), number(by_cpu, 0), number(by_clock, 0)]],
               f"Median of {options.rounds} runs. Target: ≥ {number(LEAST_RESOLVED_A_SECOND, 0)} a second on one core: {verdict}.")


def wanted(options):
    """The measurements that were asked for, in order."""
    measurements = [("growth", Growth), ("sizes", BySize), ("prefetches", ByPrefetch), ("scaling", ByParallelism),
                    ("memory", Memory), ("resolve", Resolve), ("stores", Stores), ("cluster", Cluster)]
    return [measurement() for option, measurement in measurements if getattr(options, option)]
