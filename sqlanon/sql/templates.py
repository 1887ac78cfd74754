"""Loading and rendering the SQL templates, one relation each, with the contract in their header."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from importlib.util import cache_from_source
from itertools import chain
from pathlib import Path
from textwrap import indent
from typing import Any, Literal

import jinja2
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound, meta
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from sqlanon._version import __version__
from sqlanon.sql.names import (
    LISTS,
    WIDE,
    Called,
    Relation,
    Sql,
    filled,
    identifier,
    listed_values,
    literal,
    parted,
)
from sqlanon.sql.products import product_of
from sqlanon.sql.written import Apart, Naming, Written, as_named, hole, sign, written

Bound = Literal["records", "classes", "values"]

# The units that there may be a row for, and the bound of each: there are at most as many as
# records, or as classes of k records. The number of records does not bound the number of values.
UNITS: dict[str, Bound] = {
    **dict.fromkeys(("record", "cell", "combination of quasi-identifiers", "unit"), "records"),
    **dict.fromkeys(("class", "equivalence class"), "classes"),
    **dict.fromkeys(("allowed cut", "bin", "cell of a square or cubic grid", "code"), "values"),
    **dict.fromkeys(("column", "combination", "cut", "date or time", "demand"), "values"),
    **dict.fromkeys(("declared model", "distinct", "fact about the run", "fragment"), "values"),
    **dict.fromkeys(("group", "insensitive column", "kind of class", "label", "leaf"), "values"),
    **dict.fromkeys(("level", "limit", "measure", "new class", "new node", "node"), "values"),
    **dict.fromkeys(
        ("number of classes", "offer", "open demand", "open node", "open part"), "values"
    ),
    **dict.fromkeys(("person", "point", "pool", "quasi-identifier", "region"), "values"),
    **dict.fromkeys(("lattice node", "length", "root", "row of a piece", "start"), "values"),
    **dict.fromkeys(("cluster", "measured model", "profile", "specialization", "tuple"), "values"),
    **dict.fromkeys(
        ("choice of columns", "choice of levels", "cost", "open unit", "stripe", "value"), "values"
    ),
}
_ONE_PER = re.compile(
    rf"one row per ({'|'.join(sorted(map(re.escape, UNITS), key=len, reverse=True))})\b(.*)"
)
_OTHERS = re.compile(r"one row( if .*)?|no row|as the (table|candidate)")


@dataclass(frozen=True)
class Grain:
    """The grain of a relation: the unit that each of its rows stands for.

    Attributes:
        unit: what there is one row per; empty for one row in all, or for none.
        joint: whether it is one row per that and something else.
        single: whether there is exactly one row.
    """

    unit: str
    joint: bool
    single: bool

    @classmethod
    def of(cls, text: str) -> Grain:
        """Read the grain of a header.

        Raises:
            ValueError: if it begins with none of the units that are known.
        """
        found = _ONE_PER.fullmatch(text)
        if found is not None:
            return cls(found[1], " and " in found[2], single=False)
        if not _OTHERS.fullmatch(text):
            raise ValueError(
                f"the grain {text!r} must be 'one row', 'no row', 'one row if …', or 'one row per' "
                f"one of: {', '.join(sorted(UNITS))}"
            )
        return cls("", joint=False, single=text == "one row")

    def most_rows(self, records: int, k: int) -> int | None:
        """The most rows that it allows; None if the number of records does not bound them."""
        bound = UNITS.get(self.unit)
        if self.single:
            return 1
        if bound == "classes" and not self.joint:
            return max(1, records // k)
        return records if bound in ("records", "classes") else None


FIELDS = ("relation", "grain", "inputs", "outputs", "paper")
_NOT_SHOWN = {"relation", "inputs", "outputs"}  # what a CTE's own name and text say

_NAMED = re.compile(r'"(?:[^"]|"")+"(?:\."(?:[^"]|"")+")*')  # a table's quoted name
# The relations of the text being rendered, each with its number; and those that it makes itself, as
# CTEs, which are read by their names alone.
_READ: ContextVar[dict[Relation | Called, int]] = ContextVar("read")
_MADE: ContextVar[Collection[Relation]] = ContextVar("made", default=())
# The dialect that the template being rendered is written in, whose macros it takes.
_DIALECT: ContextVar[str] = ContextVar("dialect", default="portable")
# The dialect that the text being rendered is translated to, and the SELECTs within it. Each is
# translated by itself, to the dialect noted with it, or is written in it (None): a run repeats them
# in other texts, and translating takes long. Without a dialect they stay where they are.
_APART: ContextVar[tuple[str, Apart] | None] = ContextVar("apart", default=None)
_IMPORTED = re.compile(r'\{% from "(macros/[^"]+)" import')


def _finalize(value: Any) -> str:
    """Let only quoted SQL, relations and integers through; refuse everything else."""
    if isinstance(value, Sql):
        return value
    if isinstance(value, Relation | Called):
        if isinstance(value, Relation) and value in _MADE.get():
            return value.sql
        read = _READ.get()
        return sign(read.setdefault(value, len(read)))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"{type(value).__name__} reached SQL text unquoted: use a quoting filter")


def _root() -> Path:
    """The template folder: inside the installed package, or next to it in a checkout."""
    packaged = Path(str(files("sqlanon"))) / "sql_templates"
    return packaged if packaged.is_dir() else packaged.parents[1] / "sql_templates"


@cache
def _sibling(file: str, dialect: str) -> str | None:
    """The file next to a template or a file of macros that is written for the dialect, if any."""
    sibling = f"{file.removesuffix('.sql.j2')}.{dialect}.sql.j2"
    return sibling if (_root() / sibling).is_file() else None


class _Environment(Environment):
    """Templates that import macros in the dialect they are rendered for."""

    def join_path(self, template: str, parent: str) -> str:
        """The file that is meant by what another one imports."""
        return _sibling(template, _DIALECT.get()) or template


@cache
def _environment() -> Environment:
    environment = _Environment(  # this makes SQL, not HTML; _finalize guards it
        loader=FileSystemLoader(_root()),
        bytecode_cache=compiled_beside(__file__),
        auto_reload=False,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    # A filter's result is marked as SQL; plain text that skipped the filters is refused.
    environment.filters |= {
        "called": Called,
        "filled": filled,
        "ident": identifier,
        "literal": literal,
        "sql": Sql,
    }
    environment.globals |= LISTS | {"part": _part, "listed_values": listed_values}
    return environment


def _part(
    name: str,
    inputs: Mapping[str, Any],
    params: Mapping[str, Any],
    dialect: str = "portable",
    made: Collection[Relation] = (),
) -> Sql:
    """The SELECT of another template, to stand in brackets within the one being rendered.

    Args:
        name: the template.
        inputs: its inputs.
        params: its parameters.
        dialect: the one that the text around it is written in.
        made: the relations that are CTEs of that text.
    """
    before, around = _MADE.set(made), _APART.get()
    template = load_template(name, dialect if around is None else around[0])
    try:
        text = "\n".join(chain(*_shown(template.text_of(inputs, params))))
    finally:
        _MADE.reset(before)
    if around is None:
        return Sql(indent(text, "    "))
    apart = around[1]
    apart.append((text, template.translate_to))
    return Sql(hole(len(apart) - 1))


@dataclass(frozen=True)
class Template:
    """A SELECT and its contract.

    Attributes:
        name: ``family/relation``.
        file: where it lies in the folder of templates.
        text: the Jinja source.
        header: relation, grain, inputs, outputs and paper, as the header states them.
        translate_to: the dialect that the rendered text is put into; None where it is written so.
        dialect: the one that it is written in, or its macros are; else ``portable``.
    """

    name: str
    file: str
    text: str
    header: Mapping[str, str]
    translate_to: str | None = None
    dialect: str = "portable"

    @property
    def inputs(self) -> tuple[str, ...]:
        """The relations it reads, by the names its text gives them.

        ``domain_*`` stands for any number of relations, ``class_loss?`` may be left out.
        """
        return listed(self.header["inputs"])

    @property
    def outputs(self) -> tuple[str, ...]:
        """The columns it yields, in order; ``q*`` stands for a column a quasi-identifier."""
        return listed(self.header["outputs"])

    def variables(self) -> set[str]:
        """Every name the text leaves to its caller: inputs and parameters."""
        # Not those of the functions that all templates call.
        return set(meta.find_undeclared_variables(_environment().parse(self.text)))

    def render(
        self, inputs: Mapping[str, Any], params: Mapping[str, Any], naming: Naming = as_named
    ) -> str:
        """The SQL of one use of the template.

        Args:
            inputs: a relation for each name under ``inputs`` of the header.
            params: the parameters, by name.
            naming: by what name each relation is called.

        Raises:
            ValueError: if an input is missing, is not in the header, or hides a parameter; and if
                one of them has the name of a function of all templates.
        """
        return self.write(inputs, params).sql(naming)

    def write(self, inputs: Mapping[str, Any], params: Mapping[str, Any]) -> Written:
        """The same, for names that are not known yet."""
        # The relations that are read go in afterwards, as the database writes them: a query or a
        # file is in its own SQL already, and the same text is translated once wherever its
        # relations stand.
        held = {
            name: Relation(f"sqlanon_from_{name}")
            for name, value in inputs.items()
            if self.translate_to and isinstance(value, Sql) and not _NAMED.fullmatch(value)
        }
        apart: Apart = []
        around = (self.translate_to, apart) if self.translate_to else None
        before, outer = _READ.set({}), _APART.set(around)
        try:
            text = self.text_of({**inputs, **held}, params)
            read = list(_READ.get())
        finally:
            _READ.reset(before)
            _APART.reset(outer)
        given = {relation: inputs[name] for name, relation in held.items()}
        stands = [
            given.get(read_relation, read_relation)
            if isinstance(read_relation, Relation)
            else read_relation
            for read_relation in read
        ]
        return written(text, stands, self.translate_to, apart)

    def text_of(self, inputs: Mapping[str, Any], params: Mapping[str, Any]) -> str:
        """The text of one use, with a sign for every relation."""
        allowed = [name.removesuffix("?") for name in self.inputs]
        unknown = [name for name in inputs if not matches(name, allowed)]
        needed = [name for name in self.inputs if "*" not in name and "?" not in name]
        missing = [name for name in needed if name not in inputs]
        if unknown or missing or set(inputs) & set(params):
            raise ValueError(f"{self.name}: inputs missing {missing}, not declared {unknown}")
        functions = {*inputs, *params} & {*_environment().globals}
        if functions:  # a macro of the package would not take it
            raise ValueError(f"{self.name}: {functions} are functions of all templates")
        before = _DIALECT.set(self.dialect)
        try:
            text = _environment().get_template(self.file).render(**inputs, **params)
        finally:
            _DIALECT.reset(before)
        return text.strip() + "\n"


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is one of the patterns (``*`` for anything)."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@cache
def load_template(name: str, dialect: str = "duckdb") -> Template:
    """The template ``family/relation``, or its sibling written for the dialect if there is one.

    Without a sibling, the portable text is put into the dialect when it is rendered. It is written
    so that DuckDB reads it; ``portable`` asks for it as it is written. So are all siblings but
    PostgreSQL's. A file of macros may have siblings as well: a text that imports one of them is
    written for the dialect too.

    Raises:
        LookupError: if no template has the name.
        ValueError: if its header is incomplete.
    """
    loader = _environment().loader
    assert loader is not None  # noqa: S101 - set two functions above
    sibling = _sibling(f"{name}.sql.j2", dialect)
    path = sibling or f"{name}.sql.j2"
    try:
        text = loader.get_source(_environment(), path)[0]
    except TemplateNotFound:
        raise LookupError(f"there is no template {name!r}") from None
    if sibling or any(_sibling(macros, dialect) for macros in _IMPORTED.findall(text)):
        own = None if product_of(dialect).own_text else dialect
        return Template(
            name=name,
            file=path,
            text=text,
            header=header(name, text),
            translate_to=own,
            dialect=dialect,
        )
    other = None if dialect in ("duckdb", "portable") else dialect
    return Template(name, path, text, header(name, text), other)


def template_text(name: str) -> str:
    """The Jinja source of a template or of a file of macros, such as ``macros/order``."""
    return (_root() / f"{name}.sql.j2").read_text(encoding="utf-8")


def macro_names(folder: str) -> list[str]:
    """The files of macros in a folder such as ``macros/written``, as ``macros/written/interval``.

    A template imports one of them by a name that it is given. They have no siblings for a dialect:
    what it imports so does not make a template's text one of the dialect's own.
    """
    return sorted(
        f"{folder}/{path.name.removesuffix('.sql.j2')}"
        for path in (_root() / folder).glob("*.sql.j2")
    )


def template_names() -> list[str]:
    """Every template of the folder, macros left out, as ``family/relation``."""
    root = _root()
    names = {
        path.relative_to(root).as_posix().removesuffix(".sql.j2")
        for path in root.rglob("*.sql.j2")
        if "macros" not in path.parts
    }
    return sorted(names)


class _Bytecode(FileSystemBytecodeCache):
    """Compiled templates in files; where one cannot be written, there is none."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_beside(module: str) -> FileSystemBytecodeCache | None:
    """Where compiled templates are kept: where Python keeps what it has compiled of a module.

    Nothing is kept, and nothing read, where Python writes no bytecode.

    Args:
        module: the file of the module.
    """
    folder = Path(cache_from_source(module)).parent
    if sys.dont_write_bytecode or not os.access(folder, os.R_OK | os.W_OK):
        return None
    return _Bytecode(str(folder), f"%s.jinja-{jinja2.__version__}.sqlanon-{__version__}.cache")


def header(name: str, text: str) -> dict[str, str]:
    """The fields of a template's header.

    Args:
        name: the template, for the message.
        text: its source.

    Raises:
        ValueError: if one is missing.
    """
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if not line.startswith("-- "):
            break
        field, colon, value = line[3:].partition(":")
        if colon and field in FIELDS:
            fields[field] = value.strip()
    missing = [field for field in FIELDS if field not in fields]
    if missing:
        raise ValueError(f"template {name}: the header lacks {', '.join(missing)}")
    return fields


@cache
def listed(text: str) -> tuple[str, ...]:
    """The names in a field."""
    return tuple(part.strip() for part in text.split(",")) if text != "none" else ()


# Comments of a line, and what may go over several: comments, texts, names, and texts in dollars.
_TOKENS = re.compile(
    r"""--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$.*?\$\1\$""", re.DOTALL
)


def goes_over_lines(select: str) -> bool:
    """Whether a text, a name or a comment in a SELECT goes over several lines."""
    return any("\n" in token[0] for token in _TOKENS.finditer(select))


def readable(select: str, titled: bool = False) -> str:
    """A template's SELECT as scripts and dbt models show it: in few lines.

    It lacks blank lines, and lines of its header that its reader need not see.

    Args:
        select: the SELECT.
        titled: whether its title and its grain stand above it.
    """
    header, rest = _shown(select, titled)
    text = "\n".join(rest)
    if not goes_over_lines(text):
        text = _LISTED.sub(_in_a_line, "\n".join(filter(None, rest)))
        text = _SHORT.sub(_in_a_line, text)
    return "\n".join([*header, text])


def _shown(select: str, titled: bool = False) -> tuple[list[str], list[str]]:
    """The lines of a header that the reader of a SELECT needs, and the lines of the SELECT."""
    header, rest = parted(select.strip())
    needed = [line for line in header.split("\n")[:-1] if not _repeats(line, titled)]
    return needed, rest.split("\n")


# A word alone in its line with a list of at most three below it, and a SELECT of two lines.
_LISTED = re.compile(
    r"^( *)(select|select distinct|on|where|having|group by)\n\1 {4}(\S.*)$"
    r"(?=(?:\n\1 .*){0,2}(?:\n(?!\1 )|\Z))",
    re.MULTILINE,
)
_SHORT = re.compile(r"^( *)(select .*)\n\1(from .*[^(\n])$(?!\n\1\S)", re.MULTILINE)


def _in_a_line(found: re.Match[str]) -> str:
    """The same in one line, unless that would be long or its end were a comment."""
    line = f"{found[1]}{found[2]} {found[3]}"
    return line if len(line) <= WIDE and "--" not in line else found[0]


def _repeats(line: str, titled: bool) -> bool:
    """Whether a line of a header says what stands around it, or nothing."""
    field, colon, value = line.removeprefix("-- ").partition(": ")
    if not colon or field not in FIELDS:
        return False
    return titled or field in _NOT_SHOWN or value == "none"
