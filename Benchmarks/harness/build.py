"""Builds what is measured, into the build folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .options import ROOT

SOURCES = ROOT / "Benchmarks"
C_FLAGS = ["-D_GNU_SOURCE", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]
C_PROGRAMS = {"relay-bare": ["amqp"], "relay": ["amqp"], "load": ["amqp", "load"]}
GO_PACKAGES = Path("/usr/share/gocode")  # where Debian installs Go libraries
PACKAGES = {
    "cc": "gcc libc6-dev librabbitmq-dev",
    "go": "golang-go golang-github-rabbitmq-amqp091-go-dev golang-github-mattn-go-sqlite3-dev libsqlite3-dev",
    "python": "python3-venv",
}


class BuildError(Exception):
    """What is missing or wrong, and what to do."""


def run(command, what, packages, **arguments):
    try:
        finished = subprocess.run([str(part) for part in command], capture_output=True, text=True, **arguments)
    except FileNotFoundError:
        raise BuildError(f"{what} needs {command[0]}, which is not installed: "
                         f"apt-get install --no-install-recommends {PACKAGES[packages]}") from None
    if finished.returncode != 0:
        raise BuildError(f"{what} cannot be built:\n{finished.stdout}{finished.stderr}\n"
                         f"It needs: apt-get install --no-install-recommends {PACKAGES[packages]}")


def compile_c(folder, name):
    sources = [SOURCES / f"{name}.c"]
    for module in C_PROGRAMS[name]:
        sources += sorted((SOURCES / module).glob("*.c"))
    run(["cc", *C_FLAGS, "-o", folder / name, *sources, "-lrabbitmq"], name, "cc")
    return folder / name


def build_go(folder):
    environment = os.environ | {"GO111MODULE": "off", "GOPATH": str(GO_PACKAGES), "GOFLAGS": ""}
    run(["go", "build", "-o", folder / "go-worker", "."], "The Go program", "go", cwd=SOURCES / "peers/go", env=environment)
    return folder / "go-worker"


def install_python(folder):
    """The interpreter of an environment that has what requirements.txt names."""
    requirements = (SOURCES / "peers/python/requirements.txt").read_text()
    environment, installed = folder / "python", folder / "python/requirements.txt"
    if not installed.exists() or installed.read_text() != requirements:
        shutil.rmtree(environment, ignore_errors=True)
        run([sys.executable, "-m", "venv", environment], "The Python programs", "python")
        run([environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--requirement", SOURCES / "peers/python/requirements.txt"], "The Python programs", "python")
        installed.write_text(requirements)
    return environment / "bin/python"


def build_worker(options):
    if options.worker:
        if not os.access(options.worker, os.X_OK):
            raise BuildError(f"DEEPLINK_WORKER names {options.worker}, which is no executable.")
        return Path(options.worker).resolve()
    print("bench: building the worker", file=sys.stderr)
    # As packages and images have it: linking Swift's libraries in makes the start some milliseconds shorter.
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "deeplink-worker"]
    try:
        built = subprocess.run(command, cwd=ROOT, stdout=sys.stderr).returncode == 0
    except FileNotFoundError:
        built = False
    if not built:
        raise BuildError("The worker cannot be built. DEEPLINK_WORKER may name an executable; "
                         "--programs relay-bare,relay,go,pika,aio-pika leaves it out.")
    return ROOT / ".build/release/deeplink-worker"


def build(options, programs):
    """Paths of what the named programs run, and of the load generator; under `python` the interpreter."""
    folder = options.build_folder
    folder.mkdir(parents=True, exist_ok=True)
    built = {name: compile_c(folder, name) for name in C_PROGRAMS if name in programs or name == "load"}
    if "go" in programs:
        built["go"] = build_go(folder)
    if {"pika", "aio-pika"} & set(programs):
        built["python"] = install_python(folder)
    if "worker" in programs:
        built["worker"] = build_worker(options)
    return built
