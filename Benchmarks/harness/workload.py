"""Requests of the FamilyMovies example, and the answer that each must get."""

import hashlib
import json
import random
import sqlite3
import subprocess
from pathlib import Path

LARGEST_WORKLOAD = 65536  # distinct requests: more objects than SQLite's page cache holds
MOST_BYTES = 64 << 20
SEED = 20260101
EXTRA_MOVIE = 1_000_000  # make-store's own movies have remote identifiers from here on
TABS = ["Family Members", "Movies"]


def encoded(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class Workload:
    """Two files of the same number of lines: `requests`, and the `answers` that the contract asks for."""

    def __init__(self, folder, name, pairs):
        self.name = name
        self.requests = folder / f"{name}.requests"
        self.answers = folder / f"{name}.answers"
        pairs = list(pairs)
        self.mean_request_bytes = sum(len(request.encode()) for request, _ in pairs) / len(pairs)
        self.requests.write_text("".join(request + "\n" for request, _ in pairs))
        self.answers.write_text("".join(answer + "\n" for _, answer in pairs))


class Store:
    """What the harness needs to know of a store that make-store has written."""

    def __init__(self, path):
        self.path = path
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        (self.uuid,) = self.database.execute("SELECT Z_UUID FROM Z_METADATA").fetchone()
        (self.first, self.last) = self.database.execute(
            "SELECT min(Z_PK), max(Z_PK) FROM ZMOVIE WHERE Z_PK >= (SELECT min(Z_PK) FROM ZMOVIE WHERE ZREMOTEID = ?)",
            (EXTRA_MOVIE,)).fetchone()
        self.family = self.database.execute("SELECT Z_PK, ZNAME FROM ZFAMILYMEMBER").fetchall()

    @property
    def movies(self):
        return self.last - self.first + 1

    def uri(self, entity, key):
        return f"x-coredata://{self.uuid}/{entity}/p{key}"

    def movie_name(self, key):
        (name,) = self.database.execute("SELECT ZNAME FROM ZMOVIE WHERE Z_PK = ?", (key,)).fetchone()
        return name


def padded(activity, size):
    """The activity with an unread property that brings it to `size` bytes, when that is more than it has."""
    missing = size - len(encoded(activity).encode()) - len(',"padding":""')
    return activity | {"padding": "x" * missing} if missing > 0 else activity


def search_result(store, entity, key, name):
    activity_type = "com.apple.corespotlightitem"
    uri = store.uri(entity, key)
    command = {"Movie": "openMovieDetail", "FamilyMember": "openFamilyMemberDetail"}[entity]
    return (
        {"activityType": activity_type, "title": name, "userInfo": {"kCSSearchableItemActivityIdentifier": uri}},
        {"activityType": activity_type, "arguments": {"name": name}, "command": command, "entity": entity,
         "handled": True, "kind": "searchResult", "object": uri, "rule": f"entities.{entity}"})


def open_tab(index):
    activity_type = "com.familymovies.openTab"
    return ({"activityType": activity_type, "title": TABS[index]},
            {"activityType": activity_type, "arguments": {"index": index}, "command": "openTab", "handled": True,
             "kind": "userActivity", "rule": f"activities[{index}]"})


def movie_by_name(store, key, name):
    """The title's case and accents differ from the store's name: only a folded comparison finds it."""
    activity_type = "com.familymovies.movieDetailView"
    title = name.upper().replace("Í", "i")
    return ({"activityType": activity_type, "title": title},
            {"activityType": activity_type, "arguments": {"name": name}, "command": "openMovieDetail", "entity": "Movie",
             "handled": True, "kind": "userActivity", "object": store.uri("Movie", key), "rule": "activities[2]"})


def pairs_by_id(store, count):
    """Of ten requests eight open a movie by its identity, one a family member, and one a tab."""
    chance = random.Random(SEED)
    for number in range(count):
        if number % 10 == 8:
            yield search_result(store, "FamilyMember", *chance.choice(store.family))
        elif number % 10 == 9:
            yield open_tab(chance.randrange(len(TABS)))
        else:
            key = chance.randint(store.first, store.last)
            yield search_result(store, "Movie", key, store.movie_name(key))


def pairs_by_name(store, count):
    chance = random.Random(SEED)
    for _ in range(count):
        key = chance.randint(store.first, store.last)
        yield movie_by_name(store, key, store.movie_name(key))


def workload(folder, store, name, size=0):
    """`name` is "id" or "name"; requests are padded to `size` bytes."""
    make_pairs = {"id": pairs_by_id, "name": pairs_by_name}[name]
    count = min(LARGEST_WORKLOAD, max(1000, store.movies), MOST_BYTES // max(size, 200))
    pairs = ((encoded(padded(request, size)), encoded(answer)) for request, answer in make_pairs(store, count))
    label = f"{store.path.stem}-{name}" + (f"-{size}" if size else "")
    return Workload(folder, label, pairs)


def make_store(make_store_script, folder, movies):
    """The example's store with `movies` movies more; made once for every version of the script, and kept."""
    version = hashlib.sha256(Path(make_store_script).read_bytes()).hexdigest()[:8]
    path = folder / f"movies-{movies}-{version}.sqlite"
    if not path.exists():
        subprocess.run([make_store_script, "--movies", str(movies), path], check=True)
    return Store(path)
