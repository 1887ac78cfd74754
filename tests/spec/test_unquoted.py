"""What YAML makes of a word without quotes is never taken for the text of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError, create_model

from sqlanon.common.fields import Declared
from sqlanon.errors import SpecError
from sqlanon.spec import load_spec, parse_spec

SPEC = """
source: {{file: people.csv, nullstr: {nullstr}}}
release: public
quasi_identifiers:
  country: {country}
  zip: {{}}
sensitive: {ill}
missing: {missing}
privacy: {{k: 2}}
"""
PLAIN = {"nullstr": "[]", "country": "{}", "ill": "[ill]", "missing": "{}"}
WORDS = (
    *("NO", "yes", "On", "off", "True", "FALSE"),
    *("00000", "02134", "1_000", "+1", "0x1F", "0b11", "12:30:00", "1:30"),
    *("1.10", ".5", "1.0e+3", "~", "null"),
)
PLACES = (
    ("nullstr", "{}", "source.nullstr"),
    ("nullstr", "[NA, {}]", "source.nullstr"),
    ("missing", "{{country: {}}}", "missing.country"),
    ("missing", "{{country: [a, {}]}}", "missing.country"),
    ("country", "{{order: [a, {}]}}", "quasi_identifiers.country.order"),
    ("country", "{{hierarchy: {{tree: {{G: [a, {}]}}}}}}", "quasi_identifiers.country.hierarchy"),
    ("country", "{{hierarchy: {{tree: {{{}: [a]}}}}}}", "quasi_identifiers.country.hierarchy"),
    ("ill", "{{ill: {{t: 0.5, distance: ordered, order: [a, {}]}}}}", "sensitive.ill.order"),
)


def load(folder: Path, **parts: str) -> object:
    file = folder / "spec.yaml"
    file.write_text(SPEC.format(**{**PLAIN, **parts}), encoding="utf-8")
    return load_spec(file)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(("part", "form", "where"), PLACES)
def test_a_word_that_yaml_reads_otherwise_is_refused(
    tmp_path: Path, part: str, form: str, where: str, word: str
) -> None:
    with pytest.raises(SpecError, match=re.escape(where)) as caught:
        load(tmp_path, **{part: form.format(word)})
    assert caught.value.exit_code == 2
    load(tmp_path, **{part: form.format(f"'{word}'")})


def test_what_has_one_text_needs_no_quotes(tmp_path: Path) -> None:
    spec = load(
        tmp_path,
        nullstr="[0, -8, 99.5, NA]",
        missing="{zip: [0, -8, 99.5, true, 2020-01-01, 1e3, 0o17, 08], country: 999}",
    )
    assert spec.source.nullstr == ("0", "-8", "99.5", "NA")  # type: ignore[attr-defined]
    codes = ("0", "-8", "99.5", "true", "2020-01-01", "1e3", "0o17", "08")
    assert spec.missing == {"zip": codes, "country": ("999",)}  # type: ignore[attr-defined]


def test_the_message_says_what_yaml_reads(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="put it into quotes; YAML reads NO as false"):
        load(tmp_path, missing="{country: NO}")
    with pytest.raises(SpecError, match="put it into quotes; YAML reads 00000 as 0"):
        load(tmp_path, missing="{country: [00000]}")


def test_a_truth_value_may_be_a_word_where_nothing_else_is_taken(tmp_path: Path) -> None:
    spec = load(tmp_path, country="{nominal: yes, weight: .50}")
    country = spec.quasi_identifiers["country"]  # type: ignore[attr-defined]
    assert country.nominal is True
    assert float(country.weight) == 0.5


def fields(model: type[BaseModel], kind: type) -> Iterator[tuple[str, type[BaseModel]]]:
    """The fields of a type, of all models of a spec: each as a model of one field."""
    for one in model.__subclasses__():
        for name, field in one.model_fields.items():
            if field.annotation is kind:
                yield f"{one.__name__}.{name}", create_model("Alone", value=(kind, field))
        yield from fields(one, kind)


@pytest.mark.parametrize(("kind", "others"), [(bool, ("yes", "true", 1, 0.0)), (int, (True,))])
def test_no_field_takes_a_truth_value_for_a_number_or_a_text_for_a_truth_value(
    kind: type, others: tuple[Any, ...]
) -> None:
    found = dict(fields(Declared, kind))
    assert {bool: "Spec.allotment", int: "Source.skip"}[kind] in found
    taken = []
    for name, field in found.items():
        for other in others:
            with suppress(ValidationError):
                taken.append((name, other, field(value=other)))
    assert not taken


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("allotment", "yes"),
        ("series", {"reuse": "off"}),
        ("method", {"name": "split_or_deal", "transferable": 1}),
    ],
)
def test_the_message_says_what_a_truth_value_is(field: str, value: Any) -> None:
    plain = {"source": "d.csv", "release": "p", "quasi_identifiers": "a", "privacy": {"k": 2}}
    with pytest.raises(SpecError, match="it must be true or false"):
        parse_spec({**plain, field: value})


@pytest.mark.parametrize("amount", ["yes", "NO"])
def test_a_truth_value_is_no_number(tmp_path: Path, amount: str) -> None:
    with pytest.raises(SpecError, match="weight"):
        load(tmp_path, country=f"{{weight: {amount}}}")


@pytest.mark.parametrize(
    ("roles", "where"),
    [
        ("quasi_identifiers: [NO]", "quasi_identifiers: it must be a text"),
        ("quasi_identifiers: [02134]", "quasi_identifiers: it must be a text"),
        ("quasi_identifiers: [~]", "quasi_identifiers: it must be a text"),
        ("quasi_identifiers: [2024]", "quasi_identifiers: it must be a text"),
        ("identifiers: [2024-01-31]\nquasi_identifiers: [a]", "identifiers: it must be a text"),
        ("quasi_identifiers: {NO: {}}", "quasi_identifiers.NO: it must be a text"),
        ("quasi_identifiers: [a]\nmissing: {NO: x}", "missing.NO: it must be a text"),
    ],
)
def test_a_name_that_yaml_reads_otherwise_is_shown_as_it_is_written(
    roles: str, where: str, tmp_path: Path
) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text(f"source: d.csv\nrelease: p\n{roles}\nprivacy: {{k: 2}}\n", encoding="utf-8")
    with pytest.raises(SpecError, match=re.escape(where) + ".*put it into quotes"):
        load_spec(file)


@pytest.mark.parametrize("written", ["010", "0x10", "12:30", "0b11", "-0"])
def test_a_whole_number_is_written_in_digits(tmp_path: Path, written: str) -> None:
    """YAML reads 010 as 8: no k that anybody asked for."""
    file = tmp_path / "spec.yaml"
    text = SPEC.format(**PLAIN)
    file.write_text(text.replace("k: 2", f"k: {written}"), encoding="utf-8")
    with pytest.raises(SpecError, match=rf"privacy\.k: .* YAML reads {written} as"):
        load_spec(file)
    file.write_text(text.replace("k: 2", "k: 1_000"), encoding="utf-8")
    assert load_spec(file).privacy.k == 1000


def test_a_threshold_is_the_number_that_is_written_and_no_rounded_one(tmp_path: Path) -> None:
    file = tmp_path / "spec.yaml"
    text = SPEC.format(**PLAIN)
    for written, said in (("1.0000000000000000000000001", "20 digits"), ("1.00000000001", "equal")):
        file.write_text(text.replace("k: 2", f"k: 2, t: {written}"), encoding="utf-8")
        with pytest.raises(SpecError, match=rf"privacy\.t: .*{said}"):
            load_spec(file)
    file.write_text(text.replace("k: 2", "k: 2, t: 0.10"), encoding="utf-8")
    assert load_spec(file).privacy.model_dump()["t"] == "1/10"


def test_a_threshold_without_a_value_is_refused(tmp_path: Path) -> None:
    """It would ask for nothing, and nobody would see it."""
    file = tmp_path / "spec.yaml"
    text = SPEC.format(**{**PLAIN, "ill": "{ill: {t: }}"}).replace("k: 2", "k: 2, l: null")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError, match=r"privacy\.l: it has no value") as caught:
        load_spec(file)
    assert "sensitive.ill.t: it has no value" in str(caught.value)
