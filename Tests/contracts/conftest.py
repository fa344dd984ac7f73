import os

import pytest

from contracts import Program


@pytest.fixture(scope="session")
def program():
    return Program(os.environ["DEEPLINK_TEST_WORKER"])
