"""A private PostgreSQL server for catalogs, which writes as durably as one in production."""

import contextlib
import os
import subprocess
import tempfile
from pathlib import Path

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")

# What scripts/postgres turns off for tests is on here; memory as an operator gives it to a server with large tables.
CONFIGURATION = """\
fsync = on
full_page_writes = on
synchronous_commit = on
shared_buffers = 2GB
maintenance_work_mem = 512MB
max_wal_size = 8GB
checkpoint_timeout = 15min
"""


def ticks(pid):
    """Clock ticks of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15])


def children(pid):
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += (task / "children").read_text().split()
    return [int(child) for child in found]


class Database:
    """The server; each catalog has a database of its own, which is kept with the server's data."""

    def __init__(self, script, folder):
        settings = dict(line.split("=", 1) for line in (folder / "env").read_text().splitlines())
        self.url = settings["DEEPLINK_TEST_POSTGRESQL_URL"]
        self.psql = settings["DEEPLINK_TEST_POSTGRESQL_CTL"]
        self.pid = int((folder / "server.pid").read_text().split()[0])
        self.script, self.folder = script, folder

    def ask(self, sql, database="deeplink"):
        command = [self.psql, "-d", database, "-c", sql]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def catalog(self, name):
        return self.url.rsplit("/", 1)[0] + "/" + name

    def make(self, name):
        self.remove(name)
        self.ask(f"CREATE DATABASE {name} OWNER deeplink")

    def remove(self, name):
        self.ask(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def settle(self, name):
        """What the server would do by itself a little later: so that it does not happen while something is measured."""
        self.ask("VACUUM ANALYZE", name)
        self.ask("CHECKPOINT")

    def cpu_seconds(self):
        """User and system time of all the server's processes until now."""
        total = ticks(self.pid)
        for child in children(self.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                total += ticks(child)
        return total / TICKS_A_SECOND

    def version(self):
        return self.ask("SHOW server_version")


@contextlib.contextmanager
def private_database(script, data):
    """A server whose data are kept in a folder for the next run."""
    with tempfile.TemporaryDirectory(prefix="bench-database-") as temporary:
        folder, configuration = Path(temporary) / "server", Path(temporary) / "postgresql.conf"
        configuration.write_text(CONFIGURATION)
        settings = {"POSTGRES_CONF": str(configuration), "POSTGRES_DATA": str(data)}
        subprocess.run([script, "start", folder], check=True, env=os.environ | settings)
        try:
            yield Database(script, folder)
        finally:
            subprocess.run([script, "stop", folder], check=True)
