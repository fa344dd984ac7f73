"""The AsyncAPI document: valid by the models of AsyncAPI 3, its references complete, its examples right."""

import re
import subprocess

import pytest
from asyncapi3.models import AsyncAPI3

import contracts
from test_schemas import nodes

DOCUMENT = contracts.asyncapi()
MESSAGES = DOCUMENT["components"]["messages"]


def resolved(reference):
    resolver = contracts.registry("draft-07").resolver(base_uri=(contracts.DOCUMENTATION / "asyncapi.yaml").as_uri())
    return resolver.lookup(reference).contents


def test_the_document_is_asyncapi():
    AsyncAPI3.model_validate(DOCUMENT)


def test_a_fault_in_the_document_would_be_found():
    """The validator is strict: an unknown field, and a value of a wrong type."""
    for wrong in ({**DOCUMENT, "chanels": {}}, {**DOCUMENT, "info": {"title": "x"}},
                  {**DOCUMENT, "operations": {"a": {"action": "publish", "channel": {"$ref": "#/channels/commands"}}}}):
        with pytest.raises(ValueError):
            AsyncAPI3.model_validate(wrong)


def test_every_reference_leads_somewhere():
    references = [node["$ref"] for _, node in nodes(DOCUMENT) if "$ref" in node]
    assert len(references) > 20
    for reference in references:
        assert resolved(reference) is not None


def test_every_component_is_used():
    text = (contracts.DOCUMENTATION / "asyncapi.yaml").read_text()
    for kind, parts in DOCUMENT["components"].items():
        for name in parts:
            assert f"'#/components/{kind}/{name}'" in text, f"{kind}/{name}"


def test_every_schema_of_a_message_is_used():
    text = (contracts.DOCUMENTATION / "asyncapi.yaml").read_text()
    for path in contracts.schema_files():
        if path.name in ("configuration.schema.json", "load-report.schema.json"):  # a file, and a program's output
            continue
        assert f"./schemas/{path.name}" in text


def test_operations_stand_on_channels_that_have_the_messages():
    for operation in DOCUMENT["operations"].values():
        channel = resolved(operation["channel"]["$ref"])
        assert channel["messages"]
        for message in operation.get("messages", []):
            assert message["$ref"].startswith(operation["channel"]["$ref"] + "/messages/")


@pytest.mark.parametrize("name", MESSAGES)
def test_the_examples_of_a_message_fit_it(name):
    assert MESSAGES[name]["examples"]
    for index, example in enumerate(MESSAGES[name]["examples"]):
        for part in set(example) & {"headers", "payload"}:
            place = f"asyncapi.yaml#/components/messages/{name}/{part}"
            assert contracts.faults(place, example[part]) == [], f"{name}, example {index}, {part}"


def test_the_queues_are_the_programs_defaults(program):
    printed = program.run("flags", "run", folder=contracts.ROOT).stdout.decode()
    defaults = dict(re.findall(r"^\| `--([a-z-]*queue) NAME` \| `([^`]*)`", printed, re.M))
    addresses = {channel["address"] for channel in DOCUMENT["channels"].values() if channel["address"]}
    assert addresses <= set(defaults.values())
    assert {defaults["queue"], defaults["reply-queue"], defaults["dead-queue"]} <= addresses
    for channel in DOCUMENT["channels"].values():
        if channel["address"]:
            assert channel["bindings"]["amqp"]["queue"]["name"] == channel["address"]


def test_the_version_is_the_programs(program):
    printed = subprocess.run([program.path, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
    assert printed.split()[1] == DOCUMENT["info"]["version"]
