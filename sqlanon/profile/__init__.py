"""What is known of a table before anything is declared, by counts."""

from sqlanon.profile.codes import MissingCode
from sqlanon.profile.profile import ColumnProfile, Combination, Counts, Profile, Role
from sqlanon.profile.roles import least_class, shape_of
from sqlanon.profile.table import profile_table

__all__ = [
    "ColumnProfile",
    "Combination",
    "Counts",
    "MissingCode",
    "Profile",
    "Role",
    "least_class",
    "profile_table",
    "shape_of",
]
