"""The schema of item messages. ItemSchemaTests.swift sees to it that the worker judges the same cases alike."""

import json

import pytest

import contracts

CASES = json.loads((contracts.ROOT / "Tests/contracts/items.json").read_text())


def faults(text):
    return contracts.faults("schemas/item.schema.json", contracts.strict_json(text))


@pytest.mark.parametrize("text", CASES["taken"])
def test_what_is_taken_fits_the_schema(text):
    assert faults(text) == []


@pytest.mark.parametrize("text", CASES["malformed"])
def test_what_is_malformed_does_not_fit(text):
    assert faults(text)


@pytest.mark.parametrize("case", CASES["beyond"], ids=lambda case: case["why"])
def test_what_no_schema_can_say_fits_it(case):
    assert case["why"]
    assert faults(case["body"]) == []
