"""Compares answers, a line each on standard input, with the example's expected ones: compare.py < ANSWERS."""

import sys

import example


def main():
    answers = sys.stdin.buffer.read().splitlines()
    faults = list(example.differences(answers))
    if faults:
        raise SystemExit("\n".join(faults))
    print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
