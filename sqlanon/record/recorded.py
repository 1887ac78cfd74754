"""A release that stands in a database, as its run recorded it.

It also says in words what was asked of a measure, and what the release reached.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlanon.clauses import counted
from sqlanon.domains.attribute import one_of
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.files import is_remote_file
from sqlanon.measure.metrics import METRIC_OF
from sqlanon.pages.figures import shown
from sqlanon.privacy import MODELS
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.record.dictionary import ColumnFacts, from_text
from sqlanon.record.metrics import METRIC_LIMIT, Metric, read_metrics
from sqlanon.record.ownership import Ownership
from sqlanon.source.source import files_of, files_read, table_named
from sqlanon.spec import Column, Source, Spec
from sqlanon.spec.publication import RULES, PublicationRule
from sqlanon.sql.names import Relation

if TYPE_CHECKING:
    import pandas as pd

MODEL_OF = {model.name: model for model in MODELS}
_OF_COLUMNS = "what is published of these columns is the same in at least `k` records"


def sentence_of(asked: Metric, counts: str = "records") -> str:
    """The sentence of a model that was asked for, with its threshold in place of its letter.

    Args:
        asked: the model, as it was measured.
        counts: what a class counts: records, or another word.
    """
    found: list[tuple[str, str]] = re.findall(r"(\w+) = ([^,]+)", asked.threshold or "")
    field = MODEL_OF[asked.metric].field.name
    return _filled(_says(asked, counts), dict(found) or {field: asked.threshold or ""})


def reached_in_words(found: Metric, counts: str = "records") -> str:
    """The sentence of a metric with its value in it, as that of k: at least 3 records.

    Args:
        found: the metric, as it was measured.
        counts: what a class counts: records, or another word.
    """
    general = found.sentence or METRIC_OF[found.metric].sentence
    if found.value is None:
        return f"{general.rstrip('.')}: not known."
    value, model = shown(found.value, METRIC_OF[found.metric].shown_as), MODEL_OF.get(found.metric)
    said = general
    if model is not None and not model.strict:  # at equality a strict one would say what is wrong
        said = _filled(_says(found, counts), {model.field.name: value}) + "."
        said = said[:1].upper() + said[1:]
    said = re.sub(r"\b([Tt])his chance\b", rf"a chance of {value}", said)
    said = re.sub(r"\b[Tt]his (many|much|share)\b", value, said)
    if found.attribute:
        said = re.sub(r"\bthe attribute\b(?!')", lambda _: str(found.attribute), said)
    return said if value in said else f"{general.rstrip('.')}: {value}."


def metrics_frame(measures: Iterable[Metric], counts: str = "records") -> pd.DataFrame:
    """Metrics as a pandas frame, a row each, whose ``sentence`` has the value in it.

    Args:
        measures: the metrics.
        counts: what a class counts: records, or another word.
    """
    import pandas as pd

    rows = [{**vars(metric), "sentence": reached_in_words(metric, counts)} for metric in measures]
    frame = pd.DataFrame(rows, columns=list(Metric.__dataclass_fields__))
    whole = {"failing_classes": "Int64", "failing_records": "Int64"}
    return frame.astype({"passed": "boolean", **whole})


def _says(metric: Metric, counts: str) -> str:
    """The sentence of a model, with its letter, on what a class counts."""
    model = MODEL_OF[metric.metric]
    says = _OF_COLUMNS if model is K_ANONYMITY and metric.attribute else model.says
    if counts != "records":
        says = model.says_of_units or says
    return says.replace("record", one_of(counts))


def _filled(says: str, known: dict[str, str]) -> str:
    """The sentence of a model, with values in place of its letters."""
    return re.sub(r"`(\w+)`", lambda letter: known.get(letter[1], letter[1]), says)


def compared_with_source(measures: Sequence[Metric]) -> dict[str, list[str]]:
    """The models that compare a release with a source, which has records that the release lacks.

    A reader who has only the file cannot do so.

    Returns:
        By sensitive attribute the titles of the models that were asked for; nothing where no record
        was left out.
    """
    value = {metric.metric: metric.value for metric in measures if metric.attribute is None}
    if not value.get("suppressed_records"):
        return {}
    found: dict[str, list[str]] = {}
    for metric in measures:
        model = MODEL_OF.get(metric.metric)
        if model is None or metric.threshold is None or metric.attribute is None:
            continue
        if "positions" in model.reads:
            found.setdefault(metric.attribute, []).append(model.title)
    return found


_WHOLE, _BESIDE = "whole", "from the database"
SALT = "salt"  # the item by which what is certified of the spec can be proved
_LARGE = ("sql", "steps")  # items that only a person reads
# What items are that a run writes, where commands read them.
_MAPPINGS = ("spec", "hierarchies", "cells_mean", "levels", "levels_mean", "files", "transforms")
_LISTS = ("published", "columns_not_released", "detail", "relations")
_NUMBERS = ("records_in", "records_out", "records_suppressed")


@dataclass(frozen=True)
class Recorded:
    """A release that stands in a database.

    Attributes:
        relation: the release.
        engine: where it stands.
        facts: what the run relation says, by item; neither the SQL nor the steps.
        read: its metrics, where they are known; else they are read when they are needed.
    """

    relation: Relation
    engine: Engine
    facts: Mapping[str, str]
    read: Sequence[Metric] | None = None

    @cached_property
    def columns(self) -> tuple[ColumnFacts, ...]:
        """The columns of all that readers are given, in order."""
        return from_text(self.facts["published"])

    @property
    def relations(self) -> dict[str, tuple[ColumnFacts, ...]]:
        """The columns of each relation that readers are given, by how its name ends."""
        names = dict.fromkeys(column.beside for column in self.columns)
        return {
            name: tuple(column for column in self.columns if column.beside == name)
            for name in names
        }

    def named(self, beside: str) -> Relation:
        """The relation whose name ends so."""
        return self.relation.sibling(beside) if beside else self.relation

    def columns_there(self, relation: Relation) -> dict[str, Column]:
        """The columns that a relation of it has, by name.

        Raises:
            SpecError: if one that was published is gone.
        """
        with self.engine.reading(relation) as item:
            there = {column.name: column for column in self.engine.columns(item)}
        published = next(
            columns for beside, columns in self.relations.items() if self.named(beside) == relation
        )
        lacking = [column.name for column in published if column.name not in there]
        if lacking:
            what = f"{relation} has no column {lacking[0]!r} any more: run its spec again"
            raise SpecError(Problem("release", what))
        return there

    @cached_property
    def spec(self) -> dict[str, Any]:
        """The spec, as it was declared."""
        found: dict[str, Any] = json.loads(self.facts["spec"])
        return found

    @cached_property
    def readable_spec(self) -> dict[str, Any]:
        """The spec with every hierarchy as the run read it, even if its file has changed.

        Raises:
            SpecError: if a run kept no hierarchy, and its file is not found from here.
        """
        spec: dict[str, Any] = json.loads(self.facts["spec"])
        kept = json.loads(self.facts.get("hierarchies", "{}"))
        for role in ("quasi_identifiers", "sensitive"):
            for name, declared in spec[role].items():
                file = (declared.get("hierarchy") or {}).get("file")
                if file is not None and name in kept.get(role, {}):
                    declared["hierarchy"] = {"tree": kept[role][name]}
                elif file is not None:
                    declared["hierarchy"]["file"] = self._found(file)
        return spec

    @property
    def source(self) -> dict[str, Any]:
        """The source as it was declared, its file where it is now.

        Raises:
            SpecError: if it is not found from here.
        """
        declared: dict[str, Any] = dict(self.spec["source"])
        if declared.get("file") is not None:
            declared["file"] = self._found(declared["file"], ", or name the source")
        return declared

    @property
    def source_files(self) -> dict[str, str]:
        """The files that the run read, where they are now, and what names each."""
        spec = {**self.spec, "source": dict(self.spec["source"])}
        file = spec["source"].get("file")
        if file is not None:
            spec["source"]["file"] = found_again(file, self._paths, self.engine) or file
        return files_read(spec, self.engine)

    @property
    def _paths(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = json.loads(self.facts.get("files", "{}"))
        return found

    def _found(self, file: str, cure: str = "") -> str:
        """Where a file is that the run read; one at an address or by a variable is not looked for.

        Raises:
            SpecError: if it is not found from here.
        """
        if "${" in file or is_remote_file(file):
            return file
        found = found_again(file, self._paths, self.engine)
        if found is None:
            what = f"its run read {file!r}, which is not found from here: go to the folder"
            raise SpecError(Problem("release", f"{what} where it ran{cure}"))
        return found

    @property
    def publication(self) -> str:
        """The publication of the classes, by the name that a spec has for it."""
        return str((self.spec.get("publish") or {"name": RULES.first})["name"])

    @property
    def rule(self) -> PublicationRule:
        """The rule of that publication."""
        return RULES[self.publication]

    @property
    def transforms(self) -> dict[str, str]:
        """The transforms of each column that was transformed, in a few words."""
        return dict(json.loads(self.facts.get("transforms", "{}")))

    @property
    def made(self) -> tuple[str, ...]:
        """The names of all relations that the run made."""
        return tuple(json.loads(self.facts.get("relations", "[]")))

    @cached_property
    def sql(self) -> str:
        """The run as one SQL script; empty where it kept none."""
        run = self.engine.named(self.relation.sibling("run"))
        text = f"select value from {run} where item = 'sql'"
        found = self.engine.fetch_portable(text, METRIC_LIMIT, "reading the run")
        return str(found.rows[0][0]) if found.rows else ""

    def count(self, metric: str) -> int:
        """How many ``records`` or ``classes`` it has; counted, where a script did not measure that.

        Raises:
            SpecError: if the relation that is to be counted is gone.
        """
        measured = next((measure for measure in self.measures if measure.metric == metric), None)
        if measured is not None:
            return int(measured.value or 0)
        relation = self.relation if metric == "records" else self.relation.sibling("classes")
        if self.engine.kind_of(relation) is None:
            raise SpecError(Problem("release", f"{str(relation)!r} is gone: run its spec again"))
        counted = f"select count(*) from {self.engine.named(relation)}"
        return int(self.engine.fetch_portable(counted).rows[0][0])

    @property
    def counts(self) -> str:
        """The word for what a class counts: records, or those of a clause."""
        return counted(self.spec)[0]

    @cached_property
    def measures(self) -> list[Metric]:
        """The metrics: what was reached, with what was asked for.

        Raises:
            SpecError: if the relation of it is gone.
        """
        if self.read is not None:
            return list(self.read)
        metrics = self.relation.sibling("metrics")
        if self.engine.kind_of(metrics) is None:
            what = f"{str(metrics)!r} is gone: run its spec again"
            raise SpecError(Problem("release", what))
        return read_metrics(metrics, self.engine)


def needs_records(found: Recorded) -> None:
    """Refuse a release that shows counts, for a use that reads records or classes.

    Raises:
        SpecError: if it shows no record.
    """
    if found.rule.counts:
        what = f"{str(found.relation)!r} shows counts with noise, and no record or class"
        raise SpecError(Problem("release", f"{what}: hand it out, or look at its metrics"))


def recorded(release: str | Relation, engine: Engine) -> Recorded:
    """The release of a name.

    Raises:
        SpecError: if there is none, or it is no release that a run recorded.
    """
    relation = release if isinstance(release, Relation) else table_named(release, "release")
    release = str(relation)
    kind = engine.kind_of(relation)
    if kind is None:
        what = (
            f"there is no release {release!r} in this database: name one as its spec does, or the "
            "database that it is in"
        )
        raise SpecError(Problem("release", what))
    if not Ownership(engine, [relation]).holds():
        what = (
            f"the {kind} {release!r} is no release that sqlanon run or a script made here: it and "
            f"{str(relation.sibling('run'))!r} must bear the mark of one run"
        )
        raise SpecError(Problem("release", what))
    left_out = " and ".join(f"item <> '{item}'" for item in _LARGE)
    found = engine.fetch_portable(
        f"select item, value from {engine.named(relation.sibling('run'))} where {left_out}",
        METRIC_LIMIT,
        "reading the run",
    )
    facts = dict(found.rows)
    if "published" not in facts:
        what = f"an older sqlanon, {facts.get('sqlanon')}, made {release!r}: run its spec again"
        raise SpecError(Problem("release", what))
    for item, value in facts.items():
        if not _is_written(item, value):
            what = f"{str(relation.sibling('run'))!r} has another {item} than a run writes"
            raise SpecError(Problem("release", f"{what}: run its spec again"))
    return Recorded(relation, engine, facts)


def _is_written(item: str, value: str | None) -> bool:
    """Whether an item of the run relation is of the kind that a run writes."""
    if item in _NUMBERS:
        return value is not None and value.isdecimal()
    if item not in (*_MAPPINGS, *_LISTS, "source_risk"):
        return True
    try:
        found = json.loads(value or "")
    except (ValueError, RecursionError):
        return False
    if item in _LISTS:
        return isinstance(found, list) and (item != "published" or bool(found))
    return isinstance(found, dict) or (item == "source_risk" and found is None)


def paths_of(spec: Spec, engine: Engine) -> dict[str, dict[str, str]]:
    """Where the source's file is, by its name in the spec: as a path, and from the database."""
    file = spec.source.file
    written = None if file is None else spec.as_written(file)
    if file is None or written != file or is_remote_file(file):
        return {}  # the value of an environment variable is not kept
    whole = os.path.abspath(file)  # noqa: PTH100 - a pattern is no path to resolve
    found = {_WHOLE: whole}
    folder = engine.folder
    if folder is not None and Path(whole).anchor == folder.anchor:
        found[_BESIDE] = os.path.relpath(whole, folder)
    return {file: found}


def found_again(file: str, paths: Mapping[str, Mapping[str, str]], engine: Engine) -> str | None:
    """Where a file is now that a run read; None where it is not found.

    It is looked for on its path from the database, which may have moved with it, then where it was,
    and then by its name from this folder.

    Args:
        file: as the run's spec names it.
        paths: what the run kept.
        engine: whose database holds the release.
    """
    candidates = _candidates(file, paths.get(file, {}), engine)
    return next((candidate for candidate in candidates if files_of(Source(file=candidate))), None)


def _candidates(file: str, kept: Mapping[str, str], engine: Engine) -> Iterator[str]:
    if _BESIDE in kept and engine.folder is not None:
        yield os.path.normpath(engine.folder / kept[_BESIDE])
    if _WHOLE in kept:
        yield kept[_WHOLE]
    yield file
