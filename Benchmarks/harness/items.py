"""Items over the queue: how many a worker brings into a catalog, and what that leaves for look-ups."""

import contextlib
import json
import os
import re
import signal
import socket
import statistics
import time
import urllib.request

from .comparison import WARM_UP_OF_OTHERS, rotated, say
from .load import LoadError
from .lookups import median_ratio
from .measured import anonymous_kib, cpu_seconds
from .report import number
from .sweeps import PREFETCH, QUEUE_TYPE, saturate
from .verdict import verdict
from .workload import encoded, workload

ITEMS_A_MESSAGE = [1, 50]
LEAST_ITEMS = {"SQLite": 20_000, "PostgreSQL": 10_000}  # a second, in messages of many
COMING_ITEMS, COMING_ITEMS_A_MESSAGE = 2_000, 10  # a second
LEAST_RATE_KEPT = 0.8
POLL_SECONDS, PATIENCE = 0.02, 120


def item(place):
    return {"uniqueIdentifier": f"item-{place}", "domainIdentifier": f"movies.genre{place % 20}", "entity": "Movie",
            "attributeSet": {"name": f"The Film of the Item {place}", "remoteId": 50_000_000 + place,
                             "popularity": place % 1000 / 10}}


def write_messages(path, items, items_a_message):
    """Messages of `items` items, of which the second half replaces the first; returns how many messages."""
    places = [place % max(1, items // 2) for place in range(items)]
    with open(path, "w") as file:
        for start in range(0, items, items_a_message):
            file.write(encoded({"index": [item(place) for place in places[start:start + items_a_message]]}) + "\n")
    return (items + items_a_message - 1) // items_a_message


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Metrics:
    """What a worker says of itself."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/metrics"

    def committed_items(self):
        text = urllib.request.urlopen(self.url, timeout=30).read().decode()
        return sum(int(float(count)) for count in re.findall(r"^deeplink_item_operations_total\{[^}]*\} (\S+)$", text, re.M))

    def await_items(self, count):
        """Waits for so many items, and returns when they were seen and the greatest that `sample` gave."""
        deadline = time.monotonic() + PATIENCE
        while (committed := self.committed_items()) < count:
            if time.monotonic() > deadline:
                raise LoadError(f"only {committed} of {count} items were committed within {PATIENCE} seconds")
            time.sleep(POLL_SECONDS)
        return time.monotonic()


@contextlib.contextmanager
def filled_catalog(kind, store, label):
    """A catalog with a store's objects, for one run."""
    kind.make(label)
    try:
        kind.fill(label, store)
        yield kind.catalog(label)
    finally:
        kind.remove(label)


class Items:
    """A worker that is stopped while messages of items are queued, and then continues."""

    def __init__(self, options, launcher, kinds):
        self.options, self.launcher = options, launcher
        self.kinds = [kind for kind in kinds if kind.is_catalog]

    def measure(self):
        cases = [(kind, size) for kind in self.kinds for size in ITEMS_A_MESSAGE]
        found = {case: [] for case in cases}
        for turn in range(self.options.rounds):
            for kind, size in rotated(cases, turn):
                found[kind, size].append(self.once(kind, size))
            say(f"items: round {turn + 1} of {self.options.rounds}")
        rows, remarks = [], []
        for (kind, size), runs in found.items():
            rate, *others = (statistics.median(run[key] for run in runs) for key in ("rate", "cpu", "server", "memory"))
            cpu, server, memory = others
            rows.append([kind.name, size, number(rate, 0), number(cpu, 2), number(server, 2), number(memory / 1024, 1)])
            if size == ITEMS_A_MESSAGE[-1]:
                remarks.append(f"{kind.name} {number(rate, 0)}/s ({verdict(rate, '≥', LEAST_ITEMS[kind.name])})")
        yield ("Items over the queue",
               ["catalog", "items a message", "items/s", "CPU µs/item", "database's CPU µs", "RssAnon MB"], rows,
               f"Medians of {self.options.rounds} alternating rounds, a quorum queue. The catalog holds "
               f"{number(self.launcher.store.movies, 0)} movies; half of the items are new, and half replace one. In "
               f"messages of {ITEMS_A_MESSAGE[-1]}: {'; '.join(remarks)}.")

    def once(self, kind, size):
        count = self.options.stores_items // (1 if size > 1 else 5)
        path = self.options.build_folder / f"items-{size}.messages"
        messages = write_messages(path, count, size)
        with filled_catalog(kind, self.launcher.store, "items") as url:
            port = free_port()
            launcher = self.launcher.with_store(self.launcher.store, url, f"127.0.0.1:{port}")
            with launcher.running("worker", QUEUE_TYPE, PREFETCH) as instance:
                return self.drain(kind, launcher.load, instance, Metrics(port), path, messages, count)

    def drain(self, kind, load, instance, metrics, path, messages, count):
        (pid,) = instance.pids
        os.kill(pid, signal.SIGSTOP)
        try:
            load.publish(instance.queues.items, path, messages)
        finally:
            os.kill(pid, signal.SIGCONT)
        started, cpu, server = time.monotonic(), cpu_seconds(pid), kind.server_cpu()
        finished = metrics.await_items(count)
        cpu, server = cpu_seconds(pid) - cpu, kind.server_cpu() - server
        return {"rate": count / (finished - started), "cpu": cpu * 1e6 / count, "server": server * 1e6 / count,
                "memory": anonymous_kib(pid)}


class Beside:
    """The worker's throughput with and without items that come in meanwhile."""

    def __init__(self, options, launcher, kinds):
        self.options, self.launcher = options, launcher
        self.kinds = [kind for kind in kinds if kind.is_catalog]

    def measure(self):
        store = self.launcher.store
        requests = workload(self.options.build_folder, store, "id")
        path = self.options.build_folder / "items-coming.messages"
        write_messages(path, 100_000, COMING_ITEMS_A_MESSAGE)
        cases = [(kind, comes) for kind in self.kinds for comes in (False, True)]
        found = {case: [] for case in cases}
        for turn in range(self.options.rounds):
            for kind, comes in rotated(cases, turn):
                found[kind, comes].append(self.once(kind, path if comes else None, requests))
            say(f"look-ups beside items: round {turn + 1} of {self.options.rounds}")
        rows, remarks = [], []
        for kind in self.kinds:
            without, beside = ([run["rate"] for run in found[kind, comes]] for comes in (False, True))
            kept = median_ratio(beside, without)
            coming = statistics.median(run["items"] for run in found[kind, True])
            rows.append([kind.name, number(statistics.median(without), 0), number(statistics.median(beside), 0),
                         number(coming, 0), f"{kept:.2f}"])
            remarks.append(f"{kind.name} {kept:.2f} ({verdict(kept, '≥', LEAST_RATE_KEPT)})")
        yield ("Look-ups while items come in",
               ["catalog", "messages/s alone", f"with {COMING_ITEMS} items/s", "items/s committed", "rate kept"], rows,
               f"Medians of {self.options.rounds} alternating rounds, items in messages of {COMING_ITEMS_A_MESSAGE}; all of "
               f"it on the same cores as the broker, which carries both. {'; '.join(remarks)}.")

    def once(self, kind, path, requests):
        with filled_catalog(kind, self.launcher.store, "beside") as url:
            port = free_port()
            launcher = self.launcher.with_store(self.launcher.store, url, f"127.0.0.1:{port}")
            with launcher.running("worker", QUEUE_TYPE, PREFETCH) as instance:
                load, count = launcher.load, self.options.stores_messages
                load.run(instance, requests, "window", WARM_UP_OF_OTHERS, window=PREFETCH)
                if path is None:
                    return load.run(instance, requests, "backlog", count, deadline=60)
                return self.beside_items(load, instance, Metrics(port), path, requests, count)

    @staticmethod
    def beside_items(load, instance, metrics, path, requests, count):
        """The items that are queued while the worker is stopped for its backlog are a head start of theirs."""
        with load.publishing(instance.queues.items, path, COMING_ITEMS // COMING_ITEMS_A_MESSAGE):
            metrics.await_items(COMING_ITEMS // 2)
            started, before = time.monotonic(), metrics.committed_items()
            run = load.run(instance, requests, "backlog", count, deadline=60)
            items = (metrics.committed_items() - before) / (time.monotonic() - started)
        return run | {"items": items}
