"""What the figures were measured on."""

import os
import platform
import re
import subprocess


def first_line(*command):
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    return output.splitlines()[0].strip() if output.strip() else None


def field(path, name):
    with open(path) as file:
        for line in file:
            if line.startswith(name):
                return line.split(":", 1)[-1].split("=", 1)[-1].strip().strip('"')
    return None


def package_version(name):
    return first_line("dpkg-query", "--show", "--showformat=${Version}\n", name)


def describe(broker, built):
    memory = int(re.match(r"\d+", field("/proc/meminfo", "MemTotal")).group()) / 1024 / 1024
    facts = {
        "processor": field("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": f"{memory:.0f} GiB",
        "system": f"{field('/etc/os-release', 'PRETTY_NAME')}, Linux {platform.release()}",
        "RabbitMQ": broker.version(),
        "librabbitmq": package_version("librabbitmq4"),
        "C compiler": first_line("cc", "--version"),
    }
    if "go" in built:
        facts["Go"] = first_line("go", "version")
    if "python" in built:
        facts["Python"] = first_line(str(built["python"]), "--version")
    if "worker" in built:
        facts["worker"] = first_line(str(built["worker"]), "--version")
    return {name: fact for name, fact in facts.items() if fact}
