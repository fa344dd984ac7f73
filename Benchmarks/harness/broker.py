"""The private broker of a run."""

import contextlib
import subprocess
import tempfile
from pathlib import Path


class Broker:
    def __init__(self, folder):
        settings = dict(line.split("=", 1) for line in (folder / "env").read_text().splitlines())
        self.url = settings["DEEPLINK_TEST_AMQP_URL"]
        self.pid = int((folder / "node.pid").read_text().split()[0])
        self.rabbitmqctl = settings["DEEPLINK_TEST_RABBITMQCTL"]

    def version(self):
        answer = subprocess.run([self.rabbitmqctl, "version"], capture_output=True, text=True)
        return answer.stdout.strip()


@contextlib.contextmanager
def private_broker(script):
    with tempfile.TemporaryDirectory(prefix="bench-broker-") as temporary:
        folder = Path(temporary) / "node"
        subprocess.run([script, "start", folder], check=True)
        try:
            yield Broker(folder)
        finally:
            subprocess.run([script, "stop", folder], check=True)
