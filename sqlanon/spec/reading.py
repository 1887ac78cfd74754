"""Reading a spec's text as YAML: any text ends soon, with a message that says where it is wrong.

Environment variables in its texts are put in.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from sqlanon.errors import SpecError, say_as_written, say_whole_as_written
from sqlanon.inputs.source import ReadAs, unquoted

MOST_LEVELS = 50
SPEC, QUERIES = "spec file", "file of queries"
_MOST_BYTES, _MOST_NODES = 20_000_000, 1_000_000
_NO_SPEC = r".*\.(csv|tsv|txt|parquet|xlsx?|duckdb|db|json|jsonl|ndjson|sql)(\.gz)?"

_KINDS = {"int": "a number", "float": "a number", "timestamp": "a date", "bool": "a truth value"}


def read_yaml(path: str | os.PathLike[str], what: str = SPEC) -> Mapping[str, Any]:
    """The mapping that a spec file, or a file of queries, holds.

    Args:
        path: the file.
        what: what it is called in a message.

    Raises:
        SpecError: if the file is missing, is none of ours, is no YAML or holds something else.
    """
    file = Path(path)
    text = _text(file, what)
    try:
        declared = yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = error.problem
        if mark and "cannot start any token" in str(problem) and "'\\t'" in str(problem):
            problem = "a tab stands there: indent with spaces"
        raise SpecError(f"{file.name} is no valid YAML{at}: {problem}") from None
    except yaml.YAMLError:  # a sign that no text has
        line = text.count("\n", 0, _odd_sign(text)) + 1
        what = "a control character stands there: remove it"
        raise SpecError(f"{file.name} is no valid YAML at line {line}: {what}") from None
    if declared is None and what != SPEC:
        raise SpecError(f"the {what} {str(file)!r} is empty")
    if declared is None:
        raise SpecError(f"the spec {str(file)!r} is empty: `sqlanon init TABLE` writes a first one")
    if not isinstance(declared, Mapping) and what != SPEC:
        raise SpecError(f"the {what} {str(file)!r} must hold a mapping, of names")
    if not isinstance(declared, Mapping):
        raise SpecError(f"{file.name} must hold a mapping with source, release and so on")
    return declared


def yaml_list(text: str) -> Any:
    """The list whose members a text holds, with commas between.

    Raises:
        SpecError: if it nests too deep, or holds a number or date that is none.
        YAMLError: if it is no YAML otherwise.
    """
    return yaml.load(f"[{text}]", _Loader)  # noqa: S506 - a SafeLoader


def _text(file: Path, what: str) -> str:
    if what == SPEC and re.fullmatch(_NO_SPEC, file.name, re.IGNORECASE):
        no_spec = f"{str(file)!r} is no spec: a spec is a YAML file"
        command = f"sqlanon init {shlex.quote(str(file))}"
        raise SpecError(f"{no_spec}; `{command}` writes a first one for a table")
    try:
        with file.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise SpecError(f"there is no {what} {str(file)!r}") from None
    except OSError as error:
        why = f"the {what} {str(file)!r} cannot be read: {error.strerror}"
        raise SpecError(why) from None
    if len(content) > _MOST_BYTES:
        most = f"{_MOST_BYTES // 1_000_000} MB"
        raise SpecError(f"{str(file)!r} holds more than {most}: is it a spec?")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SpecError(
            f"the {what} {str(file)!r} cannot be read: line {line} is not encoded in UTF-8; "
            "save it as UTF-8"
        ) from None


def _odd_sign(text: str) -> int:
    found = yaml.reader.Reader.NON_PRINTABLE.search(text)
    return found.start() if found else 0


class _Loader(yaml.SafeLoader):
    """YAML without repeated keys, bounded in depth and in what its aliases unfold to."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._level = 0
        self._sizes: dict[int, int] = {}  # with aliases unfolded, by the identity of a node

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """One node with all that it holds."""
        line = self.line + 1
        self._level += 1
        if self._level > MOST_LEVELS:
            raise SpecError(f"the spec nests more than {MOST_LEVELS} levels deep at line {line}")
        is_alias = self.check_event(yaml.AliasEvent)
        node = super().compose_node(parent, index)
        self._level -= 1
        if is_alias and id(node) not in self._sizes:
            raise SpecError(f"an alias at line {line} of the spec stands for what it is in")
        if node is not None and not is_alias:
            self._sizes[id(node)] = self._size(node)
        return node

    def _size(self, node: yaml.Node) -> int:
        if isinstance(node, yaml.ScalarNode):
            return 1
        held = node.value
        if isinstance(node, yaml.MappingNode):
            held = [part for pair in node.value for part in pair]
        size = 1 + sum(self._sizes[id(part)] for part in held)
        if size > _MOST_NODES:
            line = node.start_mark.line + 1
            raise SpecError(f"the spec at line {line} holds more than {_MOST_NODES:,} values")
        return size

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """The value of a node; of one without quotes that still knows its text, if that is odd."""
        try:
            value = super().construct_object(node, deep)
            bare = isinstance(node, yaml.ScalarNode) and node.style is None
            return unquoted(value, node.value) if bare else value
        except (SpecError, yaml.YAMLError):
            raise
        except Exception:  # as many kinds as there are tags
            kind = _KINDS.get(node.tag.rpartition(":")[2], "a value of its tag")
            what = f"what stands at line {node.start_mark.line + 1} of the spec reads like {kind}"
            raise SpecError(f"{what} and is none: put it into quotes") from None


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    line = node.start_mark.line + 1
    if not all(isinstance(key, yaml.ScalarNode) for key, _ in node.value):
        what = f"the mapping at line {line} has a list or a mapping for a key"
        raise SpecError(f"{what}: a key must be a text; put it into quotes")
    named = [key for key, _ in node.value if not key.tag.endswith(":merge")]
    keys = Counter(loader.construct_object(key, deep=True) for key in named)
    twice = [str(key) for key, times in keys.items() if times > 1]
    if twice:
        raise SpecError(f"the mapping at line {line} names {', '.join(map(repr, twice))} twice")
    loader.flatten_mapping(node)
    return dict(loader.construct_pairs(node, deep=True))


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


# Fields whose text is SQL, and what a variable's value may hold there: within a text in quotes, and
# outside of one. A value that could end the quotes, or add to the SQL, is refused.
_SQL = ("query", "sql")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_QUOTED, _BARE = re.compile(r"[^'\"\\;\x00-\x1f]*"), re.compile(r"(?!.*--)[\w.:+-]*")
# Where quotes begin and end: none does in a comment or in a quoted name. Where a text holds an
# escaped quote, quotes of dollars or a comment in a comment, no variable counts as quoted.
_LEXEMES = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", re.DOTALL)
_UNSURE = re.compile(r"\\'|\$\w*\$|/\*(?:(?!\*/).)*/\*", re.DOTALL)


def expanded(value: Any, written: dict[str, str], level: int = 0, field: str = "") -> Any:
    """A declaration with its environment variables, ``${NAME}``, in every text.

    Args:
        value: what is declared.
        written: takes the original of each text that is changed, by the text that it becomes.
        level: how deep the value lies.
        field: the name of the field that it is of.

    Raises:
        SpecError: if a variable is not set, or cannot stand within SQL; or the declaration nests
            too deep, or holds what is no text.
    """
    if level > MOST_LEVELS:
        raise SpecError(f"the spec nests more than {MOST_LEVELS} levels deep")
    if isinstance(value, str):
        _refuse_odd(value)
        missing = [name for name in _VARIABLE.findall(value) if name not in os.environ]
        if missing:
            raise SpecError(f"the spec uses ${{{missing[0]}}}, which is not set in the environment")
        if field in _SQL:
            _refuse_breaking(value)
            _keep_from_errors(value)
        text = _VARIABLE.sub(lambda found: os.environ[found[1]], value)
        if text != value:
            written[statement_of(text)] = statement_of(value)
            if field not in _SQL:
                say_whole_as_written(text, value)
        return ReadAs(text, value.settings) if isinstance(value, ReadAs) else text
    if isinstance(value, dict):
        for name in value:
            _refuse_odd(name)
        return {
            name: expanded(inner, written, level + 1, str(name)) for name, inner in value.items()
        }
    if isinstance(value, list):
        return [expanded(inner, written, level + 1, field) for inner in value]
    return value


def statement_of(text: str) -> str:
    """A text as it stands in SQL, if it is a query."""
    return text.strip().rstrip(";")


def _refuse_breaking(text: str) -> None:
    """A variable within SQL stands for a value or a name, and for nothing that changes the rest.

    One that is all of the SQL is the statement itself.
    """
    if _VARIABLE.fullmatch(text.strip()):
        return
    lexemes = () if _UNSURE.search(text) else _LEXEMES.finditer(text)
    within = [match.span() for match in lexemes if match[0].startswith("'")]
    for found in _VARIABLE.finditer(text):
        value = os.environ[found[1]]
        quoted = any(start < found.start() and found.end() < end for start, end in within)
        around = text[: found.start()][-1:] + value + text[found.end() :][:1]
        if quoted and _QUOTED.fullmatch(value):
            continue
        if not _BARE.fullmatch(value) or "--" in around:
            takes = (
                "no quotes, backslash, semicolon or line break"
                if quoted
                else "letters, digits and _ . : + -; in quotes, '${...}', it may hold more"
            )
            raise SpecError(
                f"the value of ${{{found[1]}}} cannot stand in SQL, which it could change: there "
                f"it may hold {takes}"
            )


def _keep_from_errors(text: str) -> None:
    """Make errors show the names of variables: the database may quote their values from a query.

    A variable that is all of the SQL is made of words that stand in other messages as well.
    """
    if not _VARIABLE.fullmatch(text.strip()):
        for name in _VARIABLE.findall(text):
            say_as_written(os.environ[name], f"${{{name}}}")


def _refuse_odd(text: Any) -> None:
    """No database takes them as text."""
    if re.search("[\0\ud800-\udfff]", str(text)):
        raise SpecError("a text of the spec holds a NUL or a half of a character: remove it")
