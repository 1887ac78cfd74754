"""Commands in processes of their own, which signals are sent to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from support import ROOT

SPEC = """
source: people.csv
release: rel
quasi_identifiers: [q]
sensitive: [s]
privacy: {{k: {k}}}
method: stack_and_deal
seed: 1
"""


def write_files(folder: Path) -> None:
    lines = "".join(f"q{i % 7},s{i % 4}\n" for i in range(400))
    (folder / "people.csv").write_text(f"q,s\n{lines}", encoding="utf-8")
    for k in (4, 5):
        (folder / f"{k}.yaml").write_text(SPEC.format(k=k), encoding="utf-8")
    (folder / "tmp").mkdir()


def started(folder: Path, *arguments: str, ignoring: bool = False) -> subprocess.Popen[str]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    handler = signal.SIG_IGN if ignoring else signal.SIG_DFL

    def begun() -> None:
        signal.signal(signal.SIGINT, handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup

    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "TMPDIR": str(folder / "tmp"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=begun,
    )


def answering(process: subprocess.Popen[str]) -> None:
    """Wait until the command has installed its signal handlers, or half a second without /proc."""
    status, until = Path(f"/proc/{process.pid}/status"), time.monotonic() + 30
    if not status.exists():
        time.sleep(0.5)
    with suppress(OSError):  # it has ended
        while time.monotonic() < until and process.poll() is None:
            caught = next(line for line in status.read_text().splitlines() if "SigCgt" in line)
            if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
                return
            time.sleep(0.001)


def waiting(process: subprocess.Popen[str]) -> None:
    """Wait until the command does nothing but wait: it has slept for a second."""
    stat, until = Path(f"/proc/{process.pid}/stat"), time.monotonic() + 60
    if not stat.exists():
        time.sleep(5)
        return
    since, before = time.monotonic(), ""
    while time.monotonic() < min(until, since + 1):
        state, *counts = stat.read_text().rpartition(")")[2].split()
        used = " ".join(counts[10:12])
        if state != "S" or used != before:
            since, before = time.monotonic(), used
        time.sleep(0.02)
