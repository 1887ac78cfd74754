"""The page for a first change is followed to the letter, in a copy of the project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

PAGE = ROOT / "docs" / "contributing" / "first-change.md"
WRITTEN = re.compile(
    r"^Write `([^`]+)` in `([^`]+)`:\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
ADDED = re.compile(
    r"Below the line `([^`]+)` add:\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
TYPED = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What the machine of the tests has, or need not have; and what runs other tests once more.
ELSEWHERE = ("git clone", "pip install", "ruff", "sqlfluff", "-m quick")


@pytest.mark.further
@pytest.mark.slow
def test_whoever_follows_the_page_has_a_metric(tmp_path: Path) -> None:
    folder = tmp_path / "sqlanon"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "build"))
    text = PAGE.read_text(encoding="utf-8")
    for file, room, content in WRITTEN.findall(text):
        (folder / room / file).write_text(content, encoding="utf-8")
    metrics = folder / "sqlanon" / "measure" / "metrics" / "__init__.py"
    for line, added in ADDED.findall(text):
        before = metrics.read_text(encoding="utf-8")
        assert before.count(f"{line}\n") == 1
        metrics.write_text(before.replace(f"{line}\n", f"{line}\n{added}"), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    said = ""
    for typed in TYPED.findall(text):
        kept = [one for one in typed.splitlines(True) if not any(part in one for part in ELSEWHERE)]
        here = "".join(kept).replace(".venv/bin/python", sys.executable)
        done = subprocess.run(
            ["bash", "-ec", here], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, (here, done.stdout, done.stderr)
        said += done.stdout
    assert "3.33" in said  # (2² + 4²) / 6, of the people of its example
    held = ["tests/measure/test_metrics.py", "tests/figures", "tests/sql/test_dialects.py"]
    command = [sys.executable, "-m", "pytest", "-q", *held, "-k", "metric or golden and duckdb"]
    subprocess.run(command, cwd=folder, env=environment, check=True)
