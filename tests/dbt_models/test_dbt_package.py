"""The package's macros by Jinja alone, on DuckDB; `test_dbt.py` has dbt itself carry them out."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import duckdb
import jinja2
import pytest
from jinja2 import nodes
from needs import missing
from on_spark import spark_session
from support import ROOT, Connection, multiset

import sqlanon
from sqlanon.dbt.jinja import Calls, Expression, called, cases, joined
from sqlanon.plan import Step, work
from sqlanon.sql.names import Sql

JINJA = jinja2.Environment(extensions=["jinja2.ext.do"])

ROWS = [
    (30 + 7 * i % 11, "mf"[i % 2], "abc"[i % 3], i % 4 if i % 5 else None, f"plan {i % 7 % 2}", i)
    for i in range(24)
]


@cache
def source() -> str:
    """All macros; a block of dbt's own is one whose name begins with what it is."""
    files = (path.read_text("utf-8") for path in (ROOT / "dbt" / "macros").rglob("*.sql"))
    text = re.sub(r"\{% test (?=\w+\()", "{% macro test_", "\n".join(files))
    text = re.sub(r"\{% materialization (\w+), default", r"{% macro materialization_\1()", text)
    return re.sub(r"\{% end(test|materialization) %\}", "{% endmacro %}", text)


@cache
def compiled() -> jinja2.Template:
    return JINJA.from_string(source())


class _ReturnedError(Exception):
    """What a macro gives back, as dbt has it."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class _RefusedError(Exception):
    """What dbt calls a compiler error."""


def given_back(value: Any) -> NoReturn:
    raise _ReturnedError(value)


def refused(message: str) -> NoReturn:
    raise _RefusedError(message)


# How adapters quote a name, call the type of text, and write a quote in a constant.
_ADAPTERS = {
    "duckdb": ('"', "varchar", "''"),
    "postgres": ('"', "text", "''"),
    "spark": ("`", "string", "\\'"),
    "snowflake": ('"', "text", "''"),
}


class Package:
    """The macros by their names, with what they use of dbt and of its adapter."""

    def __init__(
        self,
        connection: Any,
        dialect: str = "duckdb",
        config: Callable[..., str] = lambda **settings: "",
    ) -> None:
        self._dialect = dialect
        quotes, text, escaped = _ADAPTERS[dialect]

        def columns(relation: str) -> list[SimpleNamespace]:
            described = connection.execute(f"describe {relation}").fetchall()
            return [SimpleNamespace(name=row[0], dtype=row[1]) for row in described]

        dispatched = SimpleNamespace(
            quote=lambda name: f"{quotes}{name}{quotes}",
            dispatch=self._dispatched,
            get_columns_in_relation=columns,
        )
        texts = SimpleNamespace(
            escape_single_quotes=lambda said: said.replace("'", escaped),
            string_literal=lambda said: f"'{said}'",
            type_string=lambda: text,
        )
        self._macros = compiled().make_module(
            {
                "sqlanon": self,
                "adapter": dispatched,
                "dbt": texts,
                "return": given_back,
                "exceptions": SimpleNamespace(raise_compiler_error=refused),
                "modules": SimpleNamespace(re=re),
                "flags": SimpleNamespace(EMPTY=False, SAMPLE=None),
                "target": SimpleNamespace(type=dialect),
                "execute": True,
                "invocation_id": "a",
                "config": config,
            }
        )

    def _dispatched(self, name: str, _: str) -> Callable[..., Any]:
        own = f"{self._dialect}__{name}"
        found: Callable[..., Any] = getattr(
            self, own if hasattr(self._macros, own) else f"default__{name}"
        )
        return found

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def carried_out(*given: Any, **named: Any) -> Any:
            try:
                return str(getattr(self._macros, name)(*given, **named))
            except _ReturnedError as returned:
                return returned.value

        return carried_out


@pytest.fixture
def shell() -> Iterator[Connection]:
    with duckdb.connect() as connection:
        connection.execute(
            "create table people (age bigint, sex varchar, town varchar, ill bigint, "
            "plan varchar, number bigint)"
        )
        connection.executemany("insert into people values (?, ?, ?, ?, ?, ?)", ROWS)
        yield connection


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("stack", "declared"),
    [
        ("frequency", {"quasi_identifiers": "age", "sensitive": "ill", "insensitive": ["plan"]}),
        (
            "value",
            {"quasi_identifiers": ["town", "age", "sex"], "sensitive": "ill", "key": "number"},
        ),
        ("snake", {"quasi_identifiers": {"age": "set"}, "sensitive": ["town", "ill"], "seed": 5}),
        (
            "snake",
            {
                "quasi_identifiers": ["sex", "age"],
                "sensitive": ["ill", "town"],
                "insensitive": "plan",
                "key": ["number"],
                "k": 3,
            },
        ),
    ],
)
def test_deals_as_a_run_does(shell: Connection, stack: str, declared: dict[str, Any]) -> None:
    """Any columns of any kind, in any order, where the plan has one of each."""
    declared = {"k": 4, "seed": 0, **declared}
    forms = declared["quasi_identifiers"]
    spec = {**declared, "method": {"name": "stack_and_deal", "stack": stack}}
    if isinstance(forms, dict):
        spec["quasi_identifiers"] = {name: {"publish": form} for name, form in forms.items()}
    with sqlanon.anonymize("people", connection=shell, **spec) as run:
        expected = shell.execute(f"from {run.relation}").fetchall()
    dealt = shell.execute(Package(shell).stack_and_deal("people", stack=stack, **declared))
    assert multiset(dealt.fetchall()) == multiset(expected)


TREE = [["0", "low"], ["1", "low"], ["2", "high"], ["3", "high"]]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("given", "declared"),
    [
        ({"order": "natural"}, {}),
        ({"distance": "ordered"}, {"distance": "ordered"}),
        (
            {"distance": "ordered", "order": "frequency"},
            {"distance": "ordered", "order": "frequency"},
        ),
        (
            {"distance": "ordered", "order": ["2", "0", "3", "1"]},
            {"distance": "ordered", "order": ["2", "0", "3", "1"]},
        ),
        (
            {"distance": "hierarchical", "hierarchy": TREE},
            {
                "distance": "hierarchical",
                "hierarchy": {"tree": {"*": {"low": ["0", "1"], "high": ["2", "3"]}}},
            },
        ),
    ],
)
def test_tests_measure_what_a_check_does(
    shell: Connection, given: dict[str, Any], declared: dict[str, Any]
) -> None:
    """By every distance; a threshold above what is reached passes, one below it does not."""
    package, table = Package(shell), "people"
    if {"order", "hierarchy"} & set(given):  # whose values are listed as text
        table = "told"
        text = "* replace (cast(ill as varchar) as ill)"
        shell.execute(f"create table told as select {text} from people")
    hidden = ["sex", "town"]
    reached = sqlanon.check(
        table, connection=shell, quasi_identifiers=hidden, sensitive={"ill": declared}
    ).measure("t_closeness", "ill")
    assert reached is not None
    for t, passes in ((reached + 1e-6, True), (reached - 1e-6, False)):
        test = package.test_t_closeness(table, hidden, "ill", f"{t:.9f}", **given)
        found = shell.execute(test).fetchall()
        assert (found == []) == passes
        for finding, _, _, worst in found:
            assert (finding, worst) == (f"classes farther than {t:.9f}", pytest.approx(reached))


_HIDDEN = ["sex", "town"]
_TESTS: list[tuple[str, dict[str, Any]]] = [
    ("k_anonymity", {"k": 5}),
    ("l_diversity", {"l": 4}),
    ("entropy_l", {"l": 3}),
    ("recursive_l", {"c": "0.5", "l": 2}),
    ("alpha", {"alpha": "0.1"}),
    ("beta_likeness", {"beta": "0.1"}),
    ("enhanced_beta_likeness", {"beta": "0.1"}),
    ("delta_disclosure", {"delta": "0.1"}),
    ("delta_disclosure_ln", {"delta": "0.1"}),
    ("t_closeness", {"t": "0.01"}),
    ("t_closeness", {"t": "0.01", "distance": "ordered", "order": "frequency"}),
    ("t_closeness", {"t": "0.01", "distance": "ordered", "order": ["2", "0", "3", "1"]}),
    ("t_closeness", {"t": "0.01", "distance": "hierarchical", "hierarchy": TREE}),
]


def _statements(package: Package) -> list[str]:
    """Every generic test, and the macros for any model."""
    tests = []
    for name, given in _TESTS:
        about = {} if name == "k_anonymity" else {"sensitive": "ill"}
        listed = isinstance(given.get("order"), list) or "hierarchy" in given
        test = getattr(package, f"test_{name}")
        tests.append(test("told" if listed else "people", _HIDDEN, **about, **given))
    labels = (
        package.generalize("age", bands=10, whole_numbers=True),
        package.generalize("town", prefix=1),
        package.generalize("day", dates="month"),
        package.generalize("town", groups={"it's": ["a"]}),
    )
    return [
        *tests,
        package.test_row_conservation("people", "people", suppressed="left_out"),
        package.suppress_small_groups("told", ["sex", "town", "ill"], 2),
        *(f"select {label} as label, number from people" for label in labels),
    ]


@pytest.mark.spark
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_tests_and_macros_find_on_spark_what_they_find_on_duckdb(
    shell: Connection, every: int
) -> None:
    session = spark_session()
    types = "age bigint, sex string, town string, ill bigint, plan string, number bigint"
    session.createDataFrame(ROWS, types).createOrReplaceTempView("rows")
    tables = {
        "people": "select *, cast('2024-02-03' as date) as day from rows",
        "told": "select sex, town, cast(ill as {text}) as ill from rows",
        "left_out": "select 1 as records",
    }
    shell.execute("alter table people rename to rows")
    for name, query in tables.items():
        shell.execute(f"create table {name} as {query.format(text='varchar')}")
        session.sql(query.format(text="string")).createOrReplaceTempView(name)
    both = zip(_statements(Package(shell)), _statements(Package(shell, "spark")), strict=True)
    for here, there in [*both][::every]:
        rows = shell.execute(here).fetchall()
        assert rows
        close = [tuple(map(_rounded, row)) for row in rows]
        assert multiset(close) == multiset(
            [tuple(map(_rounded, row)) for row in session.sql(there).collect()]
        )


def _rounded(value: Any) -> Any:
    return round(float(value), 9) if isinstance(value, float | Decimal) else value


@pytest.mark.snowflake
@pytest.mark.filterwarnings("ignore:Arrow output on a DB-API result:UserWarning")
def test_tests_and_macros_find_on_an_emulator_of_snowflake_what_they_find_on_duckdb(
    shell: Connection,
) -> None:
    """All but the label of a prefix: the emulator gives `rpad` a number that it does not take."""
    if find_spec("fakesnow") is None:
        missing("snowflake", "fakesnow is not installed: pip install -e '.[emulators]'")
    import fakesnow
    from snowflake import connector

    shell.execute("alter table people rename to rows")
    columns = '"age" bigint, "sex" text, "town" text, "ill" bigint, "plan" text, "number" bigint'
    tables = {
        "people": 'select *, cast(\'2024-02-03\' as date) as "day" from "rows"',
        "told": 'select "sex", "town", cast("ill" as text) as "ill" from "rows"',
        "left_out": "select 1 as records",
    }
    with fakesnow.patch(), connector.connect(database="held", schema="pubs") as connection:
        cursor = connection.cursor()
        cursor.execute(f'create table "rows" ({columns})')
        cursor.execute(
            f'insert into "rows" values {", ".join(map(str, ROWS))}'.replace("None", "null")
        )
        for name, query in tables.items():
            shell.execute(f"create table {name} as {query}")
            cursor.execute(f"create table {name} as {query}")
        both = zip(
            _statements(Package(shell)), _statements(Package(shell, "snowflake")), strict=True
        )
        for here, there in both:
            if "rpad(" in there:
                continue
            rows = [tuple(map(_rounded, row)) for row in shell.execute(here).fetchall()]
            found = [tuple(map(_rounded, row)) for row in cursor.execute(there).fetchall()]
            assert rows
            assert multiset(found) == multiset(rows)


def test_what_is_compared_with_has_none_of_the_other_columns(shell: Connection) -> None:
    shell.execute("create table others as select ill from people where ill > 0")
    asked = ("people", "sex", "ill", 1)
    found = shell.execute(Package(shell).test_t_closeness(*asked, reference="others")).fetchall()
    unknown = sum(not row[3] for row in ROWS)
    what = "values that the reference table does not hold"
    assert found == [(what, 2, unknown, None)]


def test_records_that_were_lost(shell: Connection) -> None:
    shell.execute("create table fewer as from people where number > 2")
    package = Package(shell)
    assert shell.execute(package.test_row_conservation("people", "people")).fetchall() == []
    lost = shell.execute(package.test_row_conservation("fewer", "people")).fetchall()
    assert lost == [(24, 21)]


@pytest.mark.parametrize(
    ("test", "given", "message"),
    [
        ("k_anonymity", ("sex", 0), "k must be a whole number above zero"),
        ("l_diversity", ("sex", ["ill", "town"], 2), "sensitive must name one column"),
        ("t_closeness", ("sex", "ill", 0.5, "near"), "distance must be equal, ordered or"),
        ("t_closeness", ("sex", "ill", 0.5, "equal", "natural", TREE), "a hierarchy goes with"),
        ("t_closeness", ("sex", "ill", 0.5, "ordered", "size"), "order must be natural, frequency"),
    ],
)
def test_wrong_arguments_are_refused(
    shell: Connection, test: str, given: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(_RefusedError, match=message):
        getattr(Package(shell), f"test_{test}")("people", *given)


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ("select 1", None),
        ("update checks set message = 'too few'", "too few"),
        ("delete from checks where title = 'second'", "not everything was checked"),
        ("update checks set sqlanon_invocation = 'b' where title = 'second'", "what was checked"),
        ("update made set sqlanon_invocation = 'b' where age = 2", "what was made is of"),
        ("update made set age = 2.5 where age = 2", "a number of age does not fit its type"),
    ],
)
def test_what_is_of_another_invocation_is_not_copied(changed: str, refusal: str | None) -> None:
    with duckdb.connect() as table:
        table.execute(
            "create table made as select i / 1 as age, 'x' as \"a {{b}}\", 'a' as "
            "sqlanon_invocation from range(1, 3) t(i);"
            "create table checks as select number as check_number, title, null::varchar as message,"
            " 'a' as sqlanon_invocation from (values (1, 'first'), (2, 'second'), (null, null)) "
            "t(number, title)"
        )
        table.execute(changed)
        columns = ["age", "a {{b}}"]
        package = Package(table)
        given = {"made": "made", "numbers": {"age": "integer"}, "by_value": True}
        sql = package.checked_copy("made", columns, "checks", 2, **given)
        if refusal is None:
            assert table.execute(sql).fetchall() == [(1, "x"), (2, "x")]
            assert [one[0] for one in table.description] == columns
        else:
            with pytest.raises(duckdb.ConversionException, match=refusal):
                table.execute(sql).fetchall()


def test_a_pseudonym_has_its_key_from_a_relation(shell: Connection) -> None:
    """By HMAC-SHA-256; a key that is text would be in the SQL, and a short one protects nothing."""
    package = Package(shell)
    for key in ("k" * 32, "ä" * 20, "ab" * 60):
        shell.execute("create or replace table keys as select ? as key", [f"{key}\n"])
        sql = package.pseudonym("sex", Path("keys"))
        named = {"m": None, "f": None} | dict(
            shell.execute(f"select distinct sex, {sql} from people").fetchall()
        )
        for sex, found in named.items():
            assert found == hmac.digest(key.encode(), sex.encode(), "sha256").hex()
    for change, fault in (
        ("update keys set key = 'short'", "the key must have at least 32 bytes"),
        ("insert into keys values ('another')", "the relation of the key must have one row"),
        ("delete from keys", "the relation of the key must have one row"),
    ):
        shell.execute(change)
        with pytest.raises(duckdb.InvalidInputException, match=fault):
            shell.execute(f"select {sql} from people").fetchall()
    with pytest.raises(_RefusedError, match="must be the relation that holds it"):
        package.pseudonym("sex", "a key as text")


@pytest.mark.parametrize(
    ("dialect", "quoted"),
    [("duckdb", '"a""b`c"'), ("snowflake", '"a""b`c"'), ("spark", '`a"b``c`')],
)
def test_a_quote_in_a_name_does_not_end_it(dialect: str, quoted: str) -> None:
    """An adapter of dbt leaves it as it is."""
    with duckdb.connect() as connection:
        assert Package(connection, dialect).ident('a"b`c') == quoted


def test_macros_quote_names_by_the_macro_of_the_package() -> None:
    for file in (ROOT / "dbt" / "macros").rglob("*.sql"):
        if file.name != "helpers.sql":
            assert "adapter.quote" not in file.read_text(encoding="utf-8"), file.name


def test_every_call_is_of_a_macro_that_takes_what_it_is_given() -> None:
    tree = JINJA.parse(source())
    taken = {one.name: [str(arg.name) for arg in one.args] for one in tree.find_all(nodes.Macro)}
    calls = 0
    for call in tree.find_all(nodes.Call):
        called_ = call.node
        if not isinstance(called_, nodes.Getattr) or not isinstance(called_.node, nodes.Name):
            continue
        if called_.node.name == "sqlanon":
            calls += 1
            assert {one.key for one in call.kwargs} <= set(taken[called_.attr]), called_.attr
            assert len(call.args) <= len(taken[called_.attr]), called_.attr
    assert calls > 100


COLUMNS = Calls({"q1": "interval", "q2": "set", "s1": "sensitive"})


def coding(alias: str) -> Step:
    inputs = {"values_in_use": work("values_", alias)}
    return Step("", work("domain_", alias), "domains/domain_flat", inputs, {"tie_breaker": None})


def test_columns_of_which_the_same_is_made_have_one_loop() -> None:
    text = joined([*COLUMNS.ctes(map(coding, ("q1", "q2"))), "last as (select 1)"])
    assert text == (
        '{%- for attribute in sqlanon.aliases_of(columns, ["interval", "set"]) %}\n\n'
        "sqlanon_domain_{{ attribute }} as (\n"
        '{{ sqlanon.select_domain_flat(values_in_use="sqlanon_values_" ~ attribute, '
        "tie_breaker=none) }}\n),\n"
        "{%- endfor %}\n\nlast as (select 1)"
    )


def test_a_column_that_is_one_in_the_macro_has_none() -> None:
    (text,) = Calls(COLUMNS.roles, alone=("s1",)).ctes([coding("s1")])
    call = 'sqlanon.select_domain_flat(values_in_use="sqlanon_values_s1", tie_breaker=none)'
    assert text == called("sqlanon_domain_s1", call)


def test_parameters_are_of_all_columns_of_their_roles() -> None:
    step = Step(
        "",
        work("coded"),
        "source/coded",
        {"records": work("records"), "domain_q1": work("domain_q1")},
        {
            "attributes": (Sql("q1"), Sql("s1")),
            "carried": (),
            "domains": {"q1": work("domain_q1"), "s1": work("domain_s1")},
            "tie_breaker": Expression("a | b"),
        },
    )
    roles = '["interval", "sensitive"]'
    assert COLUMNS.call(step).split("\n") == [
        "sqlanon.select_coded(",
        f'    records="sqlanon_records", attributes=sqlanon.aliases_of(columns, {roles}), '
        "carried=[],",
        f'    domains=sqlanon.relations_of(columns, {roles}, "sqlanon_domain_"), tie_breaker=a | b',
        ")",
    ]


def test_cases_have_once_what_they_begin_and_end_with() -> None:
    made = cases({"a": ["1", "2", "9"], "b": ["1", "9"], "": ["1", "3", "4", "9"]})
    block = "{%- if a %}\n\n2,\n{%- elif b %}\n\n\n{%- else %}\n\n3,\n\n4,\n{%- endif %}"
    assert made == ["1", block, "9"]
    assert cases({"a": ["1", "2"], "": ["1", "2"]}) == ["1", "2"]
