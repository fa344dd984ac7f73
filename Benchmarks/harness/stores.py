"""The kinds of stores side by side: the cost of a look-up by the number of objects, and how fast catalogs are filled."""

import json
import resource
import statistics
import subprocess
import time

from .comparison import rotated, say
from .report import number
from .workload import make_store, workload

ACTIVITIES = 200_000
MOST_GROWTH = 1.5  # CPU of a look-up at most rows ÷ at least rows
IMPORT_SECONDS = {"SQLite": 20, "PostgreSQL": 40}  # for a million objects
IMPORTED_MOVIES = 1_000_000


def timed(command, **arguments):
    """Seconds by the clock, and of CPU, that a command takes."""
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True, **arguments)
    seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class CoreData:
    name = "Core Data"

    def url(self, store):
        return f"coredata:{store.path}"


class Catalog:
    """A kind of catalog; it is filled once for each store, and kept."""

    def __init__(self, worker):
        self.worker = worker

    def url(self, store):
        url = self.catalog(store.path.stem)
        if not self.is_filled(store.path.stem):
            self.fill(url, store)
            self.note_filled(store.path.stem)
        return url

    def fill(self, url, store):
        return timed([self.worker, "store", "import", "--store", url, store.path], stderr=subprocess.DEVNULL)


class SQLite(Catalog):
    name = "SQLite"

    def __init__(self, worker, folder):
        super().__init__(worker)
        self.folder = folder

    def path(self, label):
        return self.folder / f"catalog-{label}.sqlite"

    def catalog(self, label):
        return f"sqlite:{self.path(label)}"

    def is_filled(self, label):
        return self.path(label).with_suffix(".filled").exists()

    def note_filled(self, label):
        self.path(label).with_suffix(".filled").touch()

    def remove(self, label):
        for suffix in ("", "-wal", "-shm"):
            self.path(label).with_name(self.path(label).name + suffix).unlink(missing_ok=True)
        self.path(label).with_suffix(".filled").unlink(missing_ok=True)


def kinds(options, launcher):
    worker = launcher.built["worker"]
    return [CoreData(), SQLite(worker, options.build_folder)]


class Stores:
    programs = ["worker"]

    def measure(self, options, launcher):
        self.options, self.launcher = options, launcher
        self.kinds = kinds(options, launcher)
        yield from self.imports()
        for name in ("id", "name"):
            yield self.look_ups(name)

    def imports(self):
        store = make_store(self.options.make_store, self.options.build_folder, IMPORTED_MOVIES)
        rows = []
        for kind in (kind for kind in self.kinds if isinstance(kind, Catalog)):
            seconds, cpu = [], []
            for _ in range(self.options.rounds):
                kind.remove("import")
                for found, value in zip((seconds, cpu), kind.fill(kind.catalog("import"), store)):
                    found.append(value)
            kind.remove("import")
            middle, target = statistics.median(seconds), IMPORT_SECONDS[kind.name]
            rows.append([kind.name, number(middle, 1), number(statistics.median(cpu), 1), number(store.movies / middle, 0),
                         f"≤ {target} s: {'reached' if middle <= target else 'missed'}"])
            say(f"import into {kind.name}: {middle:.1f} s")
        yield (f"`store import` of {number(store.movies, 0)} movies", ["catalog", "s", "CPU s", "objects/s", "target"], rows,
               f"Median of {self.options.rounds} runs.")

    def look_ups(self, name):
        sizes = self.options.growth_rows
        stores = {rows: make_store(self.options.make_store, self.options.build_folder, rows) for rows in sizes}
        cases = [(kind, rows) for kind in self.kinds for rows in sizes]
        found = {case: [] for case in cases}
        prepared = {}
        for kind, rows in cases:
            requests = workload(self.options.build_folder, stores[rows], name)
            prepared[kind, rows] = self.prepare(kind.url(stores[rows]), requests, f"{kind.name}-{rows}-{name}")
        for turn in range(self.options.rounds):
            for case in rotated(cases, turn):
                found[case].append(self.cost(*prepared[case]))
            say(f"look-ups by {name}: round {turn + 1} of {self.options.rounds}")
        for configuration, activities in prepared.values():
            configuration.unlink()
            activities.unlink()
        table, remarks = [], []
        for kind in self.kinds:
            costs = [statistics.median(found[kind, rows]) for rows in sizes]
            growth = costs[-1] / costs[0]
            table.append([kind.name, *(number(cost, 2) for cost in costs), f"{growth:.2f}"])
            if isinstance(kind, Catalog):
                remarks.append(f"{kind.name} {growth:.2f} ({'reached' if growth <= MOST_GROWTH else 'missed'})")
        return (f"CPU µs of an activity in `resolve`, looked up by {'folded name' if name == 'name' else 'id'}",
                ["store", *(f"{number(rows, 0)} rows" for rows in sizes), "growth"], table,
                f"Growth of catalogs, target ≤ {MOST_GROWTH:g}: {', '.join(remarks)}.")

    def prepare(self, url, requests, label):
        """A configuration with this store, and a file of activities."""
        folder = self.options.build_folder
        configuration = folder / f"stores-{label.replace(' ', '')}.json"
        rules = {"entities": {entity: {"command": command, "arguments": {"name": "$object.name"}} for entity, command in (
            ("Movie", "openMovieDetail"), ("FamilyMember", "openFamilyMemberDetail"))}}
        rules["activities"] = [{"activityType": "com.familymovies.movieDetailView",
                                "open": {"entity": "Movie", "predicate": "name ==[cd] $title"}}]
        configuration.write_text(json.dumps({"stores": [url]} | rules))
        lines = requests.requests.read_text().splitlines(keepends=True)
        activities = configuration.with_suffix(".ndjson")
        with open(activities, "w") as file:
            for start in range(0, ACTIVITIES, len(lines)):
                file.writelines(lines[:ACTIVITIES - start])
        return configuration, activities

    def cost(self, configuration, activities):
        """CPU microseconds of an activity; what the start costs, and the index of a Core Data file, is taken off."""
        command = [self.launcher.built["worker"], "resolve", "--config", configuration]
        with open(activities) as file:
            first = file.readline()
        _, start = timed(command, input=first.encode(), stdout=subprocess.DEVNULL)
        _, cpu = timed([*command, activities], stdout=subprocess.DEVNULL)
        return (cpu - start) / ACTIVITIES * 1e6
