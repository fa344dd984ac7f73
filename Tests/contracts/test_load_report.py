"""The report of `load --json` against its schema. The broker is DEEPLINK_TEST_AMQP_URL, with a worker."""

import os

import contracts


def test_the_report_of_a_load_test_fits(program):
    done = program.run("load", "--json", "--count", "500", "--amqp-url", os.environ["DEEPLINK_TEST_AMQP_URL"],
                       folder=contracts.ROOT)
    assert done.returncode == 0, done.stderr.decode()
    report = contracts.strict_json(done.stdout)
    assert contracts.faults("schemas/load-report.schema.json", report) == []
    # What is said of each property is said of those that there are.
    assert set(report) <= set(contracts.schema("load-report")["properties"])
    assert report["sent"] == report["answered"] == 500
