"""A command that is run once, and what it took."""

import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

SAMPLE_SECONDS = 0.02


def cpu_seconds(pid):
    """User and system time of all threads of a process, by the kernel's clock for it."""
    return time.clock_gettime((~pid << 3) | 2)


def anonymous_kib(pid):
    """Resident memory of a process's own; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("RssAnon:")), 0)
    except (FileNotFoundError, ProcessLookupError):
        return 0


@dataclass
class Measured:
    seconds: float
    cpu: float
    memory: list = field(default_factory=list)  # KiB, from the beginning to the end

    def greatest(self, begin, end):
        """The greatest memory in a part of the run, from 0 to 1."""
        part = self.memory[int(len(self.memory) * begin):max(1, int(len(self.memory) * end))]
        return max(part, default=0)


def measured(command, **arguments):
    """Runs a command; its output is shown only if it fails."""
    with tempfile.TemporaryFile("w+") as log:
        started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=log, **arguments)
        memory = []
        try:
            while process.poll() is None:
                memory.append(anonymous_kib(process.pid))
                time.sleep(SAMPLE_SECONDS)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        if process.returncode != 0:
            log.seek(0)
            raise RuntimeError(f"{command[0]} ended with status {process.returncode}:\n{log.read()[-2000:]}")
    return Measured(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, memory)
