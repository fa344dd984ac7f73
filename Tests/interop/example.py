"""The example's requests and expected answers, for the clients in this folder and the scripts."""

import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "Examples" / "FamilyMovies"


def lines(name):
    return (FOLDER / name).read_bytes().splitlines()


def without_message(answer):
    """An answer as an object, less the text that is for people."""
    command = json.loads(answer)
    if not command["handled"] and not command.pop("message", ""):
        raise ValueError("an answer that is not handled has no message")
    return command


def differences(answers):
    """One text for each request whose answer is not the expected one; `answers` are bytes, or None where none came."""
    expected = lines("expected.ndjson")
    if len(answers) != len(expected):
        yield f"{len(answers)} answers for {len(expected)} requests"
        return
    for number, (answer, wanted) in enumerate(zip(answers, expected), start=1):
        if answer is None:
            yield f"activity {number}: no answer"
        elif without_message(answer) != json.loads(wanted):
            yield f"activity {number}: answered {answer.decode()}\n  instead of {wanted.decode()}"
