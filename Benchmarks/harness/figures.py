"""Medians of rounds, and the ratios that the worker is judged by."""

import statistics
from dataclasses import dataclass

# Of a program: title, where in a round's measurement it is, factor to the unit shown, decimals.
COLUMNS = [
    ("messages/s", ("backlog", "rate"), 1, 0),
    ("CPU µs/message", ("backlog", "cpuMicroseconds"), 1, 2),
    ("broker CPU µs", ("backlog", "brokerCPUMicroseconds"), 1, 0),
    ("RssAnon MB", ("backlog", "rssAnonPeakKiB"), 1 / 1024, 1),
    ("p50 ms", ("rate", "latency", "p50"), 1000, 2),
    ("p99 ms", ("rate", "latency", "p99"), 1000, 2),
    ("p50 ms sat.", ("window", "latency", "p50"), 1000, 1),
    ("p99 ms sat.", ("window", "latency", "p99"), 1000, 1),
    ("start ms", ("startSeconds",), 1000, 0),
]
CPU, SPEED = ("backlog", "cpuMicroseconds"), ("backlog", "rate")
P99, START = ("rate", "latency", "p99"), ("startSeconds",)

# Title, numerator, denominator, figure, comparison and target.
RATIOS = [
    ("CPU per message, worker ÷ C relay with the same guarantees", "worker", "relay", CPU, "≤", 1.3),
    ("CPU per message, worker ÷ bare C relay", "worker", "relay-bare", CPU, "≤", 1.3),
    ("throughput, worker ÷ bare C relay", "worker", "relay-bare", SPEED, "≥", 1.0),
    ("CPU per message, Go ÷ worker", "go", "worker", CPU, "≥", 5),
    ("CPU per message, pika ÷ worker", "pika", "worker", CPU, "≥", 15),
    ("CPU per message, aio-pika ÷ worker", "aio-pika", "worker", CPU, "≥", 25),
    ("p99 latency at part load, worker ÷ bare C relay", "worker", "relay-bare", P99, "≤", 1.2),
]
MOST_START_MILLISECONDS = 50


@dataclass
class Ratio:
    title: str
    median: float
    least: float
    greatest: float
    comparison: str
    target: float
    unit: str = ""

    @property
    def is_reached(self):
        return self.median <= self.target if self.comparison == "≤" else self.median >= self.target


def figure(measurement, path):
    for key in path:
        measurement = measurement[key]
    return measurement


def median_of(rounds, path):
    return statistics.median(figure(measurement, path) for measurement in rounds)


def over_rounds(group, title, numerator, denominator, path, comparison, target, combine, unit=""):
    """Combines the two programs' figures of each round, so that a slow moment of the machine meets both."""
    values = [combine(figure(above, path), figure(below, path))
              for above, below in zip(group.rounds[numerator], group.rounds[denominator])]
    return Ratio(title, statistics.median(values), min(values), max(values), comparison, target, unit)


def ratios(group):
    """Those of which both programs were measured."""
    found = [over_rounds(group, *ratio, combine=lambda above, below: above / below)
             for ratio in RATIOS if ratio[1] in group.rounds and ratio[2] in group.rounds]
    if "worker" in group.rounds and "relay-bare" in group.rounds:
        found.append(over_rounds(
            group, "start to first consume, worker − bare C relay", "worker", "relay-bare", START, "≤",
            MOST_START_MILLISECONDS, lambda above, below: (above - below) * 1000, " ms"))
    return found
