"""The configuration's schema against `check`: it takes what the program takes, and refuses what the program refuses."""

import re
import shutil

import pytest

import contracts

CASES = contracts.yaml((contracts.ROOT / "Tests/contracts/configurations.yaml").read_text())
BEYOND = [(case, group["why"]) for group in CASES["beyond"] for case in group["cases"]]


def faults(text):
    return contracts.faults("schemas/configuration.schema.json", contracts.yaml(text))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("configurations")
    shutil.copytree(contracts.EXAMPLE, folder, dirs_exist_ok=True)
    shutil.copy(folder / "deeplinks.yaml", folder / "movies.yaml")
    return folder


@pytest.fixture(scope="module")
def check(program, folder):
    """The exit status of `check` for a configuration, and what it says."""
    def run(text):
        (folder / "case.yaml").write_text(text)
        done = program.run("check", "--config", "case.yaml", folder=folder)
        return done.returncode, (done.stdout + done.stderr).decode()
    return run


@pytest.mark.parametrize("text", CASES["right"])
def test_what_check_takes_fits_the_schema(text, check):
    status, said = check(text)
    assert status == 0, said
    assert faults(text) == []


@pytest.mark.parametrize("text", CASES["wrong"])
def test_what_check_refuses_does_not_fit(text, check):
    # Beside the example's store nothing is wrong but what the case is about.
    store = "" if re.match(r"stores|storeAliases|apps|default|\W|\w+$", text) else "stores: [coredata:FamilyMovies.sqlite]\n"
    status, said = check(store + text)
    assert status == 78, said
    assert faults(text)


@pytest.mark.parametrize("text, why", BEYOND)
def test_what_no_schema_can_say_fits_it(text, why, check):
    """If it no longer did, the case would belong to the others."""
    status, said = check(text)
    assert status in (65, 66, 78), said
    assert faults(text) == [], why


def test_the_examples_configurations_fit():
    files = sorted(contracts.ROOT.glob("Examples/**/*.yaml"))
    for path in files:
        if not {"apps", "entities", "activities"} & set(contracts.yaml(path.read_text()) or {}):
            continue
        assert faults(path.read_text()) == [], path
        hint = re.match(r"# yaml-language-server: \$schema=(\S+)\n", path.read_text())
        assert hint, f"{path} does not name the schema for editors"
        assert (path.parent / hint[1]).resolve() == contracts.SCHEMAS / "configuration.schema.json"


def test_configurations_in_the_documents_fit():
    count = 0
    for path in contracts.DOCUMENTATION.glob("*.md"):
        for text in re.findall(r"^```yaml(?: example| file \S+|)\n(.*?)^```$", path.read_text(), re.M | re.S):
            # Other blocks show a part of a rule, or another file.
            if set(re.findall(r"^(\w+):", text, re.M)) <= set(contracts.schema("configuration")["properties"]):
                count += 1
                assert faults(text) == [], f"{path}: {text}"
    assert count >= 8


def test_what_init_writes_fits(program, folder):
    for more in ([], ["--association", "apple-app-site-association.json"]):
        done = program.run("init", "--store", "FamilyMovies.sqlite", *more, folder=folder)
        assert done.returncode == 0, done.stderr
        text = done.stdout.decode()
        assert faults(text) == []
        # The examples in it, put into use by taking the # away.
        assert faults(re.sub(r"^( *)#(?! |$)", r"\1", text, flags=re.M)) == []


# Where a mapping with keys of the program's own stands: its place in the schema, and a configuration with an unknown
# key there, which the program answers with all keys that it knows.
PLACES = {
    "": "{}: x",
    "/$defs/store/else": "stores: [{{url: 'coredata:a', {}: x}}]",
    "/$defs/entityRule": "entities: {{E: {{command: c, {}: x}}}}",
    "/$defs/searchResultRule": "searchResults: [{{identifier: a, command: c, {}: x}}]",
    "/$defs/activityRule": "activities: [{{activityType: a, command: c, {}: x}}]",
    "/$defs/open": "activities: [{{activityType: a, open: {{object: $title, {}: x}}}}]",
    "/$defs/links": "links: {{{}: x}}",
    "/$defs/linkRoute": "links: {{routes: [{{path: /a, command: c, {}: x}}]}}",
}


def part(place):
    schema = contracts.schema("configuration")
    for name in place.split("/")[1:]:
        schema = schema[name]
    return schema


@pytest.mark.parametrize("place", PLACES)
def test_the_schema_has_the_keys_of_the_program(place, check):
    status, said = check(PLACES[place].format("qqqqqqqqqqqq"))
    assert status == 78
    keys = re.search(r"has no key qqqqqqqqqqqq; known keys are ([A-Za-z, ]+)\.", said)
    assert keys, said
    schema = part(place)
    assert set(keys[1].split(", ")) == set(schema["properties"])
    assert schema["additionalProperties"] is False


def test_every_mapping_of_the_schema_is_compared():
    """One that is added to the schema is not forgotten above."""
    from test_schemas import nodes
    closed = {place for place, node in nodes(contracts.schema("configuration"))
              if node.get("additionalProperties") is False}
    assert closed == set(PLACES)
