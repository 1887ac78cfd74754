"""From a spec to a published release: the whole plan, the gate, and what a run leaves behind."""

from sqlanon.release.check import check
from sqlanon.release.dry_run import dry_run
from sqlanon.release.estimate import most_rows
from sqlanon.release.measurements import Measurements
from sqlanon.release.outlook import Outlook, outlook
from sqlanon.release.predict import predict
from sqlanon.release.prepare import Prepared, prepare
from sqlanon.release.run import Release, publish
from sqlanon.release.script import release_script
from sqlanon.release.shares import insensitive_shares
from sqlanon.release.sweep import Sweep, sweep
from sqlanon.release.trials import Trial

__all__ = [
    "Measurements",
    "Outlook",
    "Prepared",
    "Release",
    "Sweep",
    "Trial",
    "check",
    "dry_run",
    "insensitive_shares",
    "most_rows",
    "outlook",
    "predict",
    "prepare",
    "publish",
    "release_script",
    "sweep",
]
