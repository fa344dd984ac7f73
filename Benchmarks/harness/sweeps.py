"""One thing is varied at a time: the size of messages, the prefetch, the number of pipelines and workers."""

import statistics

from .comparison import FEWEST_MESSAGES, WARM_UP_OF_OTHERS, rotated, say
from .programs import LABELS
from .report import number
from .workload import workload

SIZES = [200, 1024, 4096, 16384, 65536]
PREFETCHES = [1, 10, 30, 100, 300, 1000, 2000, 5000]
PIPELINES = [1, 2, 4]
WORKERS = [1, 2, 4]
QUEUE_TYPE, PREFETCH = "quorum", 500
MESSAGES_QUICK, MESSAGES_FULL = 10_000, 100_000
BYTES_AT_ONCE = 256 << 20  # of a backlog


def messages(options):
    return options.messages or (MESSAGES_QUICK if options.quick else MESSAGES_FULL)


def saturate(launcher, program, requests, count, prefetch=PREFETCH, queue_type=QUEUE_TYPE, warm_up=WARM_UP_OF_OTHERS,
             preparation=None, **running):
    """A program's figures at saturation, after it has answered `preparation` and some of the requests."""
    with launcher.running(program, queue_type, prefetch, **running) as instance:
        for first in filter(None, (preparation, requests)):
            launcher.load.run(instance, first, "window", warm_up, window=prefetch, deadline=300)
        return launcher.load.run(instance, requests, "backlog", count, deadline=60)


def sweep(options, values, title, measure):
    """Measures each value once a round, in rotating order; the measurements by value."""
    found = {value: [] for value in values}
    for round_number in range(options.rounds):
        for value in rotated(values, round_number):
            found[value].append(measure(value))
        say(f"{title}: round {round_number + 1} of {options.rounds}")
    return found


def median(rounds, key):
    return statistics.median(each[key] for each in rounds)


class BySize:
    programs = ["relay-bare", "relay", "worker"]

    def measure(self, options, launcher):
        names = [name for name in self.programs if name in options.programs]
        requests = {size: workload(options.build_folder, launcher.store, "id", size) for size in SIZES}

        def measure(case):
            size, name = case
            count = max(FEWEST_MESSAGES, min(messages(options), BYTES_AT_ONCE // size))
            return saturate(launcher, name, requests[size], count)

        found = sweep(options, [(size, name) for size in SIZES for name in names], "message size", measure)
        rows = [[f"{size} bytes", *(cell for name in names for cell in (
            number(median(found[size, name], "rate"), 0), number(median(found[size, name], "cpuMicroseconds"), 2)))]
            for size in SIZES]
        header = ["request", *(cell for name in names for cell in (f"{LABELS[name]}: messages/s", "CPU µs"))]
        yield ("By the size of requests", header, rows,
               "The relays pass the whole body on; the worker parses it and answers with a command of its own size.")


class ByPrefetch:
    programs = ["relay", "worker"]

    def measure(self, options, launcher):
        names = [name for name in self.programs if name in options.programs]
        requests = workload(options.build_folder, launcher.store, "id")

        def measure(case):
            prefetch, name = case
            # With a small prefetch every message is a round trip of its own.
            count = min(messages(options), 1000 + prefetch * 200)
            return saturate(launcher, name, requests, count, prefetch, warm_up=min(WARM_UP_OF_OTHERS, 100 + prefetch))

        found = sweep(options, [(prefetch, name) for prefetch in PREFETCHES for name in names], "prefetch", measure)
        rows = [[prefetch, *(cell for name in names for cell in (
            number(median(found[prefetch, name], "rate"), 0), number(median(found[prefetch, name], "cpuMicroseconds"), 2)))]
            for prefetch in PREFETCHES]
        header = ["prefetch", *(cell for name in names for cell in (f"{LABELS[name]}: messages/s", "CPU µs"))]
        yield "By the prefetch", header, rows, "Quorum queues."


class ByParallelism:
    programs = ["worker"]

    def measure(self, options, launcher):
        requests = workload(options.build_folder, launcher.store, "id")
        cases = [(1, pipelines) for pipelines in PIPELINES] + [(workers, 1) for workers in WORKERS if workers > 1]
        found = sweep(options, cases, "pipelines and workers", lambda case: saturate(
            launcher, "worker", requests, messages(options), instances=case[0], further=["--pipelines", str(case[1])]))
        rows = [[workers, pipelines, number(median(rounds, "rate"), 0), number(median(rounds, "cpuMicroseconds"), 2),
                 number(median(rounds, "rssAnonPeakKiB") / 1024, 1)] for (workers, pipelines), rounds in found.items()]
        yield ("By the number of pipelines and workers",
               ["workers", "pipelines each", "messages/s", "CPU µs/message", "RssAnon MB, all"], rows,
               "One quorum queue; on a machine with few cores the broker is the limit.")
