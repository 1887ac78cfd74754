"""The command line: its commands, and how every error ends."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import click

from sqlanon import _start, _version
from sqlanon._version import __version__
from sqlanon.cli.commands import COMMANDS, NAMED
from sqlanon.cli.output import echo_object, error_object
from sqlanon.common import interrupts
from sqlanon.common.registry import open_all
from sqlanon.common.visible import guard_output
from sqlanon.errors import EngineError, InterruptedRunError, SpecError, SqlanonError

DEBUG = "SQLANON_DEBUG"
READER_GONE = 141  # as a shell tells of a process that SIGPIPE ended


class _ReaderGoneError(Exception):
    """Nobody reads the output any more."""


def _refuse_repeated(command: click.Command, arguments: list[str]) -> None:
    """Refuse an option that takes one value and is given several: click takes the last alone.

    Raises:
        UsageError: if there is one.
    """
    context = click.Context(command, resilient_parsing=True)
    try:
        *_, order = command.make_parser(context).parse_args(list(arguments))
    except click.UsageError:  # which the command itself says
        return
    once = [
        parameter
        for parameter in order
        if isinstance(parameter, click.Option) and not (parameter.multiple or parameter.is_flag)
    ]
    for option in once:
        if once.count(option) > 1:
            called = max(option.opts, key=len)
            raise click.UsageError(f"{called} is given {once.count(option)} times: give it once")


class _Commands(click.Group):
    """The commands, each imported when it is called, so that the list of them is there at once.

    A closed pipe is no failure, which click's own exit code 1 would say.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the work."""
        return list(NAMED)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None where there is none."""
        return NAMED[cmd_name].load() if cmd_name in NAMED else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands, of which none is imported."""
        with formatter.section("Commands"):
            formatter.write_dl([(command.name, command.says) for command in COMMANDS])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for, unless what it takes once is given twice."""
        name, command, rest = super().resolve_command(ctx, args)
        open_all()
        _start.imported()
        interrupts.listen()  # only now: an import that a signal breaks off may end in any way
        if command is not None:
            _refuse_repeated(command, rest)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ReaderGoneError from None


@click.group(
    cls=_Commands,
    context_settings={
        "color": True,  # or click takes some signs out before they are shown
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
    },
)
@click.version_option(__version__, prog_name="sqlanon")
def cli() -> None:
    """Publish a table so that no person in it can be picked out, and prove it, in the database.

    Start with `sqlanon demo`; then `sqlanon init TABLE` writes a spec for your own table, and
    `sqlanon run SPEC` makes the release.

    Exit codes: 0 done, 1 a privacy model is not satisfied, 2 the spec or the arguments are wrong,
    3 the database or the disk failed, 130 interrupted.
    """


def main() -> NoReturn:
    """Run a command; every error is shown in words, with its exit code."""
    hook, sys.unraisablehook = sys.unraisablehook, _unraisable
    _open_output()
    if isinstance(sys.stdout, TextIOWrapper):  # an old terminal's encoding may lack some of them
        sys.stdout.reconfigure(errors="replace")
    guard_output()
    try:
        cli.main(prog_name="sqlanon", standalone_mode=False)
        sys.stdout.flush()
    except SqlanonError as error:
        _fail(error, error.exit_code)
    except click.ClickException as error:
        error = hinted(error, sys.argv)
        if "--json" in sys.argv:
            _fail(SpecError(error.format_message()), error.exit_code)
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _fail(InterruptedRunError("interrupted"), InterruptedRunError.exit_code)
    except (_ReaderGoneError, BrokenPipeError):
        _silence()
        sys.exit(READER_GONE)
    except OSError as error:
        if error.filename is None:  # the output itself
            _silence()
        what = "the output" if error.filename is None else repr(str(error.filename))
        _fail(EngineError(f"{what}: {error.strerror}"), EngineError.exit_code)
    except Exception as error:
        if interrupts.swallowed():
            _fail(InterruptedRunError("interrupted"), InterruptedRunError.exit_code)
        _fail(unexpected(error), EngineError.exit_code)
    finally:
        interrupts.ignore()
        sys.unraisablehook = hook
    sys.exit(0)


def _open_output() -> None:
    """Send nowhere what has no place: a shell may close both, and Python then has None."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def _unraisable(event: Any) -> None:
    """A signal where Python can raise nothing is answered by the next statement: no traceback."""
    if event.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(event)


def _silence() -> None:
    """Send the rest of the output nowhere: it would fail again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(error: SqlanonError, code: int) -> NoReturn:
    interrupts.ignore()
    if "--json" in sys.argv:
        echo_object(error_object(error))
    else:
        said = "\n".join([f"sqlanon: {error}", *getattr(error, "__notes__", ())])
        click.echo(said, err=True, color=True)
    sys.exit(code)


def hinted(error: click.ClickException, arguments: Sequence[str]) -> click.ClickException:
    """A refusal of arguments, with what to do where a list was split at its spaces."""
    split = [argument for argument in arguments if argument.endswith(",") and len(argument) > 1]
    if isinstance(error, click.UsageError) and "extra argument" in error.message and split:
        mend = "write a list without spaces, or put it into quotes: 'age, sex'"
        return click.UsageError(f"{error.message.rstrip('.')}: {mend}", error.ctx)
    return error


def unexpected(error: Exception) -> EngineError:
    """A bug of ours: what kind it is and where, and nothing that its message may quote.

    Raises:
        Exception: the error itself, where a traceback is asked for.
    """
    if os.environ.get(DEBUG):
        raise error
    package = Path(_version.__file__).parent
    ours = [
        f"{Path(frame.filename).relative_to(package.parent).as_posix()}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(package)
    ]
    at = f" in {ours[-1]}" if ours else ""
    return EngineError(
        f"an unexpected error, {type(error).__name__}{at}: a bug of sqlanon "
        f"{_version.__version__}; its message is withheld because it may quote the data: set "
        f"{DEBUG}=1 to see it"
    )
