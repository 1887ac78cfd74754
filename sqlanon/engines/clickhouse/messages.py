"""The texts of ClickHouse's errors that may be shown: never with a value of the data."""

from __future__ import annotations

from sqlanon.engines.messages import Safe

# By the error's number; a group that begins with `name` is shown where the statement holds it.
SAFE = (
    Safe(
        ("60 ",),
        r"(Unknown table expression identifier|Table) '?`?(?P<name>[^'` ]*)[`']?.*",
        "there is no table {name}",
    ),
    Safe(
        ("47 ",),
        r"(Unknown expression( or function)? identifier|Missing columns:) "
        r"[`'](?P<name>[^`']*)[`'].*",
        "there is no column {name}",
    ),
    Safe(("81 ",), r"Database `?(?P<name>\S+?)`? does not exist.*", "there is no database {name}"),
    Safe(
        ("497 ",),
        r".*: Not enough privileges\. To execute this query, it's necessary to have (the )?grant "
        r"(?P<right>[A-Z ]+)(\(.*\))? ON (?P<name>\w+)\.(?P<name_of_table>\w+|\*).*",
        "the user lacks the right {right} on {name}.{name_of_table}",
    ),
    Safe(("497 ",), r".*: Not enough privileges\..*", "the user lacks a right that this needs"),
    Safe(("57 ",), r".*", "the name is taken"),
    Safe(("153 ",), r".*", "division by zero"),
    Safe(("159 ",), r".*", "the statement reached a limit of time"),
    Safe(("241 ",), r".*", "the statement reached a limit of memory"),
    Safe(("243 ", "1001 "), r".*[Nn]o.? (enough )?space.*", "there is no room on the disk"),
    Safe(("372 ", "373 "), r".*", "the session has ended, or is in use"),
    Safe(("394 ",), r".*", "the statement was canceled"),
    Safe(("lost",), r".*", "the connection is lost"),
)
