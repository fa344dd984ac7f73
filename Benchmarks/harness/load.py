"""Calls the load generator."""

import contextlib
import json
import subprocess

from .programs import RELAYS

DEADLINE = 30  # seconds without progress after which a run is given up


class LoadError(Exception):
    pass


class Load:
    def __init__(self, executable, broker):
        self.executable, self.broker = executable, broker

    def call(self, command, *flags):
        arguments = [self.executable, command, "--amqp-url", self.broker.url, *flags]
        return subprocess.run([str(part) for part in arguments], capture_output=True, text=True)

    def require(self, command, *flags):
        finished = self.call(command, *flags)
        if finished.returncode != 0:
            raise LoadError(f"load {command}: {finished.stderr.strip()}")

    def declare(self, queues):
        self.require("declare", "--queue-type", queues.type, *queues.flags())

    def delete(self, queues):
        self.require("delete", *queues.flags())

    def publish(self, queue, messages, count):
        """Publishes messages that nobody answers."""
        self.require("publish", "--queue", queue, "--requests", messages, "--count", count)

    @contextlib.contextmanager
    def publishing(self, queue, messages, rate):
        """Publishes messages at a rate, until the end of the block."""
        command = [self.executable, "publish", "--amqp-url", self.broker.url, "--queue", queue, "--requests", messages,
                   "--rate", rate, "--count", 2_000_000_000]
        with subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:
            try:
                yield
            finally:
                process.terminate()
            _, problem = process.communicate()
            if process.returncode != 0:
                raise LoadError(f"load publish: {problem.strip()}")

    @contextlib.contextmanager
    def awaiting_consumer(self, queues, count):
        """Gives a function that waits until the queue has `count` consumers, and returns when that was."""
        command = [self.executable, "await-consumer", "--amqp-url", self.broker.url, "--queue", queues.input,
                   "--count", count, "--deadline", DEADLINE]
        with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            if process.stdout.readline() != "ready\n":
                raise LoadError(process.stderr.read().strip())

            def consumer_time():
                text = process.stdout.readline()
                if not text:
                    raise LoadError(process.stderr.read().strip())
                return int(text) / 1e9

            try:
                yield consumer_time
            finally:
                if process.poll() is None:
                    process.terminate()

    def run(self, running, workload, mode, count, window=None, rate=None, deadline=DEADLINE):
        """What `load run` reports; raises unless every request got exactly its own answer."""
        echoes = running.program in RELAYS
        flags = ["--queue", running.queues.input, "--reply-queue", running.queues.reply, "--mode", mode,
                 "--requests", workload.requests, "--answers", workload.requests if echoes else workload.answers,
                 "--count", count, "--broker-pid", self.broker.pid, "--deadline", deadline]
        for pid in running.pids:
            flags += ["--pid", pid]
        if window:
            flags += ["--window", window]
        if rate:
            flags += ["--rate", rate]
        if running.program != "relay-bare":
            flags.append("--check-message-id")
        finished = self.call("run", *flags)
        if finished.returncode != 0:
            raise LoadError(f"{running.program} on {running.queues.type} queues, {mode}: not every request got its answer.\n"
                            f"{finished.stdout}{finished.stderr}{running.log_text()}")
        return json.loads(finished.stdout)
