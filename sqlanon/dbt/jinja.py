"""A template's Jinja as dbt reads it, token by token.

dbt finds a macro only by its package's name, knows no filter of ours, imports nothing, and keeps
the line that a block stands on. Nothing else of a template is changed. Of a folder of files with
macros of the same names, each macro's name begins with its file's there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from jinja2 import Environment, nodes

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
