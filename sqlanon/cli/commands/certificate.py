"""A certificate of a release, and whether a table is what it certifies."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from sqlanon.cli import options
from sqlanon.cli.output import as_typed, echo_object
from sqlanon.common.files import write
from sqlanon.uses.certificates.certificate import CERTIFICATE_ENDINGS, read_certificate
from sqlanon.uses.certificates.export import check_target
from sqlanon.uses.certificates.verify import Verified, is_exported


@click.command()
@click.argument("release")
@options.opens_database(progress=False)
@options.writes("The file to write; by default RELEASE.certificate.json.")
@options.OVERWRITE
def certificate(
    release: str, opening: options.Opening, output: Path | None, overwrite: bool
) -> None:
    """Certify RELEASE, a name as in its spec, by a file to hand out with it.

    The certificate holds hashes of the records, the spec and the source's columns, and the value
    that each model asked for and reached. It holds no record and no class.
    """
    file = output or Path(f"{release}.certificate.json")
    check_target(file, CERTIFICATE_ENDINGS, overwrite)
    if file.exists():
        read_certificate(file)  # nothing else is replaced
    with opening.open(options.holding(release, opening.database)) as db:
        write({file: db.certificate(release).text}, overwrite, handed_out=True)
    verifying = as_typed("sqlanon", "verify", str(file))
    click.echo(f"Wrote {file}. To check a table by it: {verifying} --release TABLE")


@click.command()
@click.argument("certificate", type=click.Path(path_type=Path))
@click.option(
    "--release",
    metavar="TABLE",
    required=True,
    help="The table to check: a file of sqlanon export, or a table with --database.",
)
@options.opens_database(progress=False)
@options.AS_JSON
@options.reading("release")
def verify(certificate: Path, release: str, opening: options.Opening, as_json: bool) -> None:
    """Check a table by its CERTIFICATE; exit code 1 if the table or a measure differs.

    The command computes each measure again, as far as the table allows. Files need no database. A
    text file that another program has saved is read by --read: delimiter, quote, escape, skip,
    nullstr and encoding.
    """
    known = read_certificate(certificate)
    where = None if is_exported(release) else options.holding(release, opening.database)
    with opening.open(options.existing(where)) as db:
        found = db.verify(known, release)
    if as_json:
        measures = [measure.model_dump(mode="json") for measure in found.confirmed]
        echo_object(asdict(found) | {"passed": found.passed, "confirmed": measures})
    else:
        _tell(found, release)
    if not found.passed:
        sys.exit(1)


def _tell(found: Verified, table: str) -> None:
    for fault in found.faults:
        click.echo(f"not as certified: {fault}")
    if not found.passed:
        return
    click.echo(f"{table} is what was certified, and has what was reached:")
    if found.escaped:
        click.echo("  its text is escaped for spreadsheets: a quote stands before formulas")
    for measure in found.confirmed:
        about = f" of {measure.attribute}" if measure.attribute else ""
        asked = "" if measure.asked is None else f", asked for {measure.asked}"
        click.echo(f"  {measure.measure}{about}: {measure.reached:g}{asked}")
    for name, why in found.unknown.items():
        click.echo(f"  {name}: not known from the table alone: {why}")
