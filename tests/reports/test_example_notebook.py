"""The example notebook: its cells run in order, and it holds no results."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

NOTEBOOK = ROOT / "examples" / "notebook" / "anonymize.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


def test_it_holds_no_results() -> None:
    """What a cell showed may be records."""
    code = [one for one in CELLS if one["cell_type"] == "code"]
    assert all(not one["outputs"] and one["execution_count"] is None for one in code)
    assert len({one["id"] for one in CELLS}) == len(CELLS)


@pytest.mark.slow
def test_its_cells_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a kernel runs them: what a cell ends with is shown."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for number, cell in enumerate(CELLS):
        if cell["cell_type"] == "code":
            *done, last = ast.parse("".join(cell["source"])).body
            where = f"{NOTEBOOK.name}, cell {number}"
            exec(compile(ast.Module(done, []), where, "exec"), names)
            if isinstance(last, ast.Expr):
                repr(eval(compile(ast.Expression(last.value), where, "eval"), names))
            else:
                exec(compile(ast.Module([last], []), where, "exec"), names)
    shown = capsys.readouterr().out.splitlines()
    assert "k 10.0" in shown
    assert any("distinct_l of health: asked for 5" in line for line in shown)
    loss, more = next(line.split(" < ") for line in shown if " < " in line)
    assert 0 < float(loss) < float(more) <= 1
    assert (tmp_path / "sqlanon_demo" / "patients_public.csv").is_file()
