"""The measured programs: how each is started, and what it answers."""

import contextlib
import itertools
import json
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

from .build import SOURCES

LABELS = {
    "relay-bare": "bare C relay",
    "relay": "C relay, same guarantees",
    "worker": "deeplink-worker",
    "go": "Go (amqp091-go)",
    "pika": "Python (pika)",
    "aio-pika": "Python (aio-pika)",
}
RELAYS = {"relay-bare", "relay"}  # they parse nothing: the answer is the request
STOP_SECONDS = 35  # more than the worker's own drain timeout

run_numbers = itertools.count(1)


@dataclass
class Queues:
    """Queues of one run only, so that nothing of an earlier one can be in them."""
    number: int
    type: str

    @property
    def input(self):
        return f"bench.{self.number}.activities"

    @property
    def reply(self):
        return f"bench.{self.number}.commands"

    @property
    def items(self):
        return f"bench.{self.number}.items"

    def flags(self):
        """For what declares the queues: all four."""
        return ["--queue", self.input, "--reply-queue", self.reply, "--dead-queue", f"bench.{self.number}.dead",
                "--items-queue", self.items]


class Launcher:
    """Knows the paths of what was built, the broker and the store, and where the worker tells its metrics."""

    def __init__(self, built, broker, load, store, url=None, http="off"):
        self.built, self.broker, self.load, self.store, self.http = built, broker, load, store, http
        self.url = url or f"coredata:{store.path}"

    def with_store(self, store, url=None, http="off"):
        """The same with another store, which the worker finds at `url`, by default in its file."""
        return Launcher(self.built, self.broker, self.load, store, url, http)

    def configuration(self):
        """The example's configuration for the store; JSON is YAML."""
        path = self.store.path.with_suffix(".yaml")
        by_title = lambda entity: {"entity": entity, "predicate": "name ==[cd] $title"}
        path.write_text(json.dumps({
            "stores": [self.url],
            "entities": {
                "Movie": {"command": "openMovieDetail", "arguments": {"name": "$object.name"}},
                "FamilyMember": {"command": "openFamilyMemberDetail", "arguments": {"name": "$object.name"}},
            },
            "activities": [
                {"activityType": "com.familymovies.openTab", "title": "Family Members", "command": "openTab",
                 "arguments": {"index": 0}},
                {"activityType": "com.familymovies.openTab", "title": "Movies", "command": "openTab",
                 "arguments": {"index": 1}},
                {"activityType": "com.familymovies.movieDetailView", "open": by_title("Movie")},
                {"activityType": "com.familymovies.familyMemberDetailView", "open": by_title("FamilyMember")},
            ],
        }, indent=2))
        return path

    def command(self, program, queues, prefetch, further=()):
        flags = ["--amqp-url", self.broker.url, "--prefetch", str(prefetch)]
        if program == "worker":
            return [self.built["worker"], "run", "--config", self.configuration(), *flags, *queues.flags(),
                    "--queue-type", queues.type, "--http", self.http, *further]
        flags += ["--queue", queues.input, "--reply-queue", queues.reply]
        if program in RELAYS:
            return [self.built[program], *flags]
        flags += ["--store", self.store.path]
        if program == "go":
            return [self.built["go"], *flags]
        script = {"pika": "pika_worker.py", "aio-pika": "aio_pika_worker.py"}[program]
        return [self.built["python"], SOURCES / "peers/python" / script, *flags]

    @contextlib.contextmanager
    def running(self, program, queue_type, prefetch, instances=1, further=()):
        """A started program that consumes; ended, and its queues deleted, at the end."""
        queues = Queues(next(run_numbers), queue_type)
        self.load.declare(queues)
        try:
            with tempfile.TemporaryFile("w+") as log:
                instance = RunningProgram(program, queues, log)
                try:
                    for _ in range(instances):
                        instance.start(self.command(program, queues, prefetch, further), self.load)
                    yield instance
                except BaseException:
                    instance.stop()
                    raise
                if problems := instance.stop():
                    raise RuntimeError("\n".join(problems))
        finally:
            self.load.delete(queues)


class RunningProgram:
    """One process, or several of the same program."""

    def __init__(self, program, queues, log):
        self.program, self.queues, self.log = program, queues, log
        self.processes = []
        self.start_seconds = None

    @property
    def pids(self):
        return [process.pid for process in self.processes]

    def start(self, command, load):
        with load.awaiting_consumer(self.queues, len(self.processes) + 1) as consumer_time:
            started = time.monotonic()
            self.processes.append(subprocess.Popen([str(part) for part in command], stdout=self.log, stderr=self.log,
                                                   stdin=subprocess.DEVNULL))
            try:
                self.start_seconds = consumer_time() - started
            except Exception as error:
                raise RuntimeError(f"{self.program} does not consume: {error}\n{self.log_text()}") from error

    def log_text(self):
        self.log.seek(0)
        return self.log.read()[-2000:]

    def stop(self):
        """Ends every process; returns what was wrong with the end of any."""
        problems = []
        for process in self.processes:
            if process.poll() is not None:
                problems.append(f"{self.program} ended by itself with status {process.returncode}:\n{self.log_text()}")
                continue
            process.terminate()
            # A run that failed may have left it stopped.
            process.send_signal(signal.SIGCONT)
        for process in self.processes:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                problems.append(f"{self.program} did not end within {STOP_SECONDS} seconds of SIGTERM.")
        return problems
