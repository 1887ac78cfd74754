"""Odd files as people report them of other tools: each is read bit by bit, or refused.

What is right is asked of Python's csv module: the same records in the same order, and of each field
the text of the file or, if its column has a type, the one value that has this text. What may be
read in more than one way is refused, in a sentence that shows no cell.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sqlanon.engines import Engine, open_engine
from sqlanon.errors import SpecError
from sqlanon.source.source import inspect_source
from sqlanon.spec import parse_source

pytestmark = pytest.mark.slow

NUMBERS = ("BIGINT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True)
class Odd:
    """A file.

    Attributes:
        says: what is odd about it.
        content: its bytes, or its text in UTF-8.
        types: of its columns that are not text, as DuckDB calls them.
        settings: what is declared of it.
        name: how it is called.
        skip: how many lines stand before its header line.
    """

    says: str
    content: bytes | str
    types: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    name: str = "odd.csv"
    skip: int = 0

    def __str__(self) -> str:
        return self.says

    @property
    def bytes(self) -> bytes:
        """The content of the file."""
        return self.content if isinstance(self.content, bytes) else self.content.encode()


INT = {"n": "BIGINT"}
BANKS = "n;amount\n1;1.200,50\n2;900,00\n3;12,25\n"
READ = [
    Odd("blanks around names", "n, b ,c\n1,x,y\n2,y,x\n", INT),
    Odd("leading zeros", "n,zip\n1,02134\n2,10001\n", INT),
    Odd("a leading zero beyond the first records", "zip\n" + "10001\n" * 3000 + "02134\n"),
    Odd("decimals beyond the first records", "n\n" + "1\n" * 3000 + "1.5\n", {"n": "DOUBLE"}),
    Odd("text beyond the first records", "n\n" + "1\n" * 3000 + "x\n"),
    Odd("values beyond the first records", "a,b\n" + "x,\n" * 3000 + "y,01\n"),
    Odd("numbers and 1.10 beside 1.1", "v\n1.10\n1.1\n2.25\n"),
    Odd("one scale with zeros at the end", "v\n1.10\n1.25\n200.00\n", {"v": "DECIMAL(18,2)"}),
    Odd("decimals as pandas writes them", "v\n67.0\n70.25\n-0.5\n", {"v": "DOUBLE"}),
    Odd("decimals as R writes them", "v\n67\n70.25\n-0.5\n", {"v": "DOUBLE"}),
    Odd("67 beside 67.0", "v\n67\n67.0\n70.5\n"),
    Odd("exponents", "ward\n1E5\n10E4\n2E3\n"),
    Odd("an exponent that a sample id has", "id\n1e2\n100\n3e1\n"),
    Odd("hexadecimal numbers", "v\n0x1F\n31\n0b1\n"),
    Odd("underscores", "v\n1_000\n1000\n"),
    Odd("signs", "v\n+1\n1\n-1\n"),
    Odd("negative zero", "v\n-0\n0\n1\n"),
    Odd("negative zero with a point", "v\n-0.0\n0.0\n1.5\n"),
    Odd("a point without digits before it", "v\n.5\n0.5\n"),
    Odd("a point without digits after it", "v\n1.\n1\n"),
    Odd("blanks around numbers", "v,w\n 1,a\n1 ,b\n1,c\n"),
    Odd("NaN and infinity", "v\n1.5\nNaN\ninf\n-inf\n"),
    Odd("more digits than a double has", "v\n0.1234567890123456789\n0.12345678901234568\n"),
    Odd("whole numbers too long for 64 bits", "id\n18446744073709551616\n18446744073709551617\n"),
    Odd("whole numbers of 19 digits", "id\n9223372036854775807\n9223372036854775806\n",
        {"id": "BIGINT"}),
    Odd("the least whole number of 64 bits", "id\n-9223372036854775808\n9223372036854775807\n",
        {"id": "BIGINT"}),
    Odd("thousands in quotes", 'v\n"1,200"\n"1,300"\n950\n'),
    Odd("money", "v\n$12.50\n$7.25\n"),
    Odd("percent", "v\n12%\n7%\n"),
    Odd("dates with points", "d\n19.08.22\n07.01.24\n"),
    Odd("versions that look like dates", "lesion\n10.1.3\n9.8.7\n1.2.3\n"),
    Odd("dates with slashes", "d\n03/04/2021\n05/06/2021\n"),
    Odd("ISO dates", "d\n2024-02-29\n1899-12-31\n", {"d": "DATE"}),
    Odd("a date that is none", "d\n2023-02-29\n2023-03-01\n"),
    Odd("dates without zeros", "d\n2024-1-5\n2024-01-05\n"),
    Odd("dates without signs", "d\n20240105\n20240106\n", {"d": "BIGINT"}),
    Odd("infinite dates", "d\ninfinity\n2024-01-05\n"),
    Odd("years before Christ and beyond four digits", "d\n0044-03-15 (BC)\n12024-01-05\n"),
    Odd("times", "t\n08:30\n24:00\n12:00:00\n"),
    Odd("times of one form", "t\n08:30:00\n12:00:00\n"),
    Odd("timestamps", "t\n2024-01-05 08:30:00\n2024-01-05 08:30:00.5\n", {"t": "TIMESTAMP"}),
    Odd("timestamps with T and zones", "t\n2024-01-05T08:30:00Z\n2024-01-05T09:30:00+01:00\n"),
    Odd("timestamps of nanoseconds", "t\n2024-01-05 08:30:00.123456789\n"
        "2024-01-05 08:30:00.123456788\n"),
    Odd("true and false", "b\ntrue\nfalse\n", {"b": "BOOLEAN"}),
    Odd("truth in many words", "b\ntrue\nT\nyes\n1\n"),
    Odd("Norway", "country,n\nNO,1\nNA,2\nSE,3\n", INT),
    Odd("genes that spreadsheets make dates of", "gene\nSEPT2\nMARCH1\n1-Dec\n"),
    Odd("a line end within quotes", 'n,t\n1,"two\nlines"\n2,one\n', INT),
    Odd("quotes within quotes", 'n,t\n1,"say ""no"""\n2,""""\n', INT),
    Odd("a quote in the midst of a field", 'n,t\n1,6"x4"\n2,5"\n', INT),
    Odd("an apostrophe at the start", "n,t\n1,'t Hooft\n2,'tis, too\n".replace(", too", ""), INT),
    Odd("a delimiter within quotes", 'n,t\n1,"a,b;c|d"\n2,e\n', INT),
    Odd("a name with a line end", '"n","two\nlines"\n1,x\n2,y\n', INT),
    Odd("a name with a line end that no line has", 'n,"two\nlines"\r\n1,x\r\n2,y\r\n', INT),
    Odd("a name with a carriage return", 'n,"two\rlines"\n1,x\n2,"y\rz"\n', INT),
    Odd("a name with a line end in gzip", gzip.compress(b'n,"two\nlines"\r\n1,x\r\n2,y\r\n'), INT,
        name="odd.csv.gz"),
    Odd("a last field that is empty", 'n,t\n1,\n2,""\n3,x\n', INT),
    Odd("a last name that is empty", "n,t,\n1,x,\n2,y,\n", INT),
    Odd("lines that end in CR LF", "n,t\r\n1,x\r\n2,y\r\n", INT),
    Odd("lines that end in CR", "n,t\r1,x\r2,y\r", INT),
    Odd("no end of the last line", "n,t\n1,x\n2,y", INT),
    Odd("a byte order mark", b"\xef\xbb\xbfn,t\n1,x\n2,y\n", INT),
    Odd("empty lines at the beginning", "\n\nn,t\n1,x\n2,y\n", INT),
    Odd("empty lines between", "n,t\n1,x\n\n2,y\n\n", INT),
    Odd("empty and blank fields", 'n,t\n1,\n2," "\n3,""\n', INT),
    Odd("a column that is empty", "n,t\n1,\n2,\n", INT),
    Odd("one column", "town\nLinz\nGraz\n"),
    Odd("semicolons and decimal commas", "n;v\n1;1,5\n2;2,25\n", INT),
    Odd("decimal commas that are declared", "n;v\n1;1,5\n2;2,25\n",
        INT | {"v": "DOUBLE"}, {"decimal": ","}),
    Odd("a bank's numbers that are declared", BANKS,
        INT | {"amount": "DECIMAL(18,2)"}, {"decimal": ",", "thousands": "."}),
    Odd("tabs", "n\tt\n1\tx y\n2\ty,z\n", INT, name="odd.tsv"),
    Odd("bars", "n|t\n1|x,y\n2|y;z\n", INT),
    Odd("dates that are declared", "d,n\n19.08.22,1\n07.01.24,2\n",
        INT | {"d": "DATE"}, {"dates": "%d.%m.%y"}),
    Odd("a column without a name, as pandas writes it", ",t\n0,x\n1,y\n", {"column0": "BIGINT"}),
    Odd("text that spreadsheets run", "n,t\n1,=1+1\n2,@x\n3,-y\n", INT),
    Odd("signs of other scripts", "n,t\n1,Zoë\n2,Zoe\u0308\n3,\U0001f469\u200d\U0001f680\n", INT),
    Odd("UTF-16 that is declared", "n,t\n1,ü\n2,\U0001f680\n".encode("utf-16"), INT,
        {"encoding": "utf-16"}),
    Odd("big-endian UTF-16 that is declared", "\ufeffn,t\n1,ü\n2,y\n".encode("utf-16-be"), INT,
        {"encoding": "utf-16-be"}),
    Odd("Windows-1252 that is declared", "n,t\n1,€ „x“\n2,ü\n".encode("cp1252"), INT,
        {"encoding": "windows-1252"}),
    Odd("Latin-1 that is declared", "n,t\n1,ü\n2,ß\n".encode("latin-1"), INT,
        {"encoding": "latin-1"}),
    Odd("gzip", gzip.compress(b"n,t\n1,x\n2,y\n"), INT, name="odd.csv.gz"),
    Odd("lines before the header line that are declared", "made on 2024-01-05\nn,t\n1,x\n2,y\n",
        INT, {"skip": 1}, skip=1),
    Odd("quotes that are declared", "n,t\n1,'a,b'\n2,'it''s'\n", INT, {"quote": "'"}),
    Odd("codes of NULL that are declared", "n,t\n1,NA\n-9,x\n2,y\n", INT,
        {"nullstr": ["NA", "-9"]}),
    Odd("numbers that are declared text", "n,zip\n1,10001\n2,10002\n", INT,
        {"columns": {"zip": "text"}}),
    Odd("a long field", "n,t\n1," + "x" * 1_000_000 + "\n2,y\n", INT),
    Odd("a percent sign, a brace and a dollar in a name", 'n,"a %s {b} $1"\n1,x\n2,y\n', INT),
]  # fmt: skip
REFUSED = [
    (Odd("two headers", "a,b,c\n1,2,3\na,b\n1,2\n"), "line 3 of the file has 2 fields"),
    (Odd("a field too many", "a,b\n1,2\n1,2,3\n"), "line 3 of the file has 3 fields"),
    (Odd("an empty field too many", "a,b\n1,2\n1,2,\n"), "line 3 of the file has 3 fields, the"),
    (Odd("two empty fields too many", "a,b\n1,2\n1,2,,\n"), "line 3 of the file has 4 fields, the"),
    (Odd("an empty field too many in quotes", 'a,b\n1,"2\n",""\n'), "line 2 of the file has 3 fi"),
    (Odd("an empty field too many in every line", "a\tb\n1\t2\t\n3\t4\t\n", name="odd.tsv"),
     "line 2 of the file has 3 fields"),
    (Odd("an empty field too many far down", "a,b\n" + "1,\n" * 30_000 + "1,2,\n"), "line 30002"),
    (Odd("a field too few far down", "a,b\n" + "1,2\n" * 30_000 + "1\n"), "line 30002 of the file"),
    (Odd("lines before the header line", "made today\nn,t\n1,x\n"), "passed over by skip"),
    (Odd("comments", "n,t\n# no record\n1,x\n"), "line 2 of the file has 1 field, the first 2: "),
    (Odd("a total at the end", "n,t\n1,x\n2,y\nsum\n"), "line 4 of the file has 1 field"),
    (Odd("a quote that is not closed", 'n,t\n1,"x\n2,y\n'), "a quote is not closed"),
    (Odd("a field that goes on after its quotes", 'n,t\n1,"x"y\n2,y\n'), "a quote is not closed"),
    (Odd("quotes escaped by backslashes", 'n,t\n1,"x\\"y"\n2,y\n'), "a quote is not closed"),
    (Odd("lines that end in two ways", "n,t\r\n1,x\n2,y\r\n"), "do not all end alike"),
    (Odd("two delimiters that both fit", "a;b,c\n1;2,3\n4;5,6\n"), "say which as delimiter"),
    (Odd("UTF-16", "n,t\n1,x\n".encode("utf-16")), "if it is UTF-16, say encoding: utf-16"),
    (Odd("UTF-16 without a mark", "n,t\n1,x\n".encode("utf-16-le")), "say encoding: utf-16"),
    (Odd("big-endian UTF-16", "n,t\n1,x\n".encode("utf-16-be")), "say encoding: utf-16-be"),
    (Odd("UTF-32", "n,t\n1,x\n".encode("utf-32")), "say encoding: utf-32"),
    (Odd("UTF-16 that is said to be Latin-1", "n,t\n1,x\n".encode("utf-16"),
         settings={"encoding": "latin-1"}), "say encoding: utf-16"),
    (Odd("Windows-1252", "n,t\n1,€\n".encode("cp1252")), "say encoding, such as windows-1252"),
    (Odd("Windows-1252 that is said to be Latin-1", "n,t\n1,€\n".encode("cp1252"),
         settings={"encoding": "latin-1"}), "try encoding: windows-1252"),
    (Odd("UTF-8 that is said to be Latin-1", "n,t\n1,ö\n2,ü\n",
         settings={"encoding": "latin-1"}), "are those of UTF-8, and latin-1 would make others"),
    (Odd("UTF-8 that is said to be Windows-1252", "n,t\n1,ö\n2,ü\n",
         settings={"encoding": "windows-1252"}), "leave it out"),
    (Odd("a type that is none", "v\n1\n", settings={"columns": {"v": "enum"}}),
     r"columns\.v: 'enum' is no type: give text, integer"),
    (Odd("a type with too many digits", "v\n1\n", settings={"columns": {"v": "decimal(39, 3)"}}),
     "is no type"),
    (Odd("NUL in a value", "n,t\n1,x\0y\n"), "NUL"),
    (Odd("NUL far down", "n,t\n" + "1,x\n" * 5000 + "2,x\0y\n"), "line 5002 of the file"),
    (Odd("NUL in a name", "n,t\0u\n1,x\n"), "NUL"),
    (Odd("a zip archive", b"PK\x03\x04" + bytes(60)), "a zip archive"),
    (Odd("gzip by another name", gzip.compress(b"n,t\n1,x\n")), "ending .gz"),
    (Odd("a PDF", b"%PDF-1.4\n%\xe2\xe3\n1 0 obj\n"), "a PDF"),
    (Odd("Parquet by another name", b"PAR1" + bytes(60)), "ending .parquet"),
    (Odd("a workbook", b"\xd0\xcf\x11\xe0" + bytes(60)), "Microsoft Office"),
    (Odd("a mark and nothing else", b"\xef\xbb\xbf"), "no header line"),
    (Odd("blank lines and nothing else", "\n\n\n"), "no header line"),
    (Odd("names and no record", "n,t\n"), "no records after its first line"),
    (Odd("decimals that are said to be whole", "pay\n1200.60\n1300\n",
         settings={"columns": {"pay": "integer"}}), r"columns\.pay: line 2 of the file"),
    (Odd("leading zeros that are said to be whole", "code\n12\n0012\n",
         settings={"columns": {"code": "integer"}}), "line 3 of the file"),
    (Odd("exponents that are said to be whole", "v\n1\n1e3\n",
         settings={"columns": {"v": "integer"}}), "line 3 of the file"),
    (Odd("whole numbers too long", "v\n1\n18446744073709551616\n",
         settings={"columns": {"v": "integer"}}), "line 3 of the file"),
    (Odd("times that are said to be dates", "visit\n2024-03-05\n2024-03-05 14:30:00\n",
         settings={"columns": {"visit": "date"}}), "line 3 of the file"),
    (Odd("dates of another form than is said", "d\n2024-03-05\n05.03.2024\n",
         settings={"columns": {"d": "date"}}), "line 3 of the file"),
    (Odd("nanoseconds that are said to be timestamps", "t\n2024-03-05 14:30:00.123456789\n",
         settings={"columns": {"t": "timestamp"}}), "line 2 of the file"),
    (Odd("zones that are said to be timestamps", "t\n2024-03-05 14:30:00+02:00\n",
         settings={"columns": {"t": "timestamp"}}), "line 2 of the file"),
    (Odd("too many digits for a decimal", "v\n1.25\n1.255\n",
         settings={"columns": {"v": "decimal(9, 2)"}}), "line 3 of the file"),
    (Odd("too many digits for a double", "v\n0.12345678901234567891\n",
         settings={"columns": {"v": "number"}}), "line 2 of the file"),
    (Odd("too many digits for a float", "v\n16777217\n",
         settings={"columns": {"v": "float"}}), "line 2 of the file"),
    (Odd("NaN that is said to be a number", "v\n1.5\nNaN\n",
         settings={"columns": {"v": "number"}}), "line 3 of the file"),
    (Odd("text after a line end in quotes", 'a,v\n"two\nlines",1\nx,y\n',
         settings={"columns": {"v": "integer"}}), "line 4 of the file"),
    (Odd("a misplaced sign of thousands", "a;v\nx;1.2\n",
         settings={"columns": {"v": "integer"}, "thousands": ".", "decimal": ","}), "line 2 of"),
    (Odd("a form of dates without a form", "d\n1\n", settings={"dates": "dd"}), "no form of a"),
    (Odd("one sign for two things", "d\n1\n", settings={"thousands": "."}), "different signs"),
    (Odd("a column that is not there", "d\n1\n", settings={"columns": {"e": "text"}}), "no such"),
]  # fmt: skip


@pytest.fixture(scope="module")
def here() -> Iterator[Engine]:
    engine = open_engine()
    yield engine
    engine.close()


def written(odd: Odd, folder: Path) -> str:
    file = folder / odd.name
    file.write_bytes(odd.bytes)
    return str(file)


def read(odd: Odd, engine: Engine, folder: Path) -> tuple[dict[str, str], list[tuple[Any, ...]]]:
    """The types of the columns that are not text, and the records."""
    source = parse_source({"file": written(odd, folder), **odd.settings})
    item, columns = inspect_source(source, engine)
    kinds = {column.name: column.type for column in columns if column.kind != "text"}
    rows = engine.driver.execute(f"select * from {item}").rows
    return kinds, [tuple(row) for row in rows]


def expected(odd: Odd) -> list[list[str]]:
    """The fields of the records, by Python's csv module."""
    content = gzip.decompress(odd.bytes) if odd.name.endswith(".gz") else odd.bytes
    coded = {"windows-1252": "cp1252"}.get(odd.settings.get("encoding", ""), "")
    text = content.decode(coded or odd.settings.get("encoding", "utf-8-sig")).lstrip("\ufeff")
    first = next(line for line in text.splitlines()[odd.skip :] if line.strip())
    sign = max(",;\t|", key=first.count)
    csv.field_size_limit(10_000_000)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=sign, quotechar=odd.settings.get("quote", '"')
    )
    _, *records = [fields for fields in list(reader)[odd.skip :] if fields]
    return records


def is_same(text: str, value: Any, settings: Mapping[str, Any]) -> bool:
    """Whether a value is that of a field, and has no other text."""
    if text == "" or text in settings.get("nullstr", ()):
        return value is None
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, int | float | Decimal):
        plain = text.replace(settings.get("thousands", "\0"), "")
        plain = plain.replace(settings.get("decimal", "."), ".")
        if isinstance(value, float):
            return repr(value).removesuffix(".0") == plain.removesuffix(".0")
        return str(value) == plain
    if isinstance(value, datetime):
        return str(value).rstrip("0") == text.rstrip("0")
    if isinstance(value, date):
        return value.strftime(settings.get("dates", "%Y-%m-%d")) == text
    return bool(value == text)


def check_same(odd: Odd, rows: list[tuple[Any, ...]]) -> None:
    records = expected(odd)
    assert len(rows) == len(records)
    for fields, row in zip(records, rows, strict=True):
        assert len(fields) == len(row)
        for text, value in zip(fields, row, strict=True):
            assert is_same(text, value, odd.settings), (text[:100], value)
    for texts, values in zip(zip(*records, strict=True), zip(*rows, strict=True), strict=True):
        known = {text for text, value in zip(texts, values, strict=True) if value is not None}
        assert len(known) == len(set(values) - {None})


@pytest.mark.parametrize("odd", READ, ids=str)
def test_an_odd_file_is_read_bit_by_bit(odd: Odd, here: Engine, tmp_path: Path) -> None:
    types, rows = read(odd, here, tmp_path)
    assert types == dict(odd.types)
    check_same(odd, rows)


@pytest.mark.parametrize(("odd", "message"), REFUSED, ids=str)
def test_an_odd_file_is_refused(odd: Odd, message: str, here: Engine, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        read(odd, here, tmp_path)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("engine", ["postgres", "spark"])
def test_an_odd_file_means_the_same_elsewhere(
    engine: str, urls: Mapping[str, str], tmp_path: Path
) -> None:
    there = open_engine("spark" if engine == "spark" else urls[engine])
    try:
        for odd in READ[::6]:
            check_same(odd, read(odd, there, tmp_path)[1])
        for odd, message in REFUSED[::8]:
            with pytest.raises(SpecError, match=message):
                read(odd, there, tmp_path)
    finally:
        there.close()
