"""Look-ups in the kinds of stores: through the worker and its queues, and by the number of objects."""

import json
import statistics
import subprocess

from .comparison import WARM_UP_OF_OTHERS, rotated, say
from .measured import measured
from .report import number
from .sweeps import saturate
from .verdict import verdict
from .workload import make_store, workload

LEAST_THROUGHPUT = 0.7  # PostgreSQL ÷ Core Data
MOST_GROWTH = 1.5  # cost of a look-up at most rows ÷ at least rows
NAMES = {"id": "id", "name": "folded name"}


def median_ratio(above, below):
    """The median of the ratios within each round."""
    return statistics.median(up / down for up, down in zip(above, below))


class Throughput:
    """The worker with each kind of store, on a full queue."""

    def __init__(self, options, launcher, kinds):
        self.options, self.launcher, self.kinds = options, launcher, kinds

    def measure(self):
        store = self.launcher.store
        requests = workload(self.options.build_folder, store, "id")
        launchers = {kind.name: self.launcher.with_store(store, kind.url(store)) for kind in self.kinds}
        found = {kind.name: [] for kind in self.kinds}
        for turn in range(self.options.rounds):
            for kind in rotated(self.kinds, turn):
                found[kind.name].append(self.once(kind, launchers[kind.name], requests))
            say(f"throughput by store: round {turn + 1} of {self.options.rounds}")
        rates = {name: [run["rate"] for run in runs] for name, runs in found.items()}
        reference = self.kinds[0].name
        rows = [[name, number(statistics.median(rates[name]), 0),
                 *(number(statistics.median(run[key] for run in runs), 2)
                   for key in ("cpuMicroseconds", "serverMicroseconds", "brokerCPUMicroseconds")),
                 f"{median_ratio(rates[name], rates[reference]):.2f}"] for name, runs in found.items()]
        ratio = median_ratio(rates["PostgreSQL"], rates[reference])
        yield (f"The worker by its store, {number(store.movies, 0)} movies, looked up by id",
               ["store", "messages/s", "CPU µs/message", "database's CPU µs", "broker's CPU µs", f"rate ÷ {reference}"], rows,
               f"Medians of {self.options.rounds} alternating rounds; the database and the broker share the machine. "
               f"PostgreSQL ÷ {reference}: {ratio:.2f} ({verdict(ratio, '≥', LEAST_THROUGHPUT)}).")

    def once(self, kind, launcher, requests):
        """The server's account also has the warming up, so that its time is that of all messages of the run."""
        count = self.options.stores_messages
        before = kind.server_cpu()
        run = saturate(launcher, "worker", requests, count)
        used = kind.server_cpu() - before
        return run | {"serverMicroseconds": used * 1e6 / (count + WARM_UP_OF_OTHERS)}


class Growth:
    """`resolve` with catalogs of few and of many objects."""

    def __init__(self, options, launcher, kinds):
        self.options, self.worker = options, launcher.built["worker"]
        self.kinds = [kind for kind in kinds if kind.is_catalog]

    def measure(self):
        sizes = self.options.stores_rows
        stores = {rows: make_store(self.options.make_store, self.options.build_folder, rows) for rows in sizes}
        urls = {}
        for kind in self.kinds:
            for rows in sizes:
                say(f"{kind.name} with {number(rows, 0)} movies")
                urls[kind.name, rows] = kind.url(stores[rows])
        for name in NAMES:
            yield self.by(name, stores, urls)

    def by(self, name, stores, urls):
        sizes = list(stores)
        cases = [(kind, rows) for kind in self.kinds for rows in sizes]
        requests = {rows: workload(self.options.build_folder, stores[rows], name) for rows in sizes}
        prepared = {(kind, rows): self.prepare(urls[kind.name, rows], requests[rows], f"{kind.name}-{rows}-{name}")
                    for kind, rows in cases}
        found = {case: [] for case in cases}
        for kind, rows in cases:
            # What a server or the system keeps in memory, it does so from here on.
            measured([self.worker, "resolve", "--config", *prepared[kind, rows]])
        for turn in range(self.options.rounds):
            for kind, rows in rotated(cases, turn):
                found[kind, rows].append(self.cost(kind, *prepared[kind, rows]))
            say(f"look-ups by {name}: round {turn + 1} of {self.options.rounds}")
        for configuration, activities in prepared.values():
            configuration.unlink()
            activities.unlink()
        table, remarks = [], []
        for kind in self.kinds:
            costs = {rows: [sum(cost) for cost in found[kind, rows]] for rows in sizes}
            cells = [f"{statistics.median(costs[rows]):.2f}" + (
                f" ({statistics.median(server for _, server in found[kind, rows]):.2f})" if kind.server_cpu() else "")
                for rows in sizes]
            growth = median_ratio(costs[sizes[-1]], costs[sizes[0]])
            table.append([kind.name, *cells, f"{growth:.2f}"])
            remarks.append(f"{kind.name} {growth:.2f} ({verdict(growth, '≤', MOST_GROWTH)})")
        return (f"CPU µs of an activity in `resolve`, looked up by {NAMES[name]}",
                ["catalog", *(f"{number(rows, 0)} movies" for rows in sizes), "growth"], table,
                f"The database's share, in parentheses, is in it. The files and tables are in memory. Medians of {self.options.rounds} alternating rounds. "
                f"Growth: {'; '.join(remarks)}.")

    def prepare(self, url, requests, label):
        """A configuration with this store, and a file of activities."""
        configuration = self.options.build_folder / f"stores-{label}.json"
        rules = {"entities": {entity: {"command": command, "arguments": {"name": "$object.name"}} for entity, command in (
            ("Movie", "openMovieDetail"), ("FamilyMember", "openFamilyMemberDetail"))}}
        rules["activities"] = [{"activityType": "com.familymovies.movieDetailView",
                                "open": {"entity": "Movie", "predicate": "name ==[cd] $title"}}]
        configuration.write_text(json.dumps({"stores": [url]} | rules))
        lines = requests.requests.read_text().splitlines(keepends=True)
        activities = configuration.with_suffix(".ndjson")
        count = self.options.stores_activities
        with open(activities, "w") as file:
            for start in range(0, count, len(lines)):
                file.writelines(lines[:count - start])
        return configuration, activities

    def cost(self, kind, configuration, activities):
        """CPU microseconds of an activity, the worker's and the database's; what the start costs is taken off."""
        command = [self.worker, "resolve", "--config", configuration]
        with open(activities) as file:
            first = file.readline()
        single = configuration.with_suffix(".one")
        single.write_text(first)
        start = self.account(kind, [*command, single])
        single.unlink()
        whole = self.account(kind, [*command, activities])
        return [(many - one) / self.options.stores_activities * 1e6 for many, one in zip(whole, start)]

    @staticmethod
    def account(kind, command):
        before = kind.server_cpu()
        run = measured(command)
        return run.cpu, kind.server_cpu() - before
