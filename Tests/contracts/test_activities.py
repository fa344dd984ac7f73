"""The schemas of activities and commands, against what the program takes and says."""

import pytest

import contracts

CASES = contracts.yaml((contracts.ROOT / "Tests/contracts/activities.yaml").read_text())


def body(case):
    """The bytes of a case."""
    if isinstance(case, str):
        return case.encode()
    if "bytes" in case:
        return bytes.fromhex(case["bytes"])
    if "depth" in case:
        nested = case["depth"] - 1
        return b'{"activityType":"a","x":' + b"[" * nested + b"]" * nested + b"}"
    return case["body"].encode()


def is_malformed(answer):
    return answer.get("reason") == "malformedMessage"


def activity_faults(text):
    return contracts.faults("schemas/activity.schema.json", contracts.strict_json(text))


@pytest.fixture(scope="module")
def judged(program):
    """The program's verdict on every case: whether it is malformed."""
    bodies = [body(case) for kind in CASES.values() for case in kind]
    return dict(zip(bodies, map(is_malformed, program.resolve(bodies))))


def test_the_program_judges_as_the_cases_say(judged):
    for kind, cases in CASES.items():
        for case in cases:
            assert judged[body(case)] == (kind != "taken"), f"{kind}: {case}"


@pytest.mark.parametrize("case", CASES["taken"])
def test_what_is_taken_fits_the_schema(case):
    assert activity_faults(body(case)) == []


@pytest.mark.parametrize("case", CASES["malformed"])
def test_what_is_malformed_does_not_fit(case):
    assert activity_faults(body(case))


@pytest.mark.parametrize("case", CASES["unreadable"], ids=range(len(CASES["unreadable"])))
def test_what_is_not_json_reaches_no_schema(case):
    with pytest.raises(contracts.NotJSON):
        contracts.strict_json(body(case))


@pytest.mark.parametrize("case", CASES["beyond"], ids=lambda case: case["why"][:40])
def test_what_no_schema_can_say_fits_it(case):
    """If it no longer did, the case would belong to the others."""
    assert case["why"]
    assert activity_faults(body(case)) == []


def test_the_examples_activities_and_answers_fit(program):
    requests = (contracts.EXAMPLE / "activities.ndjson").read_bytes().splitlines()
    answers = program.resolve(requests)
    assert len({answer.get("reason") for answer in answers}) > 8
    known = contracts.schema("command")["properties"]
    for request, answer in zip(requests, answers):
        assert contracts.faults("schemas/command.schema.json", answer) == [], answer
        assert set(answer) <= set(known), answer
        try:
            fits = activity_faults(request) == []
        except contracts.NotJSON:
            fits = False
        assert fits == (not is_malformed(answer)), request


def test_answers_to_malformed_bodies_fit(program):
    answers = program.resolve([body(case) for case in CASES["malformed"]])
    for answer in answers:
        assert contracts.faults("schemas/command.schema.json", answer) == [], answer


def test_answers_of_several_apps_fit(program, tmp_path):
    (tmp_path / "a.yaml").write_text("activities: [{activityType: t, command: c}]\n")
    (tmp_path / "deeplinks.yaml").write_text("apps: {A: a.yaml}\n")
    bodies = [b'{"activityType":"t"}', b'{"activityType":"t","appID":"A"}', b'{"activityType":"u","appID":"A"}']
    answers = program.resolve(bodies, folder=tmp_path)
    assert [answer.get("reason") for answer in answers] == ["unknownApp", None, "activityNotRouted"]
    for answer in answers:
        assert contracts.faults("schemas/command.schema.json", answer) == [], answer


@pytest.mark.parametrize("change", [
    {"handled": False}, {"command": None}, {"reason": "objectNotFound"}, {"kind": "other"}, {"matches": 1},
    {"object": "x-coredata://A/Movie"}, {"object": ...}, {"arguments": ...}, {"rule": "movies[0]"}, {"handled": ...},
])
def test_a_command_that_is_none_does_not_fit(change):
    command = contracts.schema("command")["examples"][0] | {"matches": 2}
    assert contracts.faults("schemas/command.schema.json", command) == []
    changed = {key: value for key, value in (command | change).items() if value is not ...}
    assert contracts.faults("schemas/command.schema.json", changed)
