"""Writing SQL for other databases: the same SELECT, types and texts in their dialects."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.parser import Parser

from sqlanon.errors import EngineError
from sqlanon.sql.names import Relation, parted
from sqlanon.sql.products import product_of
from sqlanon.sql.reading import named, select, tables

# DuckDB's types that PostgreSQL has under no name that sqlglot knows.
_WIDER = {
    "HUGEINT": "numeric",
    "UHUGEINT": "numeric",
    "UBIGINT": "numeric",
    "UINTEGER": "bigint",
    "USMALLINT": "integer",
    "UTINYINT": "smallint",
    "TINYINT": "smallint",
}


def data_type(text: str, dialect: str, other: str) -> str:
    """A column's type as another dialect writes it; one of the user's own stays as it is."""
    if dialect == other:
        return text.lower() if text.isupper() else text
    if other == "postgres" and text.upper() in _WIDER:
        return _WIDER[text.upper()]
    kind = exp.DataType.build(text, dialect=dialect, udt=True)
    if isinstance(kind, exp.DataType) and kind.is_type(exp.DataType.Type.ENUM):
        return "text"
    return str(kind.sql(dialect=other)).lower() if isinstance(kind, exp.DataType) else text


@lru_cache(maxsize=2048)
def transpile(sql: str, dialect: str) -> str:
    """The same SELECT in another dialect, every identifier quoted, its header kept.

    A run renders the same text again and again: each is translated once.

    Raises:
        EngineError: if an engine's dialect has no such thing; of dialects that no engine here runs,
            what they lack is passed through.
    """
    header, body = parted(sql)
    body, sign, texts = _without_long_texts(body)
    tree = select(body)
    rewrite = _REWRITES.get(dialect, _rewrite_other)
    for node in reversed(list(tree.bfs())):  # what lies within goes first
        written_anew = rewrite(node)
        if written_anew is not node:
            node.replace(written_anew)
    level = ErrorLevel.RAISE if product_of(dialect).exact else ErrorLevel.IGNORE
    try:
        written = tree.sql(
            dialect=dialect, identify=True, pretty=True, unsupported_level=level, copy=False
        )
    except SqlglotError as error:
        raise EngineError(f"the SQL cannot be written for {dialect}: {error}") from None
    lowered = _lower(written, dialect)
    if texts:
        written_back = [text_literal(text, dialect) for text in texts]
        lowered = re.sub(rf"'{sign}(\d+)'", lambda found: written_back[int(found[1])], lowered)
    return header + lowered + "\n"


def _without_long_texts(sql: str) -> tuple[str, str, list[str]]:
    """The SELECT with signs for its long texts, how a sign begins, and the texts.

    A run records its own statements, megabytes of them, and sqlglot reads text letter by letter.
    """
    sign, texts = "sqlanon_text_", list[str]()
    while sign in sql:
        sign += "_"

    def short(found: re.Match[str]) -> str:
        text = found.group()
        prefixed = sql[found.start() - 1 : found.start()].isalnum()  # such as E'…'
        if len(text) < _LONG or text[0] != "'" or prefixed:
            return text
        texts.append(text[1:-1].replace("''", "'"))
        return f"'{sign}{len(texts) - 1}'"

    return _KEPT.sub(short, sql), sign, texts


def text_literal(text: str, dialect: str) -> str:
    """Text as a constant of a dialect: some read a backslash as a sign of its own."""
    return str(exp.Literal.string(text).sql(dialect=dialect))


_LONG = 1000  # letters of a text
# Text, names and comments: what stays as it is.
_KEPT = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|/\*.*?\*/""", re.DOTALL
)


def _lower(sql: str, dialect: str) -> str:
    """SQL whose every name is quoted, with its keywords, functions and types in lower case."""
    if product_of(dialect).cased:
        return _lower_keywords(sql, dialect)
    if "\\" in sql:  # what it means within quotes is not the same everywhere
        kept = _kept_by_tokens(sql, dialect)
    else:
        kept = ((found.start(), found.end()) for found in _KEPT.finditer(sql))
    parts, done = [], 0
    for start, end in kept:
        parts += [sql[done:start].lower(), sql[start:end]]
        done = end
    return "".join([*parts, sql[done:].lower()])


def _lower_keywords(sql: str, dialect: str) -> str:
    """The same, where functions and types are found only as they are written."""
    parts, done = [], 0
    for token in sqlglot.tokenize(sql, read=dialect):
        if token.token_type in _AS_WRITTEN:
            continue
        parts += [sql[done : token.start], sql[token.start : token.end + 1].lower()]
        done = token.end + 1
    return "".join([*parts, sql[done:]])


_AS_WRITTEN = {
    *Parser.TYPE_TOKENS,
    sqlglot.TokenType.VAR,
    sqlglot.TokenType.IDENTIFIER,
    sqlglot.TokenType.STRING,
    sqlglot.TokenType.NUMBER,
}


def _kept_by_tokens(sql: str, dialect: str) -> Iterator[tuple[int, int]]:
    """From where to where text, names and comments stand, which takes as long as all the rest."""
    done = 0
    for token in sqlglot.tokenize(sql, read=dialect):
        yield done, token.start  # a comment, or nothing but space
        done = token.end + 1
        if any(mark in sql[token.start : done] for mark in "'\"`"):
            yield token.start, done
    yield done, len(sql)


_PLAIN = re.compile(r'"[a-z_][a-z0-9_$]*"')  # what can be written without quotes


def in_capitals(sql: str, dialect: str) -> str:
    """SQL whose quoted names are in capitals, which is what the same names mean without quotes.

    A name that cannot be written without quotes stays as it is: it has capitals of its own, or a
    blank.
    """
    parts, done = [], 0
    for token in sqlglot.tokenize(sql, read=dialect):
        name = sql[token.start : token.end + 1]
        if _PLAIN.fullmatch(name):
            parts += [sql[done : token.start], name.upper()]
            done = token.end + 1
    return "".join([*parts, sql[done:]])


_NUMBER = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"
_LEAP_YEAR = r"(\d{2,3}(0[48]|[2468][048]|[13579][26])|\d?([02468][048]|[13579][26])00)"
# Before Christ there is no year 0: the leap years are 1, 5, 9, …
_LEAP_YEAR_BC = r"(\d\d(0[59]|[13579][37]|[2468][159])|([02468][048]|[13579][26])01)"
_COMMON_DAY = (
    r"((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)"
    r"|02-(0[1-9]|1\d|2[0-8]))"
)
_DAY = rf"(\d{{4,5}}-{_COMMON_DAY}|{_LEAP_YEAR}-02-29)"
_DAY_BC = rf"([0-3]\d{{3}}-{_COMMON_DAY}|{_LEAP_YEAR_BC}-02-29)"
_TIME = r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?"
_ZONE = r"([+-]\d\d(:?\d\d){0,2})?"
_INSTANT = rf"^({_DAY}([ T]{_TIME})?|{_DAY_BC}( {_TIME})? BC|-?infinity)$"
_TRUTH = "(?i)^(true|false|t|f|yes|no|y|n|1|0)$"
_WHOLE = exp.DataType.INTEGER_TYPES - {exp.DataType.Type.BIT}
# The forms of text that is a value of some types.
_FORMS: tuple[tuple[Collection[Any], str], ...] = (
    ([exp.DataType.Type.BOOLEAN], _TRUTH),
    ([exp.DataType.Type.TIME], f"^{_TIME}$"),
    (
        [exp.DataType.Type.TIMESTAMPTZ],
        rf"^({_DAY}([ T]{_TIME}{_ZONE})?|{_DAY_BC}( {_TIME}{_ZONE})? BC|-?infinity)$",
    ),
    (exp.DataType.TEMPORAL_TYPES - {exp.DataType.Type.TIMETZ}, _INSTANT),
    (_WHOLE | exp.DataType.REAL_TYPES, _NUMBER),
)


def _rewrite_other(node: Any) -> Any:
    """Rewrite the function that few databases have: the text of a zero shows its sign."""
    return _signed_zero(node, "-0", "-0.0") if _is_signbit(node) else node


def is_rewritten(sql: str) -> bool:
    """Whether SQL calls what few databases have, or do alike: others get it rewritten."""
    return "signbit(" in sql or "round(" in sql


def _is_signbit(node: Any) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == "signbit"


def _signed_zero(node: Any, *texts: str) -> Any:
    written = exp.cast(node.expressions[0].copy(), "text")
    return exp.Paren(this=exp.In(this=written, expressions=[*map(exp.Literal.string, texts)]))


def _rewrite_postgres(node: Any) -> Any:
    """Rewrite what sqlglot passes through as it is, and PostgreSQL lacks or does differently.

    A value that is cast to text is ordered by its bytes under any collation of the database. A
    double is rounded as a number of decimal digits. Where NULL equals NULL, one-element arrays are
    compared: they can be hashed. A join on ``is not distinct from`` cannot, and would compare every
    row with every other. A century begins with the year 2000, not 2001. There is no try_cast: text
    that is no number, instant or truth value is known by its form. The text of a zero shows its
    sign.
    """
    if _is_signbit(node):
        return _signed_zero(node, "-0")
    if isinstance(node, exp.TryCast):
        return _cast_if_it_fits(node.this, node.to)
    if isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.TEXT_TYPES):
        ordered = exp.Collate(this=node.copy(), expression=exp.to_identifier("C", quoted=True))
        return exp.Paren(this=ordered)
    if isinstance(node, exp.Round):
        digits = node.args.get("decimals")
        number = exp.Cast(
            this=node.this.copy(), to=exp.DataType.build("decimal", dialect="postgres")
        )
        rounded = exp.Anonymous(this="round", expressions=[number, digits])
        return exp.Cast(this=rounded, to=exp.DataType.build("double"))
    if isinstance(node, exp.NullSafeEQ | exp.NullSafeNEQ):
        sides = [exp.Array(expressions=[side.copy()]) for side in (node.left, node.right)]
        compare = exp.EQ if isinstance(node, exp.NullSafeEQ) else exp.NEQ
        return compare(this=sides[0], expression=sides[1])
    if isinstance(node, exp.DateTrunc | exp.TimestampTrunc) and node.text("unit") == "CENTURY":
        year = exp.Interval(this=exp.Literal.string("1 year"))
        node.set("this", exp.Add(this=node.this.copy(), expression=year))
        return exp.Paren(this=exp.Sub(this=node.copy(), expression=year.copy()))
    return node


def _cast_if_it_fits(value: Any, to: Any) -> Any:
    """A cast to a type, or NULL for text that has not the form of its values.

    Of types whose forms are not known here, text that has not is an error.
    """
    if to.is_type(*exp.DataType.TEXT_TYPES):
        return value.copy()
    form = next((form for types, form in _FORMS if to.is_type(*types)), None)
    if form is None:
        return exp.Cast(this=value.copy(), to=to)
    read = value.copy()
    if to.is_type(*_WHOLE):  # 41.0 is 41
        read = exp.Cast(this=read, to=exp.DataType.build("decimal", dialect="postgres"))
    matches = exp.RegexpLike(this=value.copy(), expression=exp.Literal.string(form))
    return exp.Case().when(matches, exp.Cast(this=read, to=to))


_YEARS = {"DECADE": 10, "CENTURY": 100}


def _rewrite_spark(node: Any) -> Any:
    """Rewrite what sqlglot passes through as it is, and Spark lacks.

    Spark lacks seconds since 1970 with their fraction, and the first day of a decade and of a
    century, which begins with the year that ends in 00. The text of a zero shows its sign.
    """
    if _is_signbit(node):
        return _signed_zero(node, "-0.0")
    if isinstance(node, exp.Extract) and node.name.upper() == "EPOCH":
        moment = exp.cast(node.expression.copy(), exp.DataType.Type.TIMESTAMPLTZ)
        return exp.Div(this=exp.func("unix_micros", moment), expression=exp.Literal.number("1e6"))
    if isinstance(node, exp.TimestampTrunc) and node.text("unit").upper() in _YEARS:
        return _first_day(node, "make_date")
    return node


def _first_day(node: Any, making: str) -> Any:
    """The first day of a decade or a century, by a function of a year, a month and a day."""
    length = exp.Literal.number(_YEARS[node.text("unit").upper()])
    year = exp.func("year", node.this.copy())
    periods = exp.func("floor", exp.Div(this=year, expression=length))
    first = exp.cast(exp.Mul(this=periods, expression=length.copy()), "int")
    return exp.Anonymous(
        this=making, expressions=[first, exp.Literal.number(1), exp.Literal.number(1)]
    )


def _rewrite_bigquery(node: Any) -> Any:
    """Rewrite what sqlglot passes through as it is, and BigQuery does differently.

    - A hash is bytes, and elsewhere the text of its digits.
    - A quotient of decimals is a decimal, of so many digits.
    - Whole numbers have 64 bits, or are decimals; a cast names no number of digits.
    """
    if isinstance(node, exp.SHA2):
        return exp.LowerHex(this=node.copy())
    if isinstance(node, exp.Cast) and node.to.is_type(*_DECIMALS):
        wide = "bignumeric" if _is_wide(node.to) else "numeric"
        node.set("to", exp.DataType.build(wide, dialect="bigquery"))
        return node
    return _rewrite_quotient(node)


_DECIMALS = (exp.DataType.Type.DECIMAL, exp.DataType.Type.INT128, exp.DataType.Type.UINT128)


def _is_wide(kind: Any) -> bool:
    """Whether a type holds numbers that BigQuery's narrower decimal cannot."""
    if not kind.is_type(exp.DataType.Type.DECIMAL):
        return True
    digits = [int(expression.name) for expression in kind.expressions]
    return bool(digits) and (digits[0] - sum(digits[1:]) > 29 or sum(digits[1:]) > 9)


def _rewrite_quotient(node: Any) -> Any:
    """A quotient of whole numbers or decimals is a decimal of few digits: elsewhere a double."""
    if isinstance(node, exp.Div) and not _is_double(node) and not _is_cast_to_whole(node):
        node.set("this", exp.cast(node.this.copy(), exp.DataType.Type.DOUBLE))
    return _rewrite_other(node)


def _rewrite_snowflake(node: Any) -> Any:
    """Rewrite what Snowflake does differently: parts of a text are rows of another FROM item.

    A quotient of whole numbers is a decimal.
    """
    if not isinstance(node, exp.Select):
        return _rewrite_quotient(node)
    for parts in [
        expression.this
        for expression in node.expressions
        if isinstance(expression.this, exp.Explode)
    ]:
        alias = exp.TableAlias(this=exp.to_identifier("parts", quoted=True))
        listed = exp.Explode(this=exp.Kwarg(this=exp.var("input"), expression=parts.this.copy()))
        lateral = exp.Lateral(this=listed, view=False, outer=False, alias=alias)
        node.append("joins", exp.Join(this=lateral, kind="CROSS"))
        parts.replace(exp.cast(exp.column("VALUE", table="parts", quoted=True), "text"))
    return node


def _is_double(node: Any) -> bool:
    """Whether an expression shows by itself that it is one."""
    if isinstance(node, exp.Cast):
        return bool(node.to.is_type(exp.DataType.Type.DOUBLE))
    if isinstance(node, exp.Literal):
        return not node.is_string and "e" in node.this.lower()
    if isinstance(node, exp.Binary):
        return _is_double(node.left) or _is_double(node.right)
    return isinstance(node, exp.Paren | exp.Neg) and _is_double(node.this)


def _is_cast_to_whole(node: Any) -> bool:
    """Whether a quotient has no rest, as what is made a whole number has none."""
    outer = node.parent
    while isinstance(outer, exp.Paren):
        outer = outer.parent
    return isinstance(outer, exp.Cast) and outer.to.is_type(*_WHOLE)


_COUNTING = (exp.Count, exp.DenseRank, exp.Rank, exp.RowNumber)


# Functions of text, where their names without the ending take a byte for a letter.
_OF_LETTERS = {
    exp.Left: "leftUTF8",
    exp.Lower: "lowerUTF8",
    exp.Reverse: "reverseUTF8",
    exp.Right: "rightUTF8",
    exp.StrPosition: "positionUTF8",
    exp.Substring: "substringUTF8",
    exp.Upper: "upperUTF8",
}


# A date of before 1970, and a part of a second, are values of these types alone.
_WIDE_TIMES = {
    exp.DataType.Type.DATE: "Nullable(Date32)",
    exp.DataType.Type.TIMESTAMP: "Nullable(DateTime64(6))",
    exp.DataType.Type.TIMESTAMPNTZ: "Nullable(DateTime64(6))",
}


def _rounded(node: Any) -> Any:
    """A double rounded as elsewhere: a half goes away from zero, and not to the even number."""
    scale = exp.func(
        "pow", exp.Literal.number(10), node.args.get("decimals") or exp.Literal.number(0)
    )
    size = exp.Mul(this=exp.func("abs", node.this.copy()), expression=scale)
    whole = exp.func("floor", exp.Add(this=size, expression=exp.Literal.number("0.5")))
    signed = exp.Mul(this=exp.func("sign", node.this.copy()), expression=whole)
    return exp.Paren(this=exp.Div(this=signed, expression=scale.copy()))


def _arguments(node: Any) -> Iterator[Any]:
    """The arguments of a function, in order."""
    return (node.args[name] for name in node.arg_types if node.args.get(name) is not None)


def _results(case: Any) -> list[Any]:
    """The expressions that a CASE may yield."""
    results = [argument.args["true"] for argument in case.args["ifs"]]
    return [*results, *filter(None, [case.args.get("default")])]


def _rewrite_clickhouse(node: Any) -> Any:
    """Rewrite what sqlglot passes through as it is, and ClickHouse does differently.

    Texts are joined in an order by sorting an array of pairs. A hash is bytes, and elsewhere the
    text of its digits. A column of a join keeps the name of its table, if it is given no other. A
    count has no sign, and meets no number that may have one. A quotient of decimals is a decimal.
    Whole numbers and doubles are of no common type. A date is of after 1970, a time has no part of
    a second, and functions of text take bytes, unless they are called otherwise. A half is rounded
    to the even number. There are no seconds since 1970 with their fraction.
    """
    if isinstance(node, exp.Case) and any(_is_double(one) for one in _results(node)):
        for one in _results(node):
            if not (_is_double(one) or isinstance(one, exp.Null)):
                one.replace(exp.cast(one.copy(), "double"))
        return node
    if isinstance(node, exp.DateTrunc | exp.TimestampTrunc):
        return _first_day(node, "makeDate32") if node.text("unit").upper() in _YEARS else node
    if isinstance(node, exp.Extract) and node.name.upper() == "EPOCH":
        moment = exp.func("toDateTime64", node.expression.copy(), exp.Literal.number(6))
        micros = exp.func("toUnixTimestamp64Micro", moment)
        return exp.Div(this=micros, expression=exp.Literal.number("1e6"))
    if isinstance(node, exp.Cast) and node.to.this in _WIDE_TIMES:
        node.set("to", exp.DataType.build(_WIDE_TIMES[node.to.this], dialect="clickhouse"))
        return node
    if isinstance(node, exp.Round):
        return _rounded(node)
    if isinstance(node, exp.SplitPart):
        text = node.this.copy()
        parts = exp.func("splitByString", node.args["delimiter"], node.this)
        part = exp.Bracket(this=parts, expressions=[node.args["part_index"]], offset=1)
        return exp.Case().when(exp.Not(this=exp.Is(this=text, expression=exp.null())), part)
    if isinstance(node, exp.Pad):
        side = "leftPadUTF8" if node.args["is_left"] else "rightPadUTF8"
        padded = (node.this, node.expression, node.args["fill_pattern"])
        return exp.Anonymous(this=side, expressions=list(padded))
    if type(node) in _OF_LETTERS:
        return exp.Anonymous(this=_OF_LETTERS[type(node)], expressions=list(_arguments(node)))
    if isinstance(node, exp.Window) and isinstance(node.this, _COUNTING):
        return exp.cast(node.copy(), "bigint")
    if isinstance(node, exp.Count) and not isinstance(node.parent, exp.Window):
        return exp.cast(node.copy(), "bigint")
    if isinstance(node, exp.Select):
        for expression in node.expressions:
            if isinstance(expression, exp.Column) and expression.table:
                expression.replace(exp.alias_(expression.copy(), expression.name, quoted=True))
        return node
    if isinstance(node, exp.SHA2):
        return exp.func("lower", exp.func("hex", node.copy()))
    if isinstance(node, exp.GroupConcat) and isinstance(node.this, exp.Order):
        keys = [expression.this.copy() for expression in node.this.expressions]
        pair = exp.func("tuple", *keys, node.this.this.copy())
        sorted_pairs = exp.func("arraySort", exp.func("groupArray", pair))
        texts = exp.Lambda(
            this=exp.func("tupleElement", exp.column("pair"), exp.Literal.number(len(keys) + 1)),
            expressions=[exp.to_identifier("pair")],
        )
        return exp.func(
            "arrayStringConcat", exp.func("arrayMap", texts, sorted_pairs), node.args["separator"]
        )
    return _rewrite_quotient(node)


_REWRITES = {
    "clickhouse": _rewrite_clickhouse,
    "bigquery": _rewrite_bigquery,
    "postgres": _rewrite_postgres,
    "snowflake": _rewrite_snowflake,
    "spark": _rewrite_spark,
}


def rebind_relations(sql: str, dialect: str, names: Mapping[Relation, Relation]) -> str:
    """A SELECT that reads relations where they stand for the moment.

    Args:
        sql: one SELECT.
        dialect: the dialect it is written in.
        names: for each relation that stands elsewhere, where that is.
    """
    if not any(relation.name in sql for relation in names):
        return sql
    header, body = parted(sql)
    query = select(body, dialect)
    for table in tables(query):
        if named(table) in names:
            table.replace(_table(names[named(table)], table.alias))
    return header + _lower(query.sql(dialect=dialect, identify=True, pretty=True), dialect) + "\n"


def _table(relation: Relation, alias: str = "") -> exp.Expr:
    """A relation as it stands in FROM."""
    database, catalog = (*reversed(relation.path), None, None)[:2]
    return exp.table_(relation.name, db=database, catalog=catalog, quoted=True, alias=alias or None)
