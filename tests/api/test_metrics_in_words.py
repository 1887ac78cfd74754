"""The metrics of a release as a program asks for them: by short names, and as sentences."""

from __future__ import annotations

import pandas as pd
import pytest

import sqlanon
from sqlanon.record.metrics import Metric, value_of
from sqlanon.record.recorded import reached_in_words

SHORT = {"k": "k_anonymity", "l": "distinct_l", "t": "t_closeness", "beta": "beta_likeness"}


def metric(name: str, attribute: str | None = None, value: float | None = 0.25) -> Metric:
    return Metric(name, attribute, value, None, None)


@pytest.mark.parametrize(("short", "name"), SHORT.items())
def test_a_model_is_found_by_its_field_in_a_spec(short: str, name: str) -> None:
    assert value_of([metric(name, value=3.0), metric("entropy_l", value=2.0)], short, None) == 3.0


def test_the_attribute_may_be_left_out_where_there_is_one_alone() -> None:
    one = metric("t_closeness", "ill", 0.1)
    assert value_of([one], "t", None) == 0.1
    with pytest.raises(KeyError, match="'t' is of 'ill' and 'pay': name one of them"):
        value_of([one, metric("t_closeness", "pay", 0.2)], "t", None)


@pytest.mark.parametrize(
    ("asked", "attribute", "said"),
    [
        ("k_anonimity", None, "did you mean 'k_anonymity'"),
        ("risk", None, "did you mean 'marketer_risk' or 'prosecutor_risk'"),
        ("t", "pai", "did you mean 'pay'"),
        ("k", "pay", "is of the whole, and of no attribute"),
        ("l", "pay", "'distinct_l' was not measured; measured: 'k_anonymity', 'marketer_risk'"),
    ],
)
def test_a_metric_that_is_not_found_is_told_apart(
    asked: str, attribute: str | None, said: str
) -> None:
    of_whole = map(metric, ("k_anonymity", "prosecutor_risk", "marketer_risk"))
    with pytest.raises(KeyError, match=said):
        value_of([*of_whole, metric("t_closeness", "pay")], asked, attribute)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (metric("k_anonymity", value=3.0), "Every class has at least 3 records."),
        (metric("alpha", "ill", 0.5), "No sensitive value makes up more of a class than 0.5000."),
        (metric("records", value=1234.0), "The release has 1,234 records."),
        (metric("ncp", "age", 0.125), "12.50% of the information in age is lost: 0 is nothing"),
        (metric("prosecutor_risk", value=0.1), "look alike with at most a chance of 10.00%."),
        (metric("delta_disclosure", "ill", 2.0), "that in the whole table: 2.0000."),
        (metric("ncp", "age", None), "is nothing and 1 is everything: not known."),
    ],
)
def test_a_sentence_says_what_was_reached(found: Metric, said: str) -> None:
    assert said in reached_in_words(found)


def test_sentences_count_persons_where_the_models_do() -> None:
    said = reached_in_words(metric("distinct_l", "ill", 2.0), counts="persons")
    assert said == "Of every class at most one person in 2 has the same sensitive value."


def test_metrics_are_a_tidy_frame_also_after_the_database_is_closed() -> None:
    people = pd.DataFrame({"age": [1, 1, 2, 2], "ill": ["a", "b", "a", "b"]})
    release = sqlanon.anonymize(
        people, quasi_identifiers="age", sensitive={"ill": {"l": 2}}, k=2, progress=False
    )
    found = release.measure("l")
    release.close()
    frame = release.metrics_frame().set_index("metric")
    assert frame.loc["distinct_l", "value"] == found == 2
    assert frame.loc["distinct_l", "passed"]
    assert frame.loc["k_anonymity", "sentence"] == "Every class has at least 2 records."
    checked = sqlanon.check(people, quasi_identifiers=["age"], sensitive=["ill"], k=2)
    assert list(checked.metrics_frame()["metric"]) == [metric.metric for metric in checked.measures]
