"""Each template keeps the contract of its header, and its SQL reads as the golden files show."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from header import check_contract
from jinja2 import nodes
from rendered import Use, differing, used, uses
from support import ROOT, slow

from sqlanon.plan import Check, blanks
from sqlanon.sql.names import Relation, Sql, filled
from sqlanon.sql.templates import Grain, _environment, load_template, template_names

# The plans of all templates are made once, by one process.
pytestmark = pytest.mark.xdist_group("rendered")

DIALECTS = ["duckdb", "portable", "postgres", "spark"]
GOLDEN = ROOT / "tests" / "golden"
RELATIONS = ROOT / "tests" / "relations"
# What a relation test pins: a reader can judge it. Of the others a golden file shows the SQL.
PINNED = {
    path.relative_to(RELATIONS).with_suffix("").as_posix() for path in RELATIONS.rglob("*.yaml")
}
# Put together of other templates, or of fingerprints of their text: the golden scripts show them.
COMPOSED = {"measure/metrics", "release/run"}
# What these plans do not come to: questions before planning, and what dbt is given beside a plan.
OUTSIDE_PLANS = {
    "certificate/digits",
    "source/check_types",
    "source/check_zeros",
    "source/header",
    "source/look",
    "source/sorted",
    "source/digits",
    "source/first_misfit",
    "source/line_of_file",
    "source/misfits",
    "source/distinct",
    "dbt/judged",
    "dbt/measured",
    "dbt/part",
}


def different(dialect: str) -> Iterator[Use]:
    """Uses of each template that differ: three of a text that is written for the dialect.

    To translate takes longest, and an engine that ran the text has read it: one use is enough. The
    portable text of what DuckDB has no sibling for is DuckDB's.
    """
    seen: Counter[str] = Counter()
    for step in differing():
        template = load_template(step.template, dialect)
        written = template.translate_to is None
        if dialect == "portable" and template.text == load_template(step.template, "duckdb").text:
            continue
        seen[step.template] += 1
        if seen[step.template] <= (3 if written else 1):
            yield used(step, dialect)


def shown(dialect: str) -> dict[str, str]:
    """The SQL of each template that no relation test pins, by its golden file.

    It is that of the shortest use, without the header, which is in the template as it is here.

    Of the portable templates those that DuckDB has a sibling for: the others are the same text. Of
    another dialect's those written for it, or with macros of its own: the others are translated.
    """
    other = "duckdb" if dialect == "portable" else dialect
    every = {name.partition(".")[0] for name in template_names()}
    own = {name for name in every if load_template(name, other).dialect == other}
    only = frozenset((every if dialect == "duckdb" else own) - PINNED - COMPOSED)
    texts: dict[str, str] = {}
    for use in uses(dialect, only):
        file = f"{use.template.name.replace('/', '.')}.sql"
        sql = re.sub(r"\A(--.*\n)+", "", use.sql)
        texts[file] = min(sql, texts.get(file, sql), key=len)
    return texts


def kept_to(every: Iterable[Use], dialect: str) -> None:
    """Each has the columns of its header, and reads what its header names."""
    read_as = "duckdb" if dialect == "portable" else dialect
    for use in every:
        try:
            check_contract(use.sql, use.template.outputs, use.inputs, read_as)
        except ValueError as error:
            pytest.fail(f"{use.template.name}: {error}\n{use.sql}")


@pytest.mark.parametrize("dialect", slow(*DIALECTS))
def test_contract(dialect: str) -> None:
    """Of what is translated, too."""
    kept_to(different(dialect), dialect)


@pytest.mark.parametrize("dialect", slow(*DIALECTS))
def test_golden(dialect: str) -> None:
    """Run with UPDATE_GOLDEN=1 to write the files anew; then read the difference."""
    found = shown(dialect)
    folder = GOLDEN / dialect
    if os.environ.get("UPDATE_GOLDEN"):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.sql"):
            old.unlink()
        for name, sql in found.items():
            (folder / name).write_text(sql, encoding="utf-8")
    assert set(found) == {path.name for path in folder.glob("*.sql")}
    for name, sql in found.items():
        assert sql == (folder / name).read_text(encoding="utf-8"), name


@pytest.mark.slow
def test_every_template_is_used_by_a_plan() -> None:
    used = {step.template for step in differing()}
    names = {name.partition(".")[0] for name in template_names()}
    names = {name for name in names if not name.startswith("table_macros/")}
    assert names == used | OUTSIDE_PLANS


@pytest.mark.slow
def test_a_message_has_blanks_for_what_its_check_finds_alone() -> None:
    """They stand between characters 0, so that no name in a message is one."""
    for check in differing():
        if isinstance(check, Check):
            outputs = set(load_template(check.template).outputs)
            texts, names = blanks(check.message)
            assert set(names) <= outputs, check.title
            assert not outputs & set(re.findall(r"\{(\w+)\}", "".join(texts))), check.title


@pytest.mark.parametrize("name", template_names())
def test_grain_is_of_the_vocabulary(name: str) -> None:
    """The estimate of `sqlanon plan` is made of it: a new word must say what bounds it."""
    family, dot, dialect = name.partition(".")
    Grain.of(load_template(family, dialect if dot else "portable").header["grain"])


def test_a_grain_bounds_the_rows() -> None:
    grains = ["one row", "one row per record of the source", "one row per class as formed"]
    grains += ["one row per class and value in it", "one row per value", "no row"]
    assert [Grain.of(text).most_rows(100, 9) for text in grains] == [1, 100, 11, 100, None, None]
    with pytest.raises(ValueError, match="'one row per' one of: allowed cut"):
        Grain.of("one row per something else")


@pytest.mark.parametrize("name", template_names())
def test_header_names_every_input(name: str) -> None:
    family, dot, dialect = name.partition(".")
    template = load_template(family, dialect if dot else "portable")
    named = {text.rstrip("?") for text in template.inputs if "*" not in text}
    assert named <= template.variables(), "an input that the text does not read"


@pytest.mark.parametrize(
    "value", ["plain text", 1.5, True, None, ["a"], {"a": 1}, b"bytes", object()]
)
def test_nothing_unquoted_reaches_sql(value: object) -> None:
    template = load_template("source/record_count")
    with pytest.raises(TypeError, match="unquoted"):
        template.render({"records": value}, {})


MACROS = (
    "axis|written_member|spelled|squared|axis_of_text|by_bytes|digest|scatter|hidden|cell|finite|stretch_loss|stretch_losses|of_outside|stacked_blocks|box_losses|text_of|prefixes|moved"
    "|key|known|tie_breaker|told_apart|diverse|diverse_group|may_be_diverse|numbered|side_within|within|broken"
    "|published_cells|cells_of|handed_out|labelled|order_of|path_below|path_above|pseudonym|secret|interval_loss|values_loss"
    "|row_text|covered|first_end|last_end|inside|overlapping|sha256_of|joined_of|number_of|texts_of|lead|named|number|transformed"
    "|rest|even|shifted|held_out|residual|units|bell|joint_noise|whole|change"
    "|class_codes|coded_rows|placed_cells|every_class|chosen_label|own_code|placed_cuts"
    "|first_wishes|met_by_both|scale_code_of|known_prefixes|among|described|word|part|keyed_parts|members|is_set|set_members|known_sets|is_written"
    "|listed_text|stretch|low|end|text|period|masked|by_stretch|above_low|entry|scaled|greatest_variance"
    r"|end_of|holders|holders_of|all_marked|any_marked|some_marked|as_decimal|rounded_down|between|band|form\.(?:cell|extent|read|loss|joins|held|whole|lost|lost_joins|state|amount)"
)


def test_no_comment_ends_like_a_statement() -> None:
    """Programs that cut a script at semicolons before line feeds would cut it there."""
    for path in (ROOT / "sql_templates").rglob("*.sql.j2"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^ *--.*;$", text, re.MULTILINE), path


def test_quoted_values_reach_sql() -> None:
    sql = load_template("source/record_count").render(
        {"records": Relation('a"b; drop table t')}, {}
    )
    assert sql.rstrip().endswith('from "a""b; drop table t"')


def test_macros_of_a_dialect_make_a_template_its_own() -> None:
    assert load_template("check/set_members", "postgres").dialect == "postgres"
    assert load_template("check/set_members", "postgres").translate_to is None
    assert load_template("check/set_members", "spark").dialect == "portable"
    assert load_template("source/keyed", "spark").translate_to == "spark"  # quotes names


def test_macros_that_others_import_have_no_siblings() -> None:
    """What a file of macros imports is kept from its first use on, whatever its dialect.

    Nor have those that are imported by a name that is only known when a template renders.
    """
    root = ROOT / "sql_templates"
    imported = {
        name
        for path in (root / "macros").rglob("*.sql.j2")
        for name in re.findall(r'from "macros/(\w+)', path.read_text(encoding="utf-8"))
    }
    named = {
        path.relative_to(root / "macros").as_posix().partition(".")[0]
        for path in (root / "macros").glob("*/*.sql.j2")
    }
    assert imported
    assert {name.partition("/")[0] for name in named} == {"priced", "written"}
    assert {name: [*(root / "macros").glob(f"{name}.*.sql.j2")] for name in imported | named} == {
        name: [] for name in imported | named
    }


def test_an_undefined_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="missing"):
        load_template("source/record_count").render({}, {})


def test_an_undeclared_input_is_an_error() -> None:
    with pytest.raises(ValueError, match="not declared"):
        load_template("source/record_count").render({"records": Sql("r"), "other": Sql("o")}, {})


@pytest.mark.parametrize("name", ["range", "namespace", "part"])
def test_a_parameter_is_not_called_as_a_function_of_all_templates(name: str) -> None:
    """The macro of the package would leave it out, and call the function in its place."""
    template = load_template("source/record_count")
    with pytest.raises(ValueError, match=f"'{name}'.* functions of all templates"):
        template.render({"records": Sql("r")}, {name: 1})
    assert not {name} & load_template("clauses/transform/records").variables()


def test_no_template_reads_a_parameter_that_is_called_so() -> None:
    """What a text reads under the name of such a function, and does not call, is a parameter."""
    environment = _environment()
    for name in template_names():
        family, dot, dialect = name.partition(".")
        tree = environment.parse(load_template(family, dialect if dot else "portable").text)
        called = {id(one.node) for one in tree.find_all(nodes.Call)}
        read = [one for one in tree.find_all(nodes.Name) if id(one) not in called]
        own = {one.name for one in read if one.ctx != "load"}
        assert not {one.name for one in read} & {*environment.globals} - own, name


def test_only_sql_written_in_templates_is_marked_as_sql() -> None:
    """``| sql`` marks text that a template wrote; a parameter alone never passes through it."""
    root = ROOT / "sql_templates"
    for path in root.rglob("*.sql.j2"):
        for marked in re.findall(r"\{\{([^}]*)\| sql \}\}", path.read_text(encoding="utf-8")):
            assert re.match(
                rf"\s*\(?\s*({MACROS})\b",
                marked,
            ), path


@pytest.mark.parametrize(
    ("lines", "written"),
    [
        ("    a,\n    b,\n    c\n", "    a, b, c\n"),
        ("    'a\n    b',\n    c", "    'a\n    b',\n    c"),  # a text over several lines
        ('    "a\'b",\n    c', '    "a\'b",\n    c'),
        (f"    {'a' * 70},\n    {'b' * 70},\n    c", f"    {'a' * 70},\n    {'b' * 70}, c"),
        (f'    source."case" as {"q" * 99},\n    b', f'    source."case" as {"q" * 99},\n    b'),
        (
            f"case x\n    when 1 then {'a' * 70}\n    when 2 then {'b' * 70}\nend as c",
            f"case x\n    when 1 then {'a' * 70}\n    when 2 then {'b' * 70}\nend as c",
        ),
        ("case x\n    when 1 then a\nend as c", "case x when 1 then a end as c"),
    ],
)
def test_parts_of_a_list_share_lines_unless_a_text_goes_over_several(
    lines: str, written: str
) -> None:
    assert filled(lines) == written
