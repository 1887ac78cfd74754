"""A certificate is the same for the same run, and of one table and what it reached alone."""

from __future__ import annotations

import csv
import gzip
import hashlib
import hmac
import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from servers import ENGINES, SPARK_LATER, Place, place
from support import DEALT, Connection, Row, database, examples, make_table

import sqlanon
from sqlanon.engines import DuckDBEngine, Engine, open_engine
from sqlanon.record.content import content_of
from sqlanon.record.recorded import recorded
from sqlanon.session import Session
from sqlanon.source.source_info import digest
from sqlanon.sql.names import Relation
from sqlanon.uses.certificates.certificate import Certificate, read_certificate
from sqlanon.uses.certificates.certify import certify
from sqlanon.uses.certificates.verify import Verified, verify

HEAD = b"age,dose,price,disease\n"
TEXTS = ["", None, "~n", "~", "|", "~p", "a|b", 'q"u', "a\nb", "Zürich", "日本", " x "]
COLUMNS = {"age": "integer", "dose": "double", "price": "decimal(9,2)", "disease": "varchar"}
ROLES: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": {"disease": {"t": 0.5, "l": 2}},
    "insensitive": {name: {"accept": "a test"} for name in ("dose", "price")},
    "privacy": {"k": 3},
    "seed": 1,
    **DEALT,
}
APART = {"publish": {"name": "anatomy", "group": 4}, "privacy": {"k": 1}}
TREE = {"hierarchy": {"tree": {"*": ["a", "b", "c"]}}}


def rows() -> list[Row]:
    return [
        (i % 5, [0.5, 1e-7, None][i % 3], Decimal(f"{i}.50"), "abacab"[i * i % 6])
        for i in range(24)
    ]


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        make_table(made, "people", COLUMNS, rows())
        yield made


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Certificate]:
    """A database with a release in it, and its certificate."""
    file = tmp_path_factory.mktemp("kept") / "public.duckdb"
    with database(file) as made:
        make_table(made, "people", COLUMNS, rows())
        return file, run(made)


@pytest.fixture
def known(kept: tuple[Path, Certificate]) -> Certificate:
    return kept[1]


@pytest.fixture
def released(kept: tuple[Path, Certificate], tmp_path: Path) -> Iterator[Connection]:
    """A copy of that database."""
    copied = Path(shutil.copy(kept[0], tmp_path / "public.duckdb"))
    with database(copied) as made:
        yield made


def run(connection: Any, **declared: Any) -> Certificate:
    with sqlanon.anonymize("people", connection=connection, **{**ROLES, **declared}) as release:
        return certify(recorded(release.relation, release.engine))


def held(known: Certificate, connection: Any, table: str = "public") -> Verified:
    engine: Engine = open_engine(connection=connection)
    try:
        return verify(known, table, engine)
    finally:
        engine.close()


def changed(known: Certificate, **fields: Any) -> Certificate:
    """A certificate that somebody wrote anew, with a digest that is right."""
    other = known.model_copy(update=fields)
    return other.model_copy(update={"digest": other.own_digest})


# --- the hash of the records ---------------------------------------------------------------------


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def row_hashes(table: Sequence[Sequence[str | None]]) -> list[str]:
    def cell(text: str | None) -> str:
        return "~n" if text is None else text.replace("~", "~~").replace("|", "~p")

    return [hashed("|".join(map(cell, row))) for row in table]


def by_python(table: Sequence[Sequence[str | None]]) -> str:
    counted = Counter(row_hashes(table))
    parts: dict[str, list[str]] = {}
    for row in sorted(counted):
        parts.setdefault(row[:3], []).append(f"{row}:{counted[row]}")
    return hashed(",".join(part + hashed(",".join(parts[part])) for part in sorted(parts)))


def test_the_hash_is_pythons_on_every_engine(there: Place) -> None:
    table = [(TEXTS[i % 12], TEXTS[i * 7 % 11], i % 3) for i in range(40)]
    there.make_table("t", {"a": "varchar", "b": "varchar", "c": "integer"}, table)
    engine = open_engine(connection=there.connection)
    found = content_of(Relation("t"), ["a", "b", "c"], engine)
    engine.close()
    assert found == (40, by_python([(a, b, str(c)) for a, b, c in table]))


def test_the_sums_of_a_run_are_pythons_on_every_engine(there: Place) -> None:
    table = [(TEXTS[i % 12], TEXTS[i * 7 % 11]) for i in range(40)]
    there.make_table("t", {"a": "varchar", "b": "varchar"}, table)
    engine = open_engine(connection=there.connection)
    declared = {"columns": ["a", "b"]}
    found = Session(engine).fetch("certificate/sums", {"released": Relation("t")}, declared, 1)
    engine.close()
    hashes = row_hashes(table)
    firsts, seconds = (sum(int(text[i : i + 15], 16) for text in hashes) for i in (0, 15))
    assert found.rows == [(40, f"{firsts}-{seconds}")]


def test_numbers_and_times_are_hashed_alike_on_every_engine(there: Place) -> None:
    kinds = {"a": "double", "b": "decimal(9,2)", "c": "date", "d": "timestamp", "e": "boolean"}
    table: list[Row] = [
        (0.1, Decimal("1.50"), date(2020, 2, 29), datetime(2021, 1, 1, 0, 0, 1), True),
        (3e9, Decimal("7.00"), date(1999, 12, 31), datetime(2021, 1, 1, 12, 30), False),
        (None,) * 5,
    ]
    there.make_table("t", kinds, table)
    engine = open_engine(connection=there.connection)
    found = content_of(Relation("t"), list(kinds), engine)
    engine.close()
    texts = [
        ("0.1", "1.50", "2020-02-29", "2021-01-01 00:00:01", "true"),
        ("3000000000.0", "7.00", "1999-12-31", "2021-01-01 12:30:00", "false"),
        (None,) * 5,
    ]
    assert found == (3, by_python(texts))


@examples(8, 200)
@given(
    st.lists(st.tuples(*[st.none() | st.text("~|np:", max_size=4)] * 2), max_size=6),
    st.lists(st.tuples(*[st.none() | st.text("~|np:", max_size=4)] * 2), max_size=6),
)
def test_two_tables_have_one_hash_only_if_their_rows_are_the_same(
    one: list[tuple[str | None, str | None]], other: list[tuple[str | None, str | None]]
) -> None:
    tables = {"t0": one, "t1": other, "t2": random.Random(1).sample(one, len(one))}
    with database() as made:
        for name, table in tables.items():  # before the engine sets its path
            make_table(made, name, {"a": "varchar", "b": "varchar"}, table)
        engine = DuckDBEngine(connection=made)
        found = [content_of(Relation(name), ["a", "b"], engine) for name in tables]
    assert found[0] == found[2] == (len(one), by_python(one))
    assert (found[0] == found[1]) == (Counter(one) == Counter(other))


# --- what is certified ---------------------------------------------------------------------------


def test_a_certificate_is_the_same_text_for_the_same_run(connection: Connection) -> None:
    with sqlanon.anonymize("people", connection=connection, **ROLES) as release:
        texts = [certify(recorded("public", release.engine)).text for _ in range(2)]
    assert texts[0] == texts[1]
    known = json.loads(texts[0])
    (started,) = connection.execute(
        "select value from public__run where item = 'started'"
    ).fetchall()[0]
    assert known["run"]["started"] == started
    assert known["relations"][0]["records"] == 24
    assert known["digest"] == digest({k: v for k, v in known.items() if k != "digest"})


@pytest.mark.slow
def test_two_runs_differ_by_the_run_and_its_salt_alone(connection: Connection) -> None:
    found = [json.loads(run(connection).text) for _ in range(2)]
    for one in found:
        del one["run"], one["digest"]
    assert found[0].pop("spec") != found[1].pop("spec")
    assert found[0].pop("source_schema") != found[1].pop("source_schema")
    assert found[0] == found[1]


def recorded_by(connection: Connection) -> dict[str, str]:
    """What the run keeps, which readers are not given."""
    return dict(connection.execute("select item, value from public__run").fetchall())


def hmac_of(value: Any, salt: str) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hmac.digest(salt.encode(), text.encode(), "sha256").hex()


def test_no_guess_of_the_spec_or_the_source_can_be_tried_out(connection: Connection) -> None:
    """Who knows both but not the salt cannot tell; the publisher can prove them by it."""
    known = run(connection, seed=123_456_789)
    facts = recorded_by(connection)
    assert "123456789" not in known.text
    assert facts["salt"] not in known.text
    spec = {name: load for name, load in json.loads(facts["spec"]).items() if name != "seed"}
    assert known.spec == hmac_of(spec, facts["salt"])
    assert known.source_schema == hmac_of(facts["source_schema"], facts["salt"])
    schema = [
        [name, kind]
        for name, kind in connection.execute(
            "select column_name, column_type from (describe people)"
        ).fetchall()
    ]
    assert facts["source_schema"] == digest(schema)
    for guess in (digest(spec), digest(schema), facts["source_schema"]):
        assert guess not in known.text


def test_a_release_that_kept_no_salt_certifies_neither(connection: Connection) -> None:
    run(connection)
    connection.execute("delete from public__run where item = 'salt'")
    engine = DuckDBEngine(connection=connection)
    known = certify(recorded("public", engine))
    assert (known.spec, known.source_schema) == (None, None)
    assert verify(known, "public", engine).passed
    engine.close()


# --- what is verified ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("there", SPARK_LATER, indirect=True)
def test_a_release_is_verified_where_it_is_and_as_files(there: Place, tmp_path: Path) -> None:
    there.make_table("people", COLUMNS, rows())
    with sqlanon.anonymize("people", connection=there.connection, **ROLES) as release:
        known = certify(recorded("public", release.engine))
        assert verify(known, "public", release.engine).passed
        if not release.engine.writes_files:
            return
        files = [release.export(tmp_path / f"x.{ending}")[0] for ending in ("csv", "parquet")]
    for file in files:
        found = held(known, None, str(file))
        assert found.faults == ()
        assert len(found.confirmed) == len(known.measures)
        assert {"k_anonymity", "t_closeness"} < {measure.measure for measure in found.confirmed}


@pytest.mark.slow
def test_rows_in_another_order_are_the_same_release(
    known: Certificate,
    released: Connection,
) -> None:
    released.execute("create table turned as from public order by disease desc, age, dose")
    released.execute("create table moved as select disease, price, age, dose from public")
    assert held(known, released, "turned").passed
    assert held(known, released, "moved").passed


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("update t set age = '[0, 5]' where price = 3.5", "at least one cell was changed"),
        ("update t set disease = 'b' where price = 3.5", "at least one cell was changed"),
        ("update t set disease = null where price = 3.5", "at least one cell was changed"),
        ("update t set price = 99.99 where price = 3.5", "at least one cell was changed"),
        ("update t set dose = 0.0 where dose is null", "at least one cell was changed"),
        ("delete from t where price = 3.5", "there are 23 records, and 24 are certified"),
        ("insert into t from t where price = 3.5", "there are 25 records, and 24 are certified"),
        ("alter table t add id integer", "1 more columns than were certified"),
        ("alter table t drop dose", "the column 'dose' is certified, and missing"),
        ("alter table t rename dose to dosis", "the column 'dose' is certified, and missing"),
    ],
)
@pytest.mark.parametrize("ending", [None, "csv", pytest.param("parquet", marks=pytest.mark.slow)])
def test_any_change_of_the_table_fails(
    known: Certificate,
    released: Connection,
    change: str,
    says: str,
    ending: str | None,
    tmp_path: Path,
) -> None:
    released.execute(f"create table t as from public; {change}")
    if ending is None:
        found = held(known, released, "t")
    else:
        released.execute(f"copy t to '{tmp_path}/t.{ending}'")
        found = held(known, None, f"{tmp_path}/t.{ending}")
    assert not found.passed
    assert says in found.faults[0]


@pytest.mark.parametrize("field", list(Certificate.model_fields))
def test_any_change_of_the_certificate_fails(
    known: Certificate, released: Connection, field: str
) -> None:
    """Also where it is a single digit; without the digest it is none."""
    fields = json.loads(known.text)
    values = {
        "certificate": "sqlanon 1",
        "counts": "persons",
        "publication": "permuted",
        "suppressed": 1,
        "relations": [fields["relations"][0] | {"records": 25}],
        "privacy": {"k": 2},
        "sensitive": {},
        "measures": fields["measures"][1:],
        "run": fields["run"] | {"started": "2020"},
    }
    other = Certificate.model_validate(fields | {field: values.get(field, "another")})
    if field != "certificate":  # there is one form
        assert other.text != known.text
        assert held(other, released).faults == (
            "the certificate was changed after it was made: its digest is not of what it says",
        )


def with_measure(known: Certificate, name: str, **fields: Any) -> Certificate:
    measures = tuple(
        measure.model_copy(update=fields) if measure.measure == name else measure
        for measure in known.measures
    )
    return changed(known, measures=measures)


@pytest.mark.parametrize(
    ("name", "fields", "says"),
    [
        ("k_anonymity", {"asked": "2"}, "2 is certified as asked for, and the thresholds say 3"),
        ("k_anonymity", {"reached": 9.0}, "k_anonymity: 9.0 is certified, and the table has "),
        ("t_closeness", {"reached": 0.001}, "t_closeness of disease: 0.001 is certified"),
        ("t_closeness", {"holds": None}, "whether it holds is not as certified"),
        ("distinct_l", {"asked": None, "holds": None}, "None is certified as asked for"),
        ("classes", {"reached": 1.0}, "classes: 1.0 is certified, and the table has "),
    ],
)
def test_a_measure_that_was_written_anew_fails(
    known: Certificate, released: Connection, name: str, fields: dict[str, Any], says: str
) -> None:
    found = held(with_measure(known, name, **fields), released)
    assert any(says in fault for fault in found.faults)


def test_thresholds_that_were_written_anew_fail(
    known: Certificate,
    released: Connection,
) -> None:
    stricter = {"disease": {**known.sensitive["disease"], "t": "0.0001"}}
    assert (
        "the thresholds say 0.0001" in held(changed(known, sensitive=stricter), released).faults[0]
    )
    tighter = with_measure(changed(known, sensitive=stricter), "t_closeness", asked="0.0001")
    found = held(tighter, released)
    assert "it does not hold; asked for 0.0001" in found.faults[0]
    fewer = changed(known, measures=known.measures[-2:])
    assert any("does not say what was reached" in fault for fault in held(fewer, released).faults)


# --- what the table alone tells ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["anatomy", pytest.param("permuted", marks=pytest.mark.slow)])
def test_groups_are_verified(connection: Connection, name: str, tmp_path: Path) -> None:
    declared = APART | {"publish": {"name": name, "group": 4}}
    with sqlanon.anonymize("people", connection=connection, **ROLES | declared) as release:
        known = certify(recorded("public", release.engine))
        file = release.export(tmp_path / "x.csv")[0]
    for found in (held(known, connection), held(known, None, str(file))):
        assert found.faults == ()
        assert {measure.measure for measure in found.confirmed} > {"distinct_l", "t_closeness"}
        assert set(found.unknown) == {"k_anonymity", "classes"}
    table = "public__sensitive" if name == "anatomy" else "public"
    connection.execute(f"update {table} set disease = 'a' where group_id = 1")
    assert not held(known, connection).passed


def test_groups_whose_values_are_counted_anew_fail(connection: Connection) -> None:
    known = run(connection, **APART)
    (apart,) = known.relations[1:]
    connection.execute("update public__sensitive set records = records + 1 where group_id = 1")
    assert "of sensitive are not those that were certified" in held(known, connection).faults[0]
    assert apart.beside == "sensitive"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("declared", "why", "unknown"),
    [
        (
            {
                "identifiers": {"dose": {"repeats": True}},
                "insensitive": [],
                "person": ["price"],
                "sensitive": ["disease"],
            },
            "persons were counted",
            {"k_anonymity", "distinct_l of disease", "t_closeness of disease"},
        ),
        (
            {"sensitive": {"disease": {"distance": "hierarchical", "t": 0.5, **TREE}}},
            "along a hierarchy",
            {"t_closeness of disease"},
        ),
        (
            {
                "method": "optimal",
                "quasi_identifiers": {"age": {"hierarchy": {"bands": [2]}}},
                "suppression": {"records": 0.5},
                "sensitive": {"disease": {"t": 0.9}},
                "privacy": {"k": 7},
                "insensitive": [],
            },
            "of which records were left out",
            {"t_closeness of disease"},
        ),
    ],
    ids=["persons", "hierarchical", "suppressed"],
)
def test_what_cannot_be_known_is_said(
    connection: Connection, declared: dict[str, Any], why: str, unknown: set[str]
) -> None:
    known = run(connection, **declared)
    if "suppression" in declared:
        assert known.suppressed
    found = held(known, connection)
    assert found.faults == ()
    assert unknown <= set(found.unknown)
    assert any(why in text for text in found.unknown.values())
    assert {measure.measure for measure in found.confirmed} >= {"records", "classes"}


@pytest.mark.slow
def test_every_model_is_verified(connection: Connection) -> None:
    sensitive = {
        "t": 0.9,
        "l": {"distinct": 2, "entropy": "3/2", "recursive": {"c": 9, "l": 2}},
        "alpha": 0.9,
        "beta": {"basic": 9, "enhanced": 9},
        "delta": {"log2": 9, "ln": 9},
        "distance": "ordered",
        "order": ["a", "b", "c"],
    }
    even = "substr('abc', cast(floor(price) as integer) % 3 + 1, 1)"
    connection.execute(f"update people set disease = {even}")
    known = run(connection, sensitive={"disease": sensitive})
    found = held(known, connection)
    assert (found.faults, dict(found.unknown)) == ((), {})
    assert sum(measure.asked is not None for measure in found.confirmed) == 10


# --- commands ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_commands(kept: tuple[Path, Certificate], tmp_path: Path) -> None:
    shutil.copy(kept[0], tmp_path)
    done = command(tmp_path, "certificate", "public")
    assert (done.returncode, done.stderr) == (0, "")
    again = command(tmp_path, "certificate", "public", "-o", "again.json")
    file = tmp_path / "public.certificate.json"
    assert again.returncode == 0
    assert file.read_bytes() == (tmp_path / "again.json").read_bytes()
    assert read_certificate(file).text == file.read_text(encoding="utf-8")
    done = command(tmp_path, "certificate", "public")
    assert done.returncode == 2
    assert "is there already" in done.stderr
    assert command(tmp_path, "certificate", "public", "--overwrite").returncode == 0
    for name, why in (("x.yaml", "must end in .json"), ("x.json", "is no certificate of the form")):
        (tmp_path / name).write_text("{}", encoding="utf-8")
        done = command(tmp_path, "certificate", "public", "-o", name, "--overwrite")
        assert (done.returncode, why in done.stderr) == (2, True), done.stderr
        assert (tmp_path / name).read_text(encoding="utf-8") == "{}"
    assert command(tmp_path, "export", "public", "-o", "public.csv").returncode == 0
    done = command(tmp_path, "verify", "again.json", "--release", "public.csv")
    assert done.returncode == 0
    assert "k_anonymity: 3, asked for 3" in done.stdout
    text = (tmp_path / "public.csv").read_text(encoding="utf-8")
    (tmp_path / "other.csv").write_text(text[:-2] + "x\n", encoding="utf-8")
    done = command(tmp_path, "verify", "again.json", "--release", "other.csv")
    assert done.returncode == 1
    assert "not as certified: the 24 records are not those" in done.stdout
    done = command(tmp_path, "verify", "again.json", "--release", "other.csv", "--json")
    assert json.loads(done.stdout)["passed"] is False
    done = command(tmp_path, "verify", "again.json", "--release", "public")
    assert done.returncode == 0


@pytest.mark.slow
def test_a_file_that_another_program_has_saved_is_verified_as_it_is_written(
    kept: tuple[Path, Certificate], tmp_path: Path
) -> None:
    shutil.copy(kept[0], tmp_path)
    assert command(tmp_path, "certificate", "public", "-o", "c.json").returncode == 0
    assert command(tmp_path, "export", "public", "-o", "public.csv").returncode == 0
    with (tmp_path / "public.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    for written, encoding in (("utf-8", "utf-8"), ("utf-16", "utf-16"), ("utf-8-sig", "utf-8")):
        with (tmp_path / "saved.csv").open("w", encoding=written, newline="") as file:
            file.write("saved again\n")
            csv.writer(file, delimiter=";", quotechar="'", lineterminator="\n").writerows(rows)
        settings = ("delimiter=;", "quote='", "skip=1", f"encoding={encoding}")
        read = [word for setting in settings for word in ("--read", setting)]
        done = command(tmp_path, "verify", "c.json", "--release", "saved.csv", *read)
        assert done.returncode == 0, done.stderr
    (tmp_path / "marked.csv").write_bytes(b"\xef\xbb\xbf" + (tmp_path / "public.csv").read_bytes())
    done = command(tmp_path, "verify", "c.json", "--release", "marked.csv")
    assert done.returncode == 0, done.stdout
    assert command(tmp_path, "verify", "c.json", "--release", "saved.csv").returncode != 0
    done = command(tmp_path, "verify", "c.json", "--release", "saved.csv", "--read", "decimal=,")
    assert (done.returncode, "release.decimal: its cells are held" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "it is no JSON"),
        ("[]", "the file is not as sqlanon certificate writes it"),
        ('{"certificate": "sqlanon 2"}', "certificate is not as sqlanon certificate writes it"),
        ("\x00\xff", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
    ],
)
def test_what_is_no_certificate_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "c.json").write_bytes(text.encode("latin-1"))
    done = command(tmp_path, "verify", "c.json", "--release", "x.csv")
    assert done.returncode == 2
    assert says in done.stderr


def test_a_certificate_or_a_table_that_is_not_there(tmp_path: Path, known: Certificate) -> None:
    done = command(tmp_path, "verify", "c.json", "--release", "x.csv")
    assert "the certificate 'c.json' cannot be read: No such file" in done.stderr
    (tmp_path / "c.json").write_text(known.text)
    for table, says in (("x.csv", "there is no file 'x.csv'"), ("x", "no database 'x.duckdb'")):
        done = command(tmp_path, "verify", "c.json", "--release", table)
        assert done.returncode == 2
        assert says in done.stderr


# --- files that are none -------------------------------------------------------------------------

NO_FILES: dict[str, tuple[bytes, str]] = {
    "packed.csv": (gzip.compress(b"age,disease\n"), "it is compressed by gzip: unpack it"),
    "packed.parquet": (b"PK\x03\x04", "it is compressed by zip: unpack it"),
    "wide.csv": (HEAD + b"1,2,3,4,5\n", "line 2: it has other fields than the first line"),
    "narrow.csv": (HEAD + b"0,,1,a\n1\n", "line 3: it has other fields than the first line"),
    "quote.csv": (HEAD + b'"0,,1,a\n', "line 2"),
    "after_quote.csv": (HEAD + b'0,,1,"a"b\n', "line 2"),
    "latin.csv": (HEAD + b"0,,1,\xe9\n", "not encoded in UTF-8"),
    "latin_head.csv": (b"\xe9" + HEAD, "it is not encoded in UTF-8"),
    "utf16.csv": (HEAD.decode().encode("utf-16"), "it is encoded in UTF-16"),
    "nul.csv": (b"a\0" + HEAD, "line 1 holds a NUL"),
    "parquet.csv": (b"PAR1....", "it is Parquet"),
    "long_head.csv": (b"x" * 300_000 + b"," + HEAD, "does not name its columns"),
    "long.csv": (HEAD + b"x" * 3_000_000 + b",,1,a\n", "line 2"),
    "cut.parquet": (b"PAR1" + b"x" * 40, "no Parquet file"),
    "text.parquet": (HEAD, "no Parquet file"),
    "none.parquet": (b"", "no Parquet file"),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NO_FILES)
def test_a_file_that_is_none_is_the_users_fault_and_no_bug(
    known: Certificate, tmp_path: Path, name: str
) -> None:
    content, says = NO_FILES[name]
    (tmp_path / "c.json").write_text(known.text)
    (tmp_path / name).write_bytes(content)
    done = command(tmp_path, "verify", "c.json", "--release", name)
    assert done.returncode == 2, done
    assert name in done.stderr
    assert says in done.stderr


@pytest.mark.slow
@examples(20, 200)
@given(st.binary(max_size=60), st.booleans(), st.sampled_from(["csv", "parquet"]))
def test_no_bytes_are_a_failure_of_the_database(
    kept: tuple[Path, Certificate], content: bytes, headed: bool, ending: str
) -> None:
    file = kept[0].with_name(f"drawn.{ending}")
    file.write_bytes(HEAD * headed + content)
    (kept[0].parent / "c.json").write_text(kept[1].text)
    done = command(kept[0].parent, "verify", "c.json", "--release", file.name)
    assert done.returncode in (1, 2), done
