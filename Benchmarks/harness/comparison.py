"""The comparison: rounds in which every program does the same work once, in rotating order."""

import sys
import time
from dataclasses import dataclass, field

from .options import QUICK_PREFETCH_OF_PEERS

PEERS = {"go", "pika", "aio-pika"}
WARM_UP = {"pika": 500, "aio-pika": 300}
WARM_UP_OF_OTHERS = 2000
FEWEST_MESSAGES, MOST_MESSAGES = 500, 200_000
# What lies in the program's socket when it continues is a head start: it may only be a small part of a run.
PREFETCHES_AT_LEAST = 3
WINDOW_SHARE = 0.5  # of the saturated run's messages, for the latency at saturation
PART_LOAD = 0.5     # of the slowest program's throughput
SECONDS_AT_PART_LOAD = 1.0  # at least


@dataclass
class Group:
    """Programs that are compared with each other."""
    queue_type: str
    prefetch: int
    programs: list
    speeds: dict = field(default_factory=dict)  # messages a second, by the calibration
    rounds: dict = field(default_factory=dict)  # program: list of measurements
    rate: int = 0                               # messages a second under part load

    @property
    def title(self):
        return f"{self.queue_type} queues, prefetch {self.prefetch}"


def make_groups(options):
    groups = []
    for prefetch in options.prefetch:
        for queue_type in options.queue_type:
            programs = [name for name in options.programs
                        if not (options.quick and name in PEERS and len(options.prefetch) > 1
                                and prefetch != QUICK_PREFETCH_OF_PEERS)]
            if programs:
                groups.append(Group(queue_type, prefetch, programs, rounds={name: [] for name in programs}))
    return groups


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def calibrate(group, launcher, workload, options):
    """Learns how fast each program is: that decides how many messages a run needs, and what half of the slowest is."""
    for program in group.programs:
        with launcher.running(program, group.queue_type, group.prefetch) as running:
            warm_up = WARM_UP.get(program, WARM_UP_OF_OTHERS)
            launcher.load.run(running, workload, "window", warm_up, window=group.prefetch)
            count = max(warm_up, group.prefetch * PREFETCHES_AT_LEAST)
            group.speeds[program] = launcher.load.run(running, workload, "backlog", count)["rate"]
    group.rate = options.rate or max(50, int(PART_LOAD * min(group.speeds.values())))
    speeds = ", ".join(f"{name} {speed:,.0f}" for name, speed in group.speeds.items())
    say(f"{group.title}: about {speeds} messages/s; part load is {group.rate}/s")


def message_count(group, program, options):
    if options.messages:
        return options.messages
    fewest = max(FEWEST_MESSAGES, group.prefetch * PREFETCHES_AT_LEAST)
    return int(min(MOST_MESSAGES, max(fewest, group.speeds[program] * options.seconds)))


def measure(group, program, launcher, workload, options):
    """One program's turn of a round."""
    count = message_count(group, program, options)
    load = launcher.load
    with launcher.running(program, group.queue_type, group.prefetch) as running:
        load.run(running, workload, "window", WARM_UP.get(program, WARM_UP_OF_OTHERS), window=group.prefetch)
        return {
            "startSeconds": running.start_seconds,
            "backlog": load.run(running, workload, "backlog", count),
            "window": load.run(running, workload, "window", max(1, int(count * WINDOW_SHARE)), window=group.prefetch),
            "rate": load.run(running, workload, "rate", int(group.rate * max(SECONDS_AT_PART_LOAD, options.seconds)), rate=group.rate),
        }


def rotated(items, by):
    by %= len(items)
    turned = items[by:] + items[:by]
    # Every other round goes backwards, so that no program always follows the same one.
    return turned if by % 2 == 0 else turned[::-1]


def compare(options, launcher, workload):
    """Measures all groups; the number of rounds may be less than asked for when the budget is used up."""
    started = time.monotonic()
    groups = make_groups(options)
    for group in groups:
        calibrate(group, launcher, workload, options)
    longest = 0
    for number in range(options.rounds):
        round_started = time.monotonic()
        if options.budget and number > 0 and round_started - started + longest > options.budget:
            say(f"the budget of {options.budget} s leaves no time for another round: {number} instead of {options.rounds}")
            break
        for group in groups:
            for program in rotated(group.programs, number):
                group.rounds[program].append(measure(group, program, launcher, workload, options))
        longest = max(longest, time.monotonic() - round_started)
        say(f"round {number + 1} of {options.rounds} took {time.monotonic() - round_started:.0f} s")
    return groups
