"""Background knowledge of a sensitive attribute, which a reader has beforehand. Amiri et al., 2023.

A reader who knows how the sensitive attribute goes with the quasi-identifiers takes some members
of a class for likelier owners of a value than others. The model bounds how far what is known of
two members may lie apart: the Jensen-Shannon divergence, base 2, without a root. A part of a class
that meets it meets it; two classes that do may not together. So a search does not test it at cuts:
it starts from clusters that meet it (`sqlanon.clauses.background.clusters`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pydantic import Field, model_validator

from sqlanon.clauses.clause import Asking, Clause, Use
from sqlanon.common.fields import Closeness, Declared, Exact
from sqlanon.errors import Problem, nearest
from sqlanon.pages.figures import Figure
from sqlanon.privacy.model import PrivacyModel, SpecField

_MOST = 1_000_000
_TABLE = ("columns", "value", "probability")


class Estimate(Declared):
    """The background is estimated from the source, by some of its quasi-identifiers.

    P(s | u) = (n_us + m P(s)) / (n_u + m): the m-estimate of Cestnik (1990), where m, the
    smoothing, is how many records of the whole table's distribution every tuple is given.
    """

    by: tuple[str, ...] = Field(min_length=1, description="the quasi-identifiers it depends on")
    smoothing: Exact = Field(
        default=Fraction(1),
        ge=0,
        le=_MOST,
        description="m of the m-estimate: so many records of the table's distribution are added",
    )


class Background(Declared):
    """P(s | u) of every value s and tuple u of quasi-identifiers: read from a table, or estimated.

    Amiri et al. (2023), §3.1.
    """

    estimate: Estimate | None = Field(
        default=None, description="that it is estimated from the source"
    )
    table: str | None = Field(
        default=None, min_length=1, description="a table or view with a row for each u and s"
    )
    columns: dict[str, str] = Field(
        default={}, description="of quasi-identifiers, which columns of the table they are"
    )
    value: str | None = Field(default=None, min_length=1, description="its column of s")
    probability: str | None = Field(
        default=None, min_length=1, description="its column of P(s | u)"
    )

    @model_validator(mode="after")
    def _is_one(self) -> Background:
        given = [bool(getattr(self, name)) for name in _TABLE]
        if (self.estimate is None) == (self.table is None) or not all(
            one == (self.table is not None) for one in given
        ):
            raise ValueError(
                "it must be {estimate: {by: [COLUMN, …]}}, or a table with all of "
                "{table: NAME, columns: {COLUMN: COLUMN_OF_TABLE}, value: COLUMN_OF_TABLE, "
                "probability: COLUMN_OF_TABLE}"
            )
        return self

    @property
    def by(self) -> tuple[str, ...]:
        """The quasi-identifiers that it depends on."""
        return tuple(self.columns) if self.estimate is None else self.estimate.by

    @property
    def key(self) -> str:
        """Where in the declaration these are named."""
        return "columns" if self.estimate is None else "estimate.by"


BACKGROUND = PrivacyModel(
    name="background_knowledge",
    title="alike background knowledge",
    field=SpecField(
        "bk",
        "BackgroundKnowledge",
        "a number from 0 to 1, or `{j: …}`; held where a `background` is declared",
    ),
    form="j",
    per="background",
    threshold=Closeness,
    example="0.3",
    vacuous=1,
    measured="clauses/background/background_knowledge",
    reads=("classes", "class_values", "divergences"),
    swept="J asked of every background, as bk in a spec: 0.3,0.1.",
    formula="JS(Bᵤ, Bᵥ) ≤ J for any two records u, v of a class",
    equality="holds, to the ninth digit of JS",
    value="the greatest JS(Bᵤ, Bᵥ)",
    paper="Amiri et al. (2023)",
    says="what is known beforehand of any two members of a class differs by at most `bk`",
)

BELIEVED = "clauses/background/believed"
_PAPER = "Li, Li and Zhang (2010), §4; Amiri et al. (2023), §1"

_BELIEFS = (
    Figure(
        name="background_prior",
        per="sensitive attribute",
        measured=BELIEVED,
        direction=None,
        value="the mean over the records of P(v | u), v the record's value and u its background; "
        "where a `background` is declared",
        paper=_PAPER,
        says="a reader with the background gives a record's own value this chance on average, "
        "before reading the release",
    ),
    Figure(
        name="background_belief",
        per="sensitive attribute",
        measured=BELIEVED,
        value="the mean over the records of the belief in v after reading: the omega-estimate, in "
        "which a class's values are shared out among its members by their P(v | u)",
        paper=_PAPER,
        says="a reader with the background who knows everybody's class gives a record's own value "
        "this chance on average, after reading the release",
    ),
    Figure(
        name="background_gain",
        per="sensitive attribute",
        measured=BELIEVED,
        value="max (belief - P(v | u)) over the members of a class and its values",
        paper=_PAPER,
        says="a reader with the background becomes surer of a person's value by at most this much",
    ),
)


def backgrounds_of(spec: Asking) -> dict[str, Background]:
    """The declared backgrounds, by sensitive attribute."""
    found = {name: attribute.background for name, attribute in spec.sensitive.items()}
    return {name: value for name, value in found.items() if value is not None}


def _known(spec: Asking) -> Iterator[str]:
    yield from (f"sensitive.{name}.background" for name in backgrounds_of(spec))


def _alike(spec: Asking) -> Iterator[str]:
    """Where classes of alike background are asked for: of a declared background alone."""
    field = BACKGROUND.field.name
    asked = getattr(spec.privacy, field)
    if not any(getattr(spec.sensitive[name], field) or asked for name in backgrounds_of(spec)):
        return
    own = [name for name, attribute in spec.sensitive.items() if getattr(attribute, field)]
    yield from (f"sensitive.{name}.{field}" for name in own)
    if asked:
        yield f"privacy.{field}"


def _problems(spec: Asking) -> Iterator[Problem]:
    """Backgrounds of columns that are no quasi-identifiers, and what is asked of none."""
    field, known = BACKGROUND.field.name, backgrounds_of(spec)
    for name, attribute in spec.sensitive.items():
        if getattr(attribute, field) and name not in known:
            what = f"it is asked of a background: {_DECLARE}"
            yield Problem(f"sensitive.{name}.{field}", what)
    if getattr(spec.privacy, field) is not None and not known:
        what = "it is asked of sensitive attributes with a background, and none has one"
        yield Problem(f"privacy.{field}", f"{what}: {_DECLARE}")
    for name, background in known.items():
        where = f"sensitive.{name}.background.{background.key}"
        for column in background.by:
            if column not in spec.quasi_identifiers:
                fitting = nearest(column, spec.quasi_identifiers)
                yield Problem(where, f"{column!r} is no quasi-identifier; {fitting}")
        if len({*background.by}) < len(background.by):
            yield Problem(where, "it names a column twice")


_DECLARE = "declare sensitive: {COLUMN: {background: {estimate: {by: [COLUMN, …]}}}}"

_FIELD = Field(
    default=None, description="a reader's knowledge of it beforehand: P(value | quasi-identifiers)"
)

CLAUSES = (
    Clause(
        "background",
        "what is known of a sensitive attribute beforehand",
        _known,
        refused={
            Use.QUICK_SWEEP: "a quick sweep reads the frequencies alone, which tell nothing of "
            "what is known beforehand: sweep without quick",
            Use.VERIFY: "it is of what is known of the records beforehand, which is not certified",
            Use.PREDICTION: "the frequencies of values do not tell of whom something is known: a "
            "run tells",
        },
        excludes={
            "differential privacy": "every published column counts as a quasi-identifier there, "
            "and this is of another: leave it out",
            "exact rows": "{publication} shows every record's own quasi-identifiers, and with them "
            "what is known of it: say publish: generalized",
        },
        measured=BACKGROUND.per,
        models=(BACKGROUND,),
        metrics=_BELIEFS,
        fields={"sensitive": {"background": (Background | None, _FIELD)}},
        mappings={
            "Background": "it must be a mapping such as {estimate: {by: [age, sex]}}",
            "Estimate": "it must be a mapping such as {by: [age, sex], smoothing: 10}",
        },
        problems=_problems,
    ),
    Clause(
        "clusters",
        "clusters of alike background, within which classes are formed: bk",
        _alike,
        refused={
            Use.CHECK: "a released table does not show which quasi-identifiers a record had, so "
            "nobody can measure bk afterwards: the metrics of its run have it; to measure the "
            "other models, take a spec without bk",
            Use.LIMITS: "the limits with a background are not known: leave bk out",
        },
        excludes={
            "limit in groups": "the run leaves out whole clusters of alike background, of all "
            "groups alike: leave within out"
        },
        needs={"background": "bk is asked of a background: declare one"},
        how="declare a background of a sensitive attribute and ask for bk",
    ),
)
