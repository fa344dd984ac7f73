"""The schemas themselves: valid, complete, with texts for people."""

import json

import pytest
from referencing import Registry

import contracts

FILES = [pytest.param(path, id=path.name) for path in contracts.schema_files()]


def nodes(value, place=""):
    """Every object in a document, with its place as a JSON pointer."""
    if isinstance(value, dict):
        yield place, value
        for key, part in value.items():
            yield from nodes(part, f"{place}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from nodes(part, f"{place}/{index}")


def test_there_are_schemas():
    assert {path.name.removesuffix(".schema.json") for path in contracts.schema_files()} >= {
        "activity", "command", "configuration", "dead-letter", "item"}


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("dialect", contracts.DIALECTS)
def test_a_schema_is_one_in_both_dialects(path, dialect):
    contracts.DIALECTS[dialect][0].check_schema(json.loads(path.read_text()))


@pytest.mark.parametrize("path", FILES)
def test_a_schema_uses_no_word_that_a_dialect_does_not_know(path):
    # Unknown words are ignored without a word, so that a misspelt one would forbid nothing.
    known = {
        "$schema", "title", "description", "examples", "type", "enum", "const", "required", "properties", "items",
        "additionalProperties", "propertyNames", "patternProperties", "minLength", "maxLength", "minimum", "pattern",
        "format", "uniqueItems", "minProperties", "maxProperties", "maximum", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref",
        "$defs", "patternErrorMessage"}

    def judge(schema, place):
        if isinstance(schema, bool):
            return
        assert set(schema) <= known, place
        if "$ref" in schema:  # draft 7 ignores what stands beside it
            assert set(schema) == {"$ref"}, place
        for word in ("properties", "patternProperties", "$defs"):
            for name, part in schema.get(word, {}).items():
                judge(part, f"{place}/{word}/{name}")
        for word in ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else"):
            if word in schema:
                judge(schema[word], f"{place}/{word}")
        for word in ("allOf", "anyOf", "oneOf"):
            for index, part in enumerate(schema.get(word, [])):
                judge(part, f"{place}/{word}/{index}")

    judge(json.loads(path.read_text()), path.name)


@pytest.mark.parametrize("path", FILES)
def test_every_reference_leads_somewhere(path):
    resolver = contracts.registry("2020-12").resolver(base_uri=path.as_uri())
    for _, node in nodes(json.loads(path.read_text())):
        if "$ref" in node:
            resolver.lookup(node["$ref"])


@pytest.mark.parametrize("path", FILES)
def test_every_property_is_described(path):
    """An editor shows the descriptions."""
    document = json.loads(path.read_text())
    assert document["title"] and document["description"]

    def described(schema):
        while "$ref" in schema:
            schema = document["$defs"][schema["$ref"].rsplit("/", 1)[1]]
        return schema.get("description")

    found = 0
    for place, node in nodes(document):
        if "properties" not in node or any(word in place.split("/") for word in ("if", "then", "else", "oneOf", "anyOf")):
            continue
        if any(word in place.split("/") for word in ("examples", "action")):
            continue
        for name, part in node["properties"].items():
            found += 1
            assert isinstance(part, dict) and described(part), f"{place}/{name} has no description"
    assert found


@pytest.mark.parametrize("path", FILES)
def test_the_examples_of_a_schema_fit_it(path):
    document = json.loads(path.read_text())
    examples = [(place, example) for place, node in nodes(document) if "/examples" not in place
                for example in node.get("examples", [])]
    assert [place for place, _ in examples].count("") == len(document["examples"]) >= 1
    for place, example in examples:
        assert contracts.faults(f"schemas/{path.name}#{place}", example) == [], f"{place}: {example}"
