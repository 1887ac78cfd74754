"""The commands: one file each."""

from sqlanon.cli.commands.attack import attack
from sqlanon.cli.commands.certificate import certificate, verify
from sqlanon.cli.commands.check import check
from sqlanon.cli.commands.compare import compare
from sqlanon.cli.commands.compile import compile_
from sqlanon.cli.commands.dbt import dbt_commands
from sqlanon.cli.commands.demo import demo
from sqlanon.cli.commands.export import export
from sqlanon.cli.commands.hierarchy import hierarchy
from sqlanon.cli.commands.init import init
from sqlanon.cli.commands.macros import macros
from sqlanon.cli.commands.nodes import nodes
from sqlanon.cli.commands.plan import plan
from sqlanon.cli.commands.profile import profile
from sqlanon.cli.commands.report import report
from sqlanon.cli.commands.risk import risk
from sqlanon.cli.commands.run import run
from sqlanon.cli.commands.schema import schema
from sqlanon.cli.commands.sweep import sweep
from sqlanon.cli.commands.utility import utility
from sqlanon.cli.commands.why import why

# The one list of commands.
COMMANDS = (
    demo,
    profile,
    risk,
    init,
    hierarchy,
    run,
    export,
    certificate,
    verify,
    why,
    report,
    plan,
    compile_,
    check,
    compare,
    attack,
    utility,
    sweep,
    nodes,
    macros,
    dbt_commands,
    schema,
)

__all__ = ["COMMANDS"]
