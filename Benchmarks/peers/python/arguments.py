import argparse


def parse_arguments(description):
    parser = argparse.ArgumentParser(description=description)
    for name in ("--amqp-url", "--queue", "--reply-queue", "--store"):
        parser.add_argument(name, required=True)
    parser.add_argument("--prefetch", type=int, default=500)
    return parser.parse_args()
