"""`store import` of many objects into catalogs: how long it takes, and whether its memory is flat."""

import statistics

from .comparison import rotated, say
from .report import number
from .verdict import verdict
from .workload import make_store

IMPORT_SECONDS = {"SQLite": 20, "PostgreSQL": 40}  # at most, for a million objects
MOST_MEMORY_GROWTH = 1.25  # the greatest of the last third ÷ that of the first


class Imports:
    def __init__(self, options, launcher, kinds):
        self.options = options
        self.kinds = [kind for kind in kinds if kind.is_catalog]

    def measure(self):
        store = make_store(self.options.make_store, self.options.build_folder, self.options.imported_movies)
        found = {kind.name: [] for kind in self.kinds}
        for turn in range(self.options.rounds):
            for kind in rotated(self.kinds, turn):
                found[kind.name].append(self.once(kind, store))
            say(f"imports: round {turn + 1} of {self.options.rounds}")
        rows, remarks = [], []
        for kind in self.kinds:
            runs = found[kind.name]
            middle = lambda value: statistics.median(value(run) for run, _ in runs)
            seconds = middle(lambda run: run.seconds)
            first, last = middle(lambda run: run.greatest(0, 1 / 3)), middle(lambda run: run.greatest(2 / 3, 1))
            rows.append([kind.name, number(seconds, 1), number(middle(lambda run: run.cpu), 1),
                         number(statistics.median(server for _, server in runs), 1), number(store.movies / seconds, 0),
                         *(number(memory / 1024, 1) for memory in (first, last))])
            limit = IMPORT_SECONDS[kind.name] * store.movies / 1_000_000
            remarks.append(f"{kind.name} {seconds:.1f} s ({verdict(seconds, '≤', limit)}), "
                           f"memory {last / max(first, 1):.2f} ({verdict(last / max(first, 1), '≤', MOST_MEMORY_GROWTH)})")
        yield (f"`store import` of {number(store.movies, 0)} movies into an empty catalog",
               ["catalog", "s", "CPU s", "server CPU s", "objects/s", "RssAnon MB, first third", "last third"], rows,
               f"Medians of {self.options.rounds} alternating runs. Targets, and the memory of the last third ÷ that of "
               f"the first: {'; '.join(remarks)}.")

    def once(self, kind, store):
        kind.make("imported")
        before = kind.server_cpu()
        run = kind.fill("imported", store)
        server = kind.server_cpu() - before
        kind.remove("imported")
        return run, server
