"""The messages of PostgreSQL's errors that may be shown: never with a value of the data.

A function of the user's can raise any text under any SQLSTATE, so neither is trusted: a primary
message must have one of these forms as a whole, and a name in it must be the statement's.
"""

from __future__ import annotations

from sqlanon.engines.messages import CAUSES, Safe

_NAME = r'"?(?P<name>[^"\s]+)"?'
_KINDS = r"(?P<what>table|view|relation|schema|sequence|column|type|role|database|constraint)"

SAFE = (
    # objects that are there, or not
    Safe(("42", "3F"), rf"{_KINDS} {_NAME} does not exist"),
    Safe(("42P07", "42P06"), rf"{_KINDS} {_NAME} already exists"),
    Safe(("42",), r"missing FROM-clause entry for table \"(?P<name>[^\"]+)\""),
    Safe(("42",), r"column reference \"(?P<name>[^\"]+)\" is ambiguous"),
    Safe(
        ("42883",),
        r"function (?P<name>[\w.]+)\(.*\) does not exist",
        "there is no function {name} of such arguments",
    ),
    Safe(("42883",), r"operator does not exist: .*", "an operator has no such operands: cast them"),
    Safe(
        ("42704",),
        r'collation "(?P<name>[^"]+)" for encoding "UTF8" does not exist',
        "there is no collation {name}",
    ),
    Safe(
        ("42803",),
        r'column "(?P<name>[^"]+)" must appear in the GROUP BY clause or be used in an '
        r"aggregate function",
    ),
    Safe(("42601",), r'syntax error at or near "(?P<name>[^"]+)"'),
    Safe(("42601",), r"syntax error at end of input"),
    Safe(("42601",), r"subquery in FROM must have an alias"),
    Safe(("42601",), r"cannot insert multiple commands into a prepared statement"),
    Safe(
        ("42809",),
        r'"(?P<name>[^"\s]+)" is not a (?P<what>table|view|sequence|materialized view)',
    ),
    # rights
    Safe(("42501",), rf"permission denied for {_KINDS} {_NAME}"),
    Safe(("42501",), rf"permission denied to create temporary tables in database {_NAME}"),
    Safe(("42501",), rf"must be owner of {_KINDS} {_NAME}"),
    Safe(("42501",), r"permission denied: \"(?P<name>[^\"]+)\" is a system catalog"),
    Safe(("42501",), r'query would be affected by row-level security policy for table .*',
         "row-level security hides records of a table from this role: run as a role that sees all "
         "of them, or copy what it may see into a table and name that"),
    Safe(("28", "3D"), r'role "(?P<name>[^"]+)" is not permitted to log in'),
    # what depends on what
    Safe(("2B", "2BP01"), rf"cannot drop {_KINDS} {_NAME} because other objects depend on it"),
    Safe(("0A000",), r"cannot (?:alter|change) .* used by a view or rule",
         "a column that a view uses cannot be changed"),
    Safe(("42P16",), r"cannot (?:drop columns from|change (?:name|data type) of) view.*",
         "a view cannot be replaced by one of other columns"),
    # transactions, other sessions, the server
    Safe(("25006",), r"cannot execute (?P<what>[A-Z ]+) in a read-only transaction"),
    Safe(("25", "40", "55", "57"),
         r"current transaction is aborted, commands ignored until end of transaction block|"
         r"could not serialize access due to (?:concurrent (?:update|delete)|read/write "
         r"dependencies among transactions)|deadlock detected|"
         r"canceling statement due to (?:lock|statement|idle-in-transaction) timeout|"
         r"canceling statement due to user request|"
         r"terminating connection due to (?:administrator command|idle-in-transaction timeout)|"
         r"the database system is (?:shutting down|starting up|in recovery mode)"),
    Safe(("55P03",), rf"could not obtain lock on relation {_NAME}"),
    # room
    Safe(("53",), r"out of memory|out of shared memory|sorry, too many clients already"),
    Safe(("53", "58"), rf".*: (?P<why>{CAUSES})", "the server's disk or memory: {why}"),
    Safe(("54",), r"target lists can have at most \d{1,5} entries|"
         r"tables can have at most \d{1,5} columns|stack depth limit exceeded"),
    Safe(("53400", "54"), r'temporary file size exceeds "?temp_file_limit"? \((?P<room>\d+kB)\)',
         "a step needs more room than the {room} of temporary files that the server allows a "
         "session: raise work_mem (PGOPTIONS='-c work_mem=256MB', in Python settings), have an "
         "administrator raise temp_file_limit, or search in this process (search: local)"),
    # values, in words that name none
    Safe(("22012",), r"division by zero"),
    Safe(("22003",), r"(?:smallint|integer|bigint|real|double precision|numeric) out of range|"
         r"value out of range: (?:over|under)flow|numeric field overflow"),
    Safe(("22P02",), r"invalid input syntax for type (?P<what>json|xml)"),
    Safe(("23505",), r'duplicate key value violates unique constraint "(?P<name>[^"]+)"'),
)  # fmt: skip
