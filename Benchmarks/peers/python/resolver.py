"""The resolution that both Python peers share: an activity in, a navigation command out, with json and sqlite3."""

import json
import sqlite3
from urllib.parse import quote, urlsplit

SEARCH_RESULT_TYPE = "com.apple.corespotlightitem"
IDENTIFIER_KEY = "kCSSearchableItemActivityIdentifier"
# What opens once an object is known. A sub-entity uses its nearest ancestor's rule.
COMMANDS = {"Movie": "openMovieDetail", "FamilyMember": "openFamilyMemberDetail"}
TABS = {"Family Members": 0, "Movies": 1}


class MalformedMessage(Exception):
    pass


class Resolver:
    def __init__(self, path):
        # One connection with its cache of prepared statements; autocommit, so that every look-up sees the app's last change.
        self.database = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, isolation_level=None)
        (self.uuid,) = self.database.execute("SELECT Z_UUID FROM Z_METADATA").fetchone()
        rows = self.database.execute("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000").fetchall()
        names = {number: name for number, name, _ in rows}
        parents = {name: names.get(parent) for _, name, parent in rows}
        self.names = names
        self.lineages = {name: list(lineage(name, parents)) for name in parents}
        self.rules = {name: next((each for each in line if each in COMMANDS), None) for name, line in self.lineages.items()}
        self.look_ups = {name: f"SELECT Z_ENT, ZNAME FROM Z{line[-1].upper()} WHERE Z_PK = ?"
                         for name, line in self.lineages.items()}

    def resolve(self, body):
        """The answer's bytes; raises MalformedMessage on what is no activity."""
        try:
            activity = json.loads(body)
            activity_type = activity["activityType"]
        except (ValueError, KeyError, TypeError) as error:
            raise MalformedMessage(str(error)) from error
        user_info = activity.get("userInfo") or {}
        identifier = user_info.get(IDENTIFIER_KEY)
        if activity_type == SEARCH_RESULT_TYPE and isinstance(identifier, str):
            answer = {"activityType": activity_type, "kind": "searchResult", **self.open(identifier)}
        else:
            answer = {"activityType": activity_type, "kind": "userActivity",
                      **open_tab(activity_type, activity.get("title"))}
        return json.dumps(answer, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

    def open(self, identifier):
        uri = urlsplit(identifier)
        parts = uri.path.split("/")
        if uri.scheme != "x-coredata" or len(parts) != 3 or parts[2][:1] != "p" or not parts[2][1:].isdecimal():
            return refusal("malformedIdentifier", "The identifier is no object URI.")
        entity, key = parts[1], int(parts[2][1:])
        if uri.netloc != self.uuid:
            return refusal("unknownStore", f"No open store has the UUID {uri.netloc}.")
        if entity not in self.lineages:
            return refusal("unknownEntity", f"The store has no entity {entity}.")
        if self.rules[entity] is None:
            return refusal("entityNotRouted", f"No rule opens {entity}.")
        row = self.database.execute(self.look_ups[entity], (key,)).fetchone()
        if row is None or entity not in self.lineages[self.names[row[0]]]:
            return refusal("objectNotFound", f"The store has no {entity} with primary key {key}.")
        return self.command(self.names[row[0]], key, row[1])

    def command(self, entity, key, name):
        rule = self.rules[entity]
        found = {"entity": entity, "object": f"x-coredata://{self.uuid}/{entity}/p{key}", "rule": f"entities.{rule}"}
        if name is None:
            return found | refusal("missingValue", "The object has no name.")
        return found | {"handled": True, "command": COMMANDS[rule], "arguments": {"name": name}}


def lineage(name, parents):
    """The entity and its ancestors, the root last."""
    while name is not None:
        yield name
        name = parents[name]


def refusal(reason, message):
    return {"handled": False, "reason": reason, "message": message}


def open_tab(activity_type, title):
    index = TABS.get(title) if activity_type == "com.familymovies.openTab" else None
    if index is None:
        return refusal("activityNotRouted", "No rule takes this activity.")
    return {"handled": True, "command": "openTab", "arguments": {"index": index}, "rule": f"activities[{index}]"}
