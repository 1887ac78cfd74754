"""Making a release: the run, what it records of itself, and the same as one SQL script."""

from sqlanon.release.run import Release, publish
from sqlanon.release.script import release_script

__all__ = ["Release", "publish", "release_script"]
