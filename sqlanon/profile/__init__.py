"""The profile of a table before anything is declared, by counts."""

from sqlanon.profile.asked import Answers, Ask, Questions
from sqlanon.profile.codes import MissingCode
from sqlanon.profile.first_spec import FirstSpec, draft_spec
from sqlanon.profile.grouped import grouped
from sqlanon.profile.hierarchies import GROUPS, Suggested, coded_hierarchy, suggest_hierarchy
from sqlanon.profile.names import meaning_of
from sqlanon.profile.profile import ColumnProfile, Combination, Counts, Profile, Role
from sqlanon.profile.risk import Risks, Sample, risk_of
from sqlanon.profile.risk_figures import RISKS_OF_TABLES
from sqlanon.profile.roles import FEW, least_class
from sqlanon.profile.table import profile_table

__all__ = [
    "FEW",
    "GROUPS",
    "RISKS_OF_TABLES",
    "Answers",
    "Ask",
    "ColumnProfile",
    "Combination",
    "Counts",
    "FirstSpec",
    "MissingCode",
    "Profile",
    "Questions",
    "Risks",
    "Role",
    "Sample",
    "Suggested",
    "coded_hierarchy",
    "draft_spec",
    "grouped",
    "least_class",
    "meaning_of",
    "profile_table",
    "risk_of",
    "suggest_hierarchy",
]
