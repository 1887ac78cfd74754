"""Jinja for dbt: a template's as dbt reads it, and a plan's steps as calls of the package's macros.

dbt finds a macro only by its package's name, knows no filter of ours, imports nothing, and keeps
the line that a block stands on. Nothing else of a template is changed. Of a folder of files with
macros of the same names, each macro's name begins with its file's there.

The steps are of a plan of a table with one column of every kind. A macro is given any number of
them, as `columns`, a list of mappings with a name, an alias and a role: the one column of a kind
stands for all that have its role, and where a step makes a relation of it, the macro has a loop.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from textwrap import indent
from typing import Any

from jinja2 import Environment, nodes

from sqlanon.plan import Check, Step
from sqlanon.privacy.model import Bound
from sqlanon.sql import names
from sqlanon.sql.names import Relation
from sqlanon.sql.templates import load_template

PACKAGE = "sqlanon"
_FILTERS = ("ident", "literal")  # macros of the package; SQL needs no mark there
_JINJA = Environment()  # noqa: S701 - it reads templates, and renders nothing
_BY_NAME = re.compile(r'\{% import "macros/(\w+)/" ~ (.+) ~ "\.sql\.j2" as (\w+) %\}')
_FILLED = re.compile(r"\{% (?:filter filled|endfilter) %\}\n")  # a macro has a part in a line
Token = tuple[str, str]  # its kind, as Jinja calls it, and its text


def no_jinja(text: str) -> str:
    """Text in which dbt finds nothing to fill in."""
    return re.sub(r"\{(?=[{%#])", "{{ '{' }}", text)


def in_jinja(expression: str) -> str:
    """An expression in which the constants begin no tag of Jinja's."""
    return re.sub(r"\{(?=[{%#])", r"\\u007b", expression)


def imported(text: str) -> dict[str, str]:
    """The macros that a template imports, each with the template it is of."""
    return {
        str(name): found.template.value.removesuffix(".sql.j2")
        for found in _JINJA.parse(text).find_all(nodes.FromImport)
        if isinstance(found.template, nodes.Const)
        for name in found.names
    }


def folders(text: str) -> set[str]:
    """The folders of files that a template imports by a name that is only known when it renders."""
    return {f"macros/{folder}" for folder, _, _ in _BY_NAME.findall(text)}


def in_dbt(text: str, helpers: Collection[str], prefix: str = "") -> str:
    """The text of a template, or of a file of macros, for a file of the package.

    Args:
        text: as it stands in ``sql_templates``.
        helpers: the functions that every template can call, and that are macros of the package.
        prefix: what the names of its own macros begin with there.
    """
    text = _FILLED.sub("", text)
    defined = {found.name for found in _JINJA.parse(text).find_all(nodes.Macro)}
    called = {*helpers, *imported(text), *defined}
    pieces = list(_pieces(text))
    written, modules = "", dict[str, str]()
    for at, piece in enumerate(pieces):
        word = next((token for kind, token in piece if kind == "name"), "")
        after = pieces[at + 1][0][1] if at + 1 < len(pieces) else "\n"
        if piece[0][0] == "block_begin" and word in ("from", "import"):
            pieces[at + 1] = [("data", after.removeprefix("\n"))]
            for folder, name, module in _BY_NAME.findall(_joined(piece)):
                modules[module] = f'"{folder}_" ~ {name}'
        elif piece[0][0] == "data":
            written += _typed(piece[0][1])
        elif piece[0][0] not in ("block_begin", "variable_begin"):
            written += _joined(piece)
        else:
            if word == "macro":
                tag = _joined(piece).replace("macro ", f"macro {prefix}", 1)
            else:
                tag = _joined(list(_expression(piece, called, modules)))
            line = written.rpartition("\n")[2]
            alone = not line.strip(" ") and after.startswith("\n")
            if tag.startswith("{% ") and alone and word not in ("macro", "endmacro"):
                # A line that holds a block alone leaves nothing behind.
                written = written.removesuffix(line)
                tag = tag.replace("{% ", "{%- ", 1)
            elif tag.startswith("{%-"):
                tag = f"\n{tag}"  # the space before it is no part of any token
            written += tag
    return written


def _pieces(text: str) -> Iterator[list[Token]]:
    """The text between tags, and each tag with all its tokens."""
    piece: list[Token] = []
    for _, kind, value in _JINJA.lex(text):
        piece.append((kind, value))
        if kind == "data" or kind.endswith("_end"):
            yield piece
            piece = []


def _typed(sql: str) -> str:
    """SQL whose text and numbers with a fraction have types of the database that dbt runs on."""
    typed = re.sub(r"\bas double(?=\s*\))", f"as {{{{ {PACKAGE}.double() }}}}", sql)
    return re.sub(r"\bas varchar(?=\s*\))", "as {{ dbt.type_string() }}", typed)


def _expression(
    tokens: list[Token], called: Collection[str], modules: Mapping[str, str]
) -> Iterator[Token]:
    """A tag whose filters are calls, and whose calls name the package."""
    found: list[Token] = []
    rest = [*tokens]
    while rest:
        kind, value = rest.pop(0)
        names = [token for token in rest if token[0] != "whitespace"]
        if value == "|" and names and names[0][1] in ("sql", *_FILTERS):
            del rest[: rest.index(names[0]) + 1]
            while found[-1][0] == "whitespace":
                found.pop()
            if names[0][1] in _FILTERS:
                found.insert(_operand(found), ("name", f"{PACKAGE}.{names[0][1]}("))
                found.append(("operator", ")"))
        elif kind == "name" and value in modules and rest and rest[0][1] == ".":
            (_, macro), rest = rest[1], rest[2:]
            found.append((kind, f'{PACKAGE}[{modules[value]} ~ "_{macro}"]'))
        elif kind == "name" and value in called and rest and rest[0][1] == "(":
            found.append((kind, f"{PACKAGE}.{value}"))
        else:
            found.append((kind, value))
    yield from found


def _operand(tokens: list[Token]) -> int:
    """Where the operand begins that ends with the last token: a name, a constant, or brackets."""
    at, depth = len(tokens) - 1, 0
    while True:
        value = tokens[at][1]
        depth += (value in (")", "]")) - value.endswith(("(", "["))
        before = tokens[at - 1]
        joined = "." in (value, before[1]) or (value in ("(", "[") and before[0] == "name")
        if depth == 0 and not joined:
            return at
        at -= 1


def _joined(tokens: list[Token]) -> str:
    return "".join(value for _, value in tokens)


_LONGEST = 114  # of a call, with the braces around it a line of 120
_WIDE = 130  # of a call that a model is published by
_BREAK = ",\n    "


class Expression(str):
    """An expression that dbt evaluates in a macro's call, where a plan has a number or a text."""

    __slots__ = ()


def signature(name: str) -> list[str]:
    """The arguments of a template's macro: its inputs, then its parameters."""
    template = load_template(name, "portable")
    inputs = [given.removesuffix("?") for given in template.inputs if "*" not in given]
    return [*inputs, *sorted(template.variables() - set(inputs))]


def macro_of(template: str) -> str:
    """The macro that a template is written as."""
    return f"select_{template.rpartition('/')[2]}"


@dataclass(frozen=True)
class Calls:
    """How the columns of a plan are called in a macro.

    Attributes:
        roles: by its alias in the plan, the role of every column.
        alone: the aliases of columns that are one in the macro, too.
    """

    roles: Mapping[str, str]
    alone: tuple[str, ...] = ()

    def ctes(self, steps: Iterable[Step]) -> Iterator[str]:
        """A CTE for each step, in loops where they are of every column of a role."""
        by_column = groupby(steps, key=lambda step: self._column_of(step.output))
        rows = [(alias, [self.cte(step) for step in some]) for alias, some in by_column]
        for ctes, alike in groupby(rows, key=lambda row: row[1]):
            aliases = [alias for alias, _ in alike if alias is not None]
            if aliases:
                roles = self._list_of_roles(aliases)
                loop = f"{{%- for attribute in {PACKAGE}.aliases_of(columns, {roles}) %}}"
                yield f"{loop}\n\n{_followed(ctes)}\n{{%- endfor %}}"
            else:
                yield from ctes

    def cte(self, step: Step) -> str:
        """A step as a CTE."""
        alias = self._column_of(step.output)
        name = step.output.name
        if alias is not None:
            name = f"{name.removesuffix(alias)}{{{{ attribute }}}}"
        return called(name, self.call(step))

    def call(self, step: Step | Check) -> str:
        """The call of the macro of a step's template."""
        given = {**step.inputs, **step.params}
        taken = [name for name in signature(step.template) if name in given]
        arguments = [f"{name}={self._value(given[name])}" for name in taken]
        return _wrapped(f"{PACKAGE}.{macro_of(step.template)}", arguments)

    def _column_of(self, relation: Relation) -> str | None:
        """The column that a relation is of, if there is one for each of its role."""
        alias = relation.name.rpartition("_")[2]
        return alias if self._stands_for_all(alias) else None

    def _stands_for_all(self, alias: Any) -> bool:
        return isinstance(alias, str) and alias in self.roles and alias not in self.alone

    def _value(self, value: Any) -> str:
        """A parameter or an input, in dbt's Jinja."""
        if isinstance(value, Expression):
            return str(value)
        if isinstance(value, Relation):
            alias = self._column_of(value)
            if alias is None:
                return _literal(value.name)
            return f"{_literal(value.name.removesuffix(alias))} ~ attribute"
        if self._stands_for_all(value):
            return "attribute"
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, Bound):
            parts = ("numerator", "denominator", "least", "strict")
            return self._mapping({part: getattr(value, part) for part in parts})
        if isinstance(value, Sequence) and not isinstance(value, str):
            return self._sequence(value)
        return _literal(value)

    def _sequence(self, values: Sequence[Any]) -> str:
        aliases = [_alias_of(value) for value in values]
        if aliases and all(alias in self.roles for alias in aliases):
            roles = self._list_of_roles(aliases)
            return f"{PACKAGE}.columns_of(columns, {roles})"
        if values and all(map(self._stands_for_all, values)):
            return f"{PACKAGE}.aliases_of(columns, {self._list_of_roles(values)})"
        return _laid_out("[", [*map(self._value, values)], "]")

    def _mapping(self, values: Mapping[str, Any]) -> str:
        if values and all(map(self._stands_for_all, values)):
            (stem,) = {relation.name.removesuffix(alias) for alias, relation in values.items()}
            roles = self._list_of_roles(values)
            return f"{PACKAGE}.relations_of(columns, {roles}, {_literal(stem)})"
        held = [f"{_literal(name)}: {self._value(value)}" for name, value in values.items()]
        return _laid_out("{", held, "}")

    def _list_of_roles(self, aliases: Iterable[Any]) -> str:
        return _literal(list(dict.fromkeys(self.roles[alias] for alias in aliases)))


def filled(text: str, said: Mapping[str, str]) -> str:
    """A text with what is said in place of each ``@name@``."""
    for name, value in said.items():
        text = text.replace(f"@{name}@", value)
    return text


def called(name: str, call: str) -> str:
    """A call as a CTE of a name."""
    return f"{name} as (\n{{{{ {call} }}}}\n)"


def joined(ctes: Iterable[str]) -> str:
    """CTEs and blocks of them in a row, with a comma after each; the last is a CTE without one."""
    return _followed(ctes).removesuffix(",")


def cases(variants: Mapping[str, Iterable[str]]) -> list[str]:
    """CTEs that depend on conditions: what all cases begin and end with, and a block between.

    Args:
        variants: by its condition the CTEs of each case; the last is that of none of the others.
    """
    every = [list(ctes) for ctes in variants.values()]
    before = _in_common(every)
    if len(before) == len(every[-1]):
        return before
    after = _in_common([ctes[len(before) :][::-1] for ctes in every])[::-1]
    words = ["if", *["elif"] * (len(every) - 2), "else"]
    block = ""
    for word, condition, ctes in zip(words, variants, every, strict=True):
        head = word if word == "else" else f"{word} {condition}"
        own = ctes[len(before) : len(ctes) - len(after)]
        block += f"{{%- {head} %}}\n\n{_followed(own)}\n"
    return [*before, f"{block}{{%- endif %}}", *after]


def _in_common(every: Sequence[Sequence[str]]) -> list[str]:
    """The members that all lists begin with."""
    columns = zip(*every, strict=False)
    return [one for one, *_ in takewhile(lambda column: len(set(column)) == 1, columns)]


def _followed(ctes: Iterable[str]) -> str:
    """CTEs and blocks of them in a row that goes on: a block has its commas within."""
    return "\n\n".join(cte if cte.startswith("{%-") else f"{cte}," for cte in ctes)


def _wrapped(function: str, arguments: Sequence[str]) -> str:
    """A call, its arguments in lines of their own where one line would be long."""
    return _laid_out(f"{function}(", arguments, ")")


def called_in_lines(macro: str, arguments: Sequence[str]) -> str:
    """A call of a macro of the package, with an argument a line where it is long."""
    line = f"{PACKAGE}.{macro}({', '.join(arguments)})"
    if len(line) <= _WIDE and "\n" not in line:
        return in_jinja(line)
    return in_jinja(f"{PACKAGE}.{macro}({_BREAK.join(arguments)})")


def _laid_out(opening: str, parts: Sequence[str], closing: str) -> str:
    """Parts between brackets, in one line where it is short, and in as few as hold them."""
    line = f"{opening}{', '.join(parts)}{closing}"
    if len(line) <= _LONGEST or not parts:
        return line
    if len(parts) == 1 and parts[0][0] in "[{":
        return f"{opening}{parts[0]}{closing}"
    lines = ",\n".join(parts)
    if not any("\n" in part for part in parts):
        lines = names.filled(lines)
    return f"{opening}\n{indent(lines, '    ')}\n{closing}"


def _alias_of(value: Any) -> Any:
    """The alias of what describes a column; None of anything else."""
    return value.get("alias") if isinstance(value, Mapping) else getattr(value, "alias", None)


def text_of(text: str) -> str:
    """A text in dbt's Jinja, in the quotes of which it has fewer."""
    written = json.dumps(text, ensure_ascii=False)
    if "'" in text or '"' not in text:
        return written
    return "'" + written[1:-1].replace('\\"', '"') + "'"


def _literal(value: Any) -> str:
    """A text, a number, a list of these, or none."""
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
