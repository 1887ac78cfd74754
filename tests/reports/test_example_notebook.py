"""The example notebook, in a kernel such as Jupyter starts; and it holds no results."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from needs import missing
from support import ROOT

NOTEBOOK = ROOT / "examples" / "notebook" / "anonymize.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
# As if it were not installed, for Python and for DuckDB alike.
WITHOUT = "import sys; sys.modules['ipywidgets'] = None"
# A connection of the caller's own, and how DuckDB tells its progress before and after.
OWN = """
import duckdb, sqlanon
own = duckdb.connect()
own.execute("create table t as select i % 3 as a, i % 2 as ill from range(12) as n(i)")
def bar():
    asked = "select name, value from duckdb_settings() where name like 'enable_progress%'"
    return own.execute(asked).fetchall()
before = bar()
"""
RUN = "len(sqlanon.anonymize('t', connection=own, quasi_identifiers=['a'], k=2).frame())"


def test_it_holds_no_results() -> None:
    """What a cell showed may be records."""
    code = [one for one in CELLS if one["cell_type"] == "code"]
    assert all(not one["outputs"] and one["execution_count"] is None for one in code)
    assert len({one["id"] for one in CELLS}) == len(CELLS)


def in_a_kernel(
    folder: Path, patch: pytest.MonkeyPatch, widgets: bool, cells: Sequence[str]
) -> list[list[dict[str, Any]]]:
    """What a fresh kernel answers to each cell; one that fails ends the test."""
    if not all(map(find_spec, ("ipykernel", "ipywidgets", "nbclient"))):
        missing("notebook", "no ipykernel, ipywidgets or nbclient: the extra 'notebook'")
    import nbformat
    from nbclient import NotebookClient

    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        patch.setenv(name, str(folder / f".{name}"))
    patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    made = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]
    made.cells = [
        nbformat.v4.new_code_cell(cell)  # type: ignore[no-untyped-call]
        for cell in ([] if widgets else [WITHOUT]) + [*cells]
    ]
    NotebookClient(
        made,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return [cell.outputs for cell in made.cells[0 if widgets else 1 :]]


def printed(outputs: Sequence[dict[str, Any]], stream: str = "stdout") -> str:
    return "".join(entry["text"] for entry in outputs if entry.get("name") == stream)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("widgets", [False, True], ids=["without_ipywidgets", "with_ipywidgets"])
def test_a_notebook_without_ipywidgets_runs_as_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, widgets: bool
) -> None:
    """DuckDB refuses the settings of its progress bar in such a kernel, whatever the value."""
    code = ["".join(one["source"]) for one in CELLS if one["cell_type"] == "code"]
    answers = in_a_kernel(tmp_path, monkeypatch, widgets, code)
    outputs = [output for answer in answers for output in answer]
    shown = printed(outputs).splitlines()
    assert "k 10.0" in shown
    assert any("distinct_l of health: asked for 5" in line for line in shown)
    loss, more = next(line.split(" < ") for line in shown if " < " in line)
    assert 0 < float(loss) < float(more) <= 1
    assert (tmp_path / "sqlanon_demo" / "patients_public.csv").is_file()
    bars = "application/vnd.jupyter.widget-view+json"
    assert any(bars in entry.get("data", {}) for entry in outputs) == widgets
    assert "install" not in printed(outputs, "stderr")


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("widgets", [False, True], ids=["without_ipywidgets", "with_ipywidgets"])
def test_a_connection_in_a_notebook_is_given_back_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, widgets: bool
) -> None:
    cells = [OWN, RUN, "bar() == before"]
    *_, made, same = in_a_kernel(tmp_path, monkeypatch, widgets, cells)
    assert made[-1]["data"]["text/plain"] == "12"
    assert same[-1]["data"]["text/plain"] == "True"
