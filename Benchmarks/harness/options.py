"""The command line of scripts/bench."""

import argparse
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ["relay-bare", "relay", "worker", "go", "pika", "aio-pika"]
QUEUE_TYPES = ["quorum", "classic"]
STORES_PARTS = ["throughput", "growth", "imports", "items", "beside"]
PREFETCHES = [300, 2000]
# In a quick run the peers are measured at one prefetch only: what it changes for them is small beside their cost.
QUICK_PREFETCH_OF_PEERS = 300
QUICK_BUDGET = 285

DESCRIPTION = """Measures the worker, C relays and the same job in Go and Python side by side, in one run on one private broker.

Each round runs every program once, in rotating order; figures are medians of the rounds, ratios are medians of the
ratios within a round. Every answer is checked byte for byte."""

EPILOG = """environment:
  DEEPLINK_WORKER      the worker's executable (default: built as for packages)
  DEEPLINK_BROKER      the script that starts a private broker (default: scripts/broker)
  DEEPLINK_DATABASE    the script that starts a private PostgreSQL (default: scripts/postgres)
  DEEPLINK_MAKE_STORE  the script that makes a store (default: Examples/FamilyMovies/make-store)
  DEEPLINK_BENCH_BUILD the folder for what is built and made (default: .build/benchmarks)"""


def choices(allowed):
    def parse(text):
        values = text.split(",")
        for value in values:
            if value not in allowed:
                raise argparse.ArgumentTypeError(f"there is no '{value}'; there are {', '.join(allowed)}")
        return values
    return parse


def positive(text):
    value = int(text.replace("_", ""))
    if value < 1:
        raise argparse.ArgumentTypeError("a number from 1 is needed")
    return value


def positives(text):
    return [positive(part) for part in text.split(",")]


def add_extent(parser):
    extent = parser.add_argument_group("how much").add_mutually_exclusive_group()
    extent.add_argument("--quick", action="store_true", help="3 rounds, under 5 minutes (the default)")
    extent.add_argument("--full", action="store_true", help="5 longer rounds, every program at every prefetch")
    group = parser.add_argument_group("restrict")
    group.add_argument("--programs", type=choices(PROGRAMS), metavar="LIST", default=PROGRAMS,
                       help=f"of {','.join(PROGRAMS)}")
    group.add_argument("--queue-type", type=choices(QUEUE_TYPES), metavar="LIST", default=QUEUE_TYPES,
                       help="quorum,classic")
    group.add_argument("--prefetch", type=positives, metavar="LIST", default=PREFETCHES, help="300,2000")
    group.add_argument("--rounds", type=positive, metavar="N")
    group.add_argument("--messages", type=positive, metavar="N",
                       help="for the saturated runs of every program (default: by its speed)")
    group.add_argument("--rate", type=positive, metavar="N",
                       help="messages a second for the latency under part load (default: half of the slowest program's)")
    group.add_argument("--movies", type=positive, metavar="N", default=100_000, help="rows of the store (100000)")
    group.add_argument("--budget", type=positive, metavar="SECONDS",
                       help="begin no round that would end later (285 in a quick run)")


def add_further_measurements(parser):
    group = parser.add_argument_group("further measurements, instead of the comparison")
    group.add_argument("--growth", action="store_true", help="the worker's cost by the store's size, by id and by name")
    group.add_argument("--growth-rows", type=positives, metavar="LIST",
                       default=[1_000, 10_000, 100_000, 1_000_000, 10_000_000])
    group.add_argument("--sizes", action="store_true", help="by the size of the messages, 200 bytes to 64 KiB")
    group.add_argument("--prefetches", action="store_true", help="by the prefetch, 1 to 5000")
    group.add_argument("--scaling", action="store_true", help="by the number of pipelines and of workers")
    group.add_argument("--memory", action="store_true",
                       help="RssAnon: a million rows, a backlog of a million messages of 1 KB")
    group.add_argument("--stores", action="store_true",
                       help="catalogs in SQLite and PostgreSQL: throughput, growth, imports, items over the queue")
    group.add_argument("--cluster", action="store_true",
                       help="one to four workers with one PostgreSQL behind a cluster of three RabbitMQ nodes")
    group.add_argument("--resolve", action="store_true", help="`resolve` without a broker: activities a second")


def add_extent_of_stores(parser):
    group = parser.add_argument_group("for --stores and --cluster")
    group.add_argument("--stores-parts", type=choices(STORES_PARTS), metavar="LIST", default=STORES_PARTS,
                       help=f"of {','.join(STORES_PARTS)}")
    group.add_argument("--stores-rows", type=positives, metavar="LIST", default=[1_000, 10_000_000],
                       help="for growth; the catalogs are made once, and kept (1000,10000000)")
    group.add_argument("--stores-activities", type=positive, metavar="N", default=200_000, help="for growth (200000)")
    group.add_argument("--imported-movies", type=positive, metavar="N", default=1_000_000, help="(1000000)")
    group.add_argument("--stores-messages", type=positive, metavar="N", default=30_000,
                       help="requests of a run at saturation (30000)")
    group.add_argument("--stores-items", type=positive, metavar="N", default=200_000,
                       help="items of a run, a fifth of it one by one (200000)")


def parse_options(arguments=None):
    parser = argparse.ArgumentParser(prog="scripts/bench", description=DESCRIPTION, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_extent(parser)
    add_further_measurements(parser)
    add_extent_of_stores(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--json", type=Path, metavar="FILE", help="everything that was measured")
    output.add_argument("--markdown", type=Path, metavar="FILE",
                        help="a table; put between the marks of a file that has them")
    output.add_argument("--svg", type=Path, metavar="FILE", help="a plot")
    options = parser.parse_args(arguments)
    options.quick = not options.full
    options.rounds = options.rounds or (5 if options.full else 3)
    options.budget = options.budget or (QUICK_BUDGET if options.quick else None)
    options.seconds = 5.0 if options.full else 0.5
    options.build_folder = Path(os.environ.get("DEEPLINK_BENCH_BUILD", ROOT / ".build/benchmarks")).resolve()
    options.broker_script = os.environ.get("DEEPLINK_BROKER", ROOT / "scripts/broker")
    options.make_store = os.environ.get("DEEPLINK_MAKE_STORE", ROOT / "Examples/FamilyMovies/make-store")
    options.database_script = os.environ.get("DEEPLINK_DATABASE", ROOT / "scripts/postgres")
    for variable, script in (("DEEPLINK_BROKER", options.broker_script), ("DEEPLINK_MAKE_STORE", options.make_store),
                             ("DEEPLINK_DATABASE", options.database_script)):
        if not os.access(script, os.X_OK):
            parser.error(f"{script} is no executable script; {variable} may name another")
    options.worker = os.environ.get("DEEPLINK_WORKER")
    return options
