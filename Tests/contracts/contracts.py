"""The published contracts: schemas and the AsyncAPI document, with what the tests need to judge by them."""

import json
import subprocess
from functools import cache
from pathlib import Path

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7, DRAFT202012
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTATION = ROOT / "Documentation"
SCHEMAS = DOCUMENTATION / "schemas"
EXAMPLE = ROOT / "Examples" / "FamilyMovies"

# AsyncAPI's own schema language is draft 7. What the files say must mean the same in both.
DIALECTS = {"2020-12": (Draft202012Validator, DRAFT202012), "draft-07": (Draft7Validator, DRAFT7)}


def schema_files():
    return sorted(SCHEMAS.glob("*.schema.json"))


@cache
def schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


def yaml(text):
    """YAML 1.2 as plain Python values; duplicate keys are errors."""
    return YAML(typ="safe", pure=True).load(text)


@cache
def asyncapi():
    return yaml((DOCUMENTATION / "asyncapi.yaml").read_text())


@cache
def registry(dialect):
    """Every file of the contracts, by the names that references use."""
    specification = DIALECTS[dialect][1]
    documents = {(DOCUMENTATION / "asyncapi.yaml").as_uri(): asyncapi()}
    documents |= {path.as_uri(): json.loads(path.read_text()) for path in schema_files()}
    # `$schema` would decide on the dialect.
    stripped = {uri: {k: v for k, v in document.items() if k != "$schema"} for uri, document in documents.items()}
    return Registry().with_resources((uri, specification.create_resource(d)) for uri, d in stripped.items())


@cache
def validator(reference, dialect="2020-12"):
    """A validator for `FILE#POINTER`, relative to Documentation."""
    kind = DIALECTS[dialect][0]
    file, _, pointer = reference.partition("#")
    return kind({"$ref": f"{(DOCUMENTATION / file).as_uri()}#{pointer}"}, registry=registry(dialect),
                format_checker=FormatChecker())


def faults(reference, value):
    """What is wrong with a value by a schema, a text each; both dialects must agree."""
    judged = {dialect: [f"{e.json_path}: {e.message[:200]}" for e in validator(reference, dialect).iter_errors(value)]
              for dialect in DIALECTS}
    assert bool(judged["2020-12"]) == bool(judged["draft-07"]), judged
    return judged["2020-12"]


class NotJSON(ValueError):
    """What JSON Schema has no word for: the text is not JSON, or not of the kind that RFC 8259 calls interoperable."""


def strict_json(text):
    """JSON without Python's extensions; of duplicate keys the last counts."""
    def refuse(constant):
        raise NotJSON(constant)
    try:
        value = json.loads(text.decode("utf-8") if isinstance(text, bytes) else text, parse_constant=refuse)
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate is no text
    except (ValueError, RecursionError) as error:
        raise NotJSON(str(error)) from None
    return value


class Program:
    """The built worker."""

    def __init__(self, path):
        self.path = path

    def run(self, *arguments, folder, given=b""):
        return subprocess.run([self.path, *arguments], cwd=folder, input=given, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120)

    def resolve(self, bodies, *flags, config="deeplinks.yaml", folder=EXAMPLE):
        """The answers to bodies without a line's end in them, as objects."""
        done = self.run("resolve", "--config", config, *flags, folder=folder, given=b"".join(b + b"\n" for b in bodies))
        answers = [strict_json(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(bodies), done.stderr.decode()
        return answers
