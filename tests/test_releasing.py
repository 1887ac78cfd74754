"""A release of sqlanon itself: one version everywhere, and a workflow that runs the gate."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from sqlanon._version import __version__

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "gate.yml"
HEADING = re.compile(r"## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)")


def headings(level: str) -> list[str]:
    """The headings of the changelog of one level, newest first."""
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(f"{level} ")]


def workflow() -> dict[Any, Any]:
    """The workflow as YAML reads it, where the key ``on`` is true."""
    read: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return read


def steps(job: str) -> list[dict[str, Any]]:
    """What a job of the workflow does, in order."""
    found: list[dict[str, Any]] = workflow()["jobs"][job]["steps"]
    return found


# --- one version ---------------------------------------------------------------------------------


def test_the_changelog_begins_with_what_is_unreleased_and_then_this_version() -> None:
    first, *versions = headings("##")
    assert first == "## Unreleased"
    read = [HEADING.fullmatch(text) for text in versions]
    assert all(read), versions
    found = [one.groups() for one in read if one]
    assert found[0][0] == __version__
    numbers = [tuple(map(int, number.split("."))) for number, _ in found]
    days = [date.fromisoformat(day) for _, day in found]
    assert numbers == sorted(set(numbers), reverse=True)
    assert days == sorted(days, reverse=True)


def test_the_changelog_says_what_was_added_changed_fixed_or_removed() -> None:
    kinds = {"### Added", "### Changed", "### Fixed", "### Removed"}
    assert set(headings("###")) <= kinds


def test_the_dbt_package_and_the_comparison_have_this_version() -> None:
    package = yaml.safe_load((ROOT / "dbt" / "dbt_project.yml").read_text(encoding="utf-8"))
    assert package["version"] == __version__
    comparison = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
    row = next(line for line in comparison.splitlines() if line.startswith("| latest version |"))
    assert row.split("|")[2].strip() == __version__


# --- the workflow --------------------------------------------------------------------------------


def test_the_workflow_runs_the_gate_before_it_builds_and_attaches() -> None:
    read = workflow()
    on = read[True]
    assert "pull_request" in on
    assert on["push"] == {"branches": ["main"], "tags": ["v*"]}
    assert ".ci/run" in [step.get("run") for step in steps("gate")]
    assert ".ci/build" in [step.get("run") for step in steps("build")]
    assert read["jobs"]["build"]["needs"] == "gate"
    assert read["jobs"]["release"]["needs"] == "build"
    assert read["jobs"]["release"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    for script in (".ci/run", ".ci/build"):
        assert (ROOT / script).stat().st_mode & 0o111, f"{script} cannot be run"


def test_the_workflow_may_write_only_where_it_attaches() -> None:
    read = workflow()
    assert read["permissions"] == {}
    allowed = {name: job["permissions"] for name, job in read["jobs"].items()}
    assert allowed == {
        "gate": {"contents": "read"},
        "build": {"contents": "read"},
        "release": {"contents": "write"},
    }
    assert "secrets" not in WORKFLOW.read_text(encoding="utf-8")
    for job in ("gate", "build"):
        checkout = steps(job)[0]
        assert checkout["with"] == {"persist-credentials": False}


@pytest.mark.parametrize("job", ["gate", "build", "release"])
def test_every_action_is_named_by_a_whole_version(job: str) -> None:
    used = [step["uses"] for step in steps(job) if "uses" in step]
    assert used
    for one in used:
        assert re.fullmatch(r"actions/[a-z-]+@v\d+\.\d+\.\d+", one), one


def test_what_is_attached_is_what_was_built() -> None:
    """The last job attaches by the tag's version what the build names by the package's."""
    build = (ROOT / ".ci" / "build").read_text(encoding="utf-8")
    attach = steps("release")[-1]["run"]
    for name in ("sqlanon-$version-py3-none-any.whl", "sqlanon-$version-site.tar.gz"):
        assert f'"{name}"' in build
        assert f'"{name}"' in attach
    assert "version=${GITHUB_REF_NAME#v}\n" in attach


def test_the_page_for_maintainers_names_what_there_is() -> None:
    page = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w/])(?:\.?\w+/)+[\w.-]+\.\w+|\.ci/\w+", page))
    assert {".ci/run", ".ci/build", "sqlanon/_version.py", "tests/test_releasing.py"} <= named
    missing = [one for one in named if not (ROOT / one).exists()]
    assert not [one for one in missing if not one.startswith("fresh/")], missing
