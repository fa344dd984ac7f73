"""The run: build, start the broker, measure, report."""

import json
import signal
import subprocess
import sys
import time

from . import further, machine, plot, report
from .broker import private_broker
from .build import BuildError, build
from .comparison import compare, say
from .figures import ratios
from .load import Load, LoadError
from .options import parse_options
from .programs import LABELS, Launcher
from .workload import make_store, workload

EXIT_SERVICE_UNAVAILABLE, EXIT_SOFTWARE = 69, 70


def as_json(groups, tables, facts, options):
    return {
        "machine": facts,
        "quick": options.quick,
        "movies": options.movies,
        "groups": [{
            "queueType": group.queue_type,
            "prefetch": group.prefetch,
            "partLoadRate": group.rate,
            "rounds": group.rounds,
            "ratios": [vars(ratio) | {"isReached": ratio.is_reached} for ratio in ratios(group)],
        } for group in groups],
        "tables": [{"title": title, "header": header, "rows": rows} for title, header, rows, _ in tables],
    }


def write_results(groups, tables, facts, options):
    print(report.as_text(groups, tables, facts))
    if options.json:
        options.json.write_text(json.dumps(as_json(groups, tables, facts, options), ensure_ascii=False, indent=1) + "\n")
    if options.svg and groups:
        options.svg.write_text(plot.comparison_plot(groups, LABELS))
    if options.markdown:
        picture = options.svg.name if options.svg and groups else None
        report.write_markdown(options.markdown, report.as_markdown(groups, tables, facts, picture))


def measure(options):
    wanted = further.wanted(options)
    programs = sorted({name for measurement in wanted for name in measurement.programs} & set(options.programs)) \
        if wanted else options.programs
    built = build(options, programs)
    store = make_store(options.make_store, options.build_folder, options.movies)
    with private_broker(options.broker_script) as broker:
        launcher = Launcher(built, broker, Load(built["load"], broker), store)
        facts = machine.describe(broker, built)
        groups, tables = [], []
        if wanted:
            tables = [table for measurement in wanted for table in measurement.measure(options, launcher)]
        else:
            requests = workload(options.build_folder, store, "id")
            say(f"{options.movies} movies; a request has {requests.mean_request_bytes:.0f} bytes on average")
            groups = compare(options, launcher, requests)
    write_results(groups, tables, facts, options)


def main():
    started = time.monotonic()
    # So that everything that was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options = parse_options()
    try:
        measure(options)
    except BuildError as error:
        print(f"bench: {error}", file=sys.stderr)
        return EXIT_SERVICE_UNAVAILABLE
    except (LoadError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return EXIT_SOFTWARE
    except KeyboardInterrupt:
        return 130
    say(f"took {time.monotonic() - started:.0f} s")
    return 0
