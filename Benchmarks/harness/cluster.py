"""Workers on several machines: one to four processes with one PostgreSQL behind a cluster of three RabbitMQ nodes."""

import contextlib
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

from .broker import Broker
from .comparison import WARM_UP_OF_OTHERS, rotated, say
from .database import private_database
from .kinds import PostgreSQL
from .load import Load
from .lookups import median_ratio
from .measured import cpu_seconds
from .programs import Launcher
from .report import number
from .sweeps import PREFETCH, QUEUE_TYPE, saturate
from .workload import workload

NODES = 3
WORKERS = [1, 2, 3, 4]


class Nodes:
    """The broker as the launcher knows it: its first node, and the account of all."""

    def __init__(self, brokers):
        self.url, self.pid = brokers[0].url, brokers[0].pid
        self.pids = [broker.pid for broker in brokers]
        self.version = brokers[0].version

    def cpu_seconds(self):
        return sum(cpu_seconds(pid) for pid in self.pids)


@contextlib.contextmanager
def private_cluster(script):
    with tempfile.TemporaryDirectory(prefix="bench-cluster-") as temporary:
        folders = [Path(temporary) / f"node{place}" for place in range(NODES)]
        with contextlib.ExitStack() as stack:
            for folder in folders:
                settings = {"BROKER_TIMEOUT": "120"} | ({"BROKER_JOIN": str(folders[0])} if folder != folders[0] else {})
                subprocess.run([script, "start", folder], check=True, env=os.environ | settings)
                stack.callback(subprocess.run, [script, "stop", folder], check=True)
            yield Nodes([Broker(folder) for folder in folders])


class Cluster:
    programs = ["worker"]

    def measure(self, options, launcher):
        store = launcher.store
        requests = workload(options.build_folder, store, "id")
        with private_database(options.database_script, options.build_folder / "postgresql") as database, \
                private_cluster(options.broker_script) as nodes:
            kind = PostgreSQL(launcher.built["worker"], database)
            self.options, self.nodes, self.kind = options, nodes, kind
            self.launcher = Launcher(launcher.built, nodes, Load(launcher.built["load"], nodes), store, kind.url(store))
            found = {count: [] for count in WORKERS}
            for turn in range(options.rounds):
                for count in rotated(WORKERS, turn):
                    found[count].append(self.once(count, requests))
                say(f"workers on a cluster: round {turn + 1} of {options.rounds}")
        rates = {count: [run["rate"] for run in runs] for count, runs in found.items()}
        rows = [[count, number(statistics.median(rates[count]), 0), f"{median_ratio(rates[count], rates[1]):.2f}",
                 *(number(statistics.median(run[key] for run in runs), 2)
                   for key in ("cpuMicroseconds", "databaseMicroseconds", "brokersMicroseconds")),
                 number(statistics.median(run["rssAnonPeakKiB"] for run in runs) / 1024, 1)]
                for count, runs in found.items()]
        yield (f"Workers with one PostgreSQL behind {NODES} RabbitMQ nodes, {number(store.movies, 0)} movies",
               ["workers", "messages/s", "÷ one worker", "workers' CPU µs/message", "database's CPU µs", "brokers' CPU µs",
                "RssAnon MB, all"], rows,
               f"Medians of {options.rounds} alternating rounds; one quorum queue of {NODES} replicas. Everything shares the "
               f"{len(os.sched_getaffinity(0))} cores of one machine: what is won by more workers is what the CPU leaves. The "
               "accounts of the database and the brokers have the warming up and the publishing of the requests in them.")

    def once(self, count, requests):
        messages = self.options.stores_messages
        database, brokers = self.kind.server_cpu(), self.nodes.cpu_seconds()
        run = saturate(self.launcher, "worker", requests, messages, instances=count)
        all_messages = messages + WARM_UP_OF_OTHERS
        return run | {"databaseMicroseconds": (self.kind.server_cpu() - database) * 1e6 / all_messages,
                      "brokersMicroseconds": (self.nodes.cpu_seconds() - brokers) * 1e6 / all_messages}
