"""The draft of a plan: what is known of it so far, and the stages that lay it out."""

from sqlanon.draft.draft import (
    CODED,
    Draft,
    Stages,
    Told,
    asked_of_classes,
    filled,
    looked,
    stages_of,
    viewed,
    with_shares,
)

__all__ = [
    "CODED",
    "Draft",
    "Stages",
    "Told",
    "asked_of_classes",
    "filled",
    "looked",
    "stages_of",
    "viewed",
    "with_shares",
]
