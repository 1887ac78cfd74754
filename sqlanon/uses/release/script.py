"""A release's run as text: one SQL script that needs no sqlanon."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from secrets import token_hex

from sqlanon._version import __version__
from sqlanon.clauses.clause import Use
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.plan import FOUND, Check, Step, StepRecord, inlined
from sqlanon.planning.prepare import Prepared, settled
from sqlanon.record import ownership
from sqlanon.record.content import content_steps
from sqlanon.record.dictionary import class_facts
from sqlanon.scripts.syntax import Marks
from sqlanon.scripts.writer import script, script_naming
from sqlanon.session import Session, statement
from sqlanon.source.source import aliases, short_names
from sqlanon.spec.clauses import left_open
from sqlanon.spec.refusals import refuse
from sqlanon.sql.names import Relation
from sqlanon.sql.products import DIALECTS
from sqlanon.sql.written import Naming
from sqlanon.uses.release.record import Facts, recording
from sqlanon.uses.sweeps.choose import tried_plans, with_chosen_k

_NAMES = (
    "-- The query or path below names environment variables as the spec does, ${NAME}, and holds\n"
    "-- none of their values: put them in where it runs, as by envsubst.\n"
)


def release_script(prepared: Prepared, engine: Engine, dialect: str | None = None) -> str:
    """The whole run as one SQL script, in the engine's own dialect by default.

    A method that searches is carried out for it, and undone, and so is a choice of k: the script
    holds what was found, and makes the same release of the same data.

    Raises:
        SpecError: if the dialect is not known, or its databases cannot read the source.
    """
    dialect = dialect or engine.dialect
    if dialect not in DIALECTS:
        raise SpecError(f"there is no dialect {dialect!r}; {nearest(dialect, DIALECTS)}")
    foreign = engine.foreign_kind(prepared.release)
    if foreign is not None:
        what = f"a script publishes in DuckDB's own databases, and not in one of the kind {foreign}"
        raise SpecError(Problem("release", f"{what}: name a release there, or use sqlanon run"))
    uses = [Use.SCRIPT]
    if dialect != "duckdb":
        uses.append(Use.SERVER_SCRIPT)
    if dialect != engine.dialect:
        uses.append(Use.OTHER_SCRIPT)
    refuse(prepared.spec, *uses)
    if prepared.spec.source.is_workbook:
        what = "a script cannot read a workbook: save the sheet as a CSV file"
        raise SpecError(Problem("source.file", what))
    if engine.is_copy(prepared.source_info.source):
        what = "a script cannot read a file whose header line breaks within a name: write the name "
        raise SpecError(Problem("source.file", f"{what}on one line"))
    prepared = replace(prepared, plan=prepared.plan.foreseen())
    declared, naming = prepared.spec, script_naming(dialect, engine)
    session = Session(engine, written=dialect, naming=naming)
    with session.transaction(keep=False) if _asks(prepared) else nullcontext():
        prepared, choice = _chosen(prepared, session)
        prepared, open_facts = settled(prepared, Session(engine))
        prepared = prepared.held(engine)
        searches = _searches(prepared)
        if searches:
            session.run(prepared.plan)
    steps = [step for step in prepared.plan if isinstance(step, Step | Check)]
    number = token_hex(16)  # readers see it: a hash of the script would confirm what they guess
    known = [*ownership.facts(number, prepared.written)]
    known += [*choice, *open_facts, ("engine", f"a script in {dialect}")]
    if prepared.is_recoded:
        levels, columns = prepared.publication.levels, prepared.source_info.columns
        known += class_facts(levels, prepared.spec, columns, engine, fixed=True)
    contents = content_steps(prepared.publication, run=False)
    record = recording(prepared, engine, known, contents, declared)
    last = (*contents.values(), record)
    if prepared.is_recoded:
        done = inlined([*steps, *last], dialect, naming)
    else:
        done = [*session.done] if searches else [statement(step, dialect, naming) for step in steps]
        done += [statement(step, dialect, naming) for step in last]
    done = [*_same_types(prepared, engine, dialect), *done]
    text = script_of(prepared, done, dialect, number, naming)
    return (
        prepared.spec.as_written(text).replace("\n", f"\n{_NAMES}", 1)
        if prepared.spec.hides
        else text
    )


def _same_types(prepared: Prepared, engine: Engine, dialect: str) -> list[Check]:
    """That the source has the types that the script was written for, where DuckDB can say so.

    A script carries on by itself: bands of whole numbers would be wrong ones of fractions. The
    types of a text file stand in the script already, and a query may be long.
    """
    info, spec = prepared.source_info, prepared.spec
    of_duckdb = dialect == engine.dialect == "duckdb"
    if not of_duckdb or spec.source.is_text or spec.source.query is not None:
        return []
    columns = [
        {"name": name, "type": info.columns[name].type.partition("ENUM(")[0]}
        for name in aliases(spec)
    ]
    return [
        Check(
            "the columns have the types that they had",
            "source/check_types",
            {"source": info.source},
            {"columns": columns},
            "source",
            f"{FOUND.columns}: of another type than when this script was written, which would "
            "recode the values otherwise: write it again by sqlanon compile",
        )
    ]


def _searches(prepared: Prepared) -> bool:
    """Whether a plan's statements are known only when it has been carried out."""
    return not all(isinstance(step, Step | Check) for step in prepared.plan)


def _asks(prepared: Prepared) -> bool:
    """Whether its data must be asked what the plan is, or what its statements are."""
    spec = prepared.spec
    return spec.choose is not None or bool(left_open(spec)) or _searches(prepared)


def _chosen(prepared: Prepared, session: Session) -> tuple[Prepared, Facts]:
    """The plan with the k that is chosen, and what is to be recorded of the choice.

    Trials are of use to the session if it writes in the engine's own dialect. Else another session
    runs them: to write a search in the other dialect takes longer, and only the script needs that.
    """
    tried = tried_plans(prepared)
    if session.written == session.engine.dialect:
        return with_chosen_k(prepared, tried, session)
    trying = Session(session.engine)
    found = with_chosen_k(prepared, tried, trying)
    trying.drop_work()
    return found


def script_of(
    prepared: Prepared,
    done: Sequence[StepRecord | Check],
    dialect: str,
    number: str,
    naming: Naming,
    remarks: Sequence[str] = (),
) -> str:
    """The statements that ran, or are to run, as a script of the release.

    Args:
        prepared: the plan.
        done: its statements, in order.
        dialect: what they are written in.
        number: the mark of the release.
        naming: by what name each relation is called.
        remarks: what its head says besides.
    """
    lines = [f"sqlanon {__version__}: makes {prepared.release}", *remarks]
    holds = prepared.forming.holds
    lines += [f"holds {holds}"] if holds else []
    lines += short_names(prepared.spec)
    run = naming(prepared.release.sibling("run"))
    readers = tuple(naming(relation.relation) for relation in prepared.publication.for_readers)
    others = (
        relation
        for relation in ownership.reserved(prepared.release)
        if relation not in prepared.written
    )
    retired = tuple(map(naming, others))
    marks = Marks(
        prefix=ownership.mark(""),
        number=number,
        run=run,
        item=ownership.ID,
        readers=readers,
        retired=retired,
    )
    table = prepared.spec.source.table
    reads = [] if table is None else [Relation.parse(table)]
    return script(done, "\n".join(lines), dialect, marks, naming, reads)
