"""The draft of a plan: what is known of it so far, and the stages that lay it out."""

from sqlanon.draft.draft import CODED, Draft, Stage, Stages, stages_of, viewed, with_linkage
from sqlanon.draft.looking import looked, with_shares

__all__ = [
    "CODED",
    "Draft",
    "Stage",
    "Stages",
    "looked",
    "stages_of",
    "viewed",
    "with_linkage",
    "with_shares",
]
