"""How large the equivalence classes are."""

from sqlanon.pages.figures import RECORDS, Figure

_SIZES, _KIRAN = "measure/sizes", "Kiran and Kavya (2012), §5.2"

SIZES = (
    RECORDS,
    Figure(
        name="classes",
        measured=_SIZES,
        direction=None,
        range="[0, n]",
        value="the number of classes",
        says="a reader sees this many classes of records that look alike",
    ),
    Figure(
        name="average_class_size",
        measured=_SIZES,
        range="[1, n]",
        value="n / number of classes",
        paper=_KIRAN,
        says="this many records look alike on average: the more, the coarser the data",
    ),
    Figure(
        name="largest_class",
        measured=_SIZES,
        direction=None,
        range="[1, n]",
        value="max N",
        says="the largest class has this many records",
    ),
    Figure(
        name="c_avg",
        measured=_SIZES,
        range="[0, n]",
        value="n / number of classes / k",
        paper=_KIRAN,
        says="classes are this many times as large on average as `k` asks for",
    ),
    Figure(
        name="discernibility",
        measured=_SIZES,
        range="[0, n^2]",
        value="Σ N² over the classes, and n for each record that was left out",
        paper=_KIRAN,
        says="this many pairs of records look alike, each counted both ways, and a record with "
        "itself as one; one that was left out looks like all",
    ),
)

# How large they are as they were formed, which only a run can tell.
_FORMED, _AMIRI = "measure/formed_sizes", "Amiri et al. (2023), §5.3.2"

FORMED = (
    Figure(
        name="formed_classes",
        measured=_FORMED,
        direction=None,
        range="[0, n]",
        value="the number of classes that the method formed; several may publish the same cells",
        paper=_AMIRI,
        says="the method formed this many classes; a reader takes those with the same cells for "
        "one",
        needs="classes",
    ),
    Figure(
        name="least_formed_class",
        measured=_FORMED,
        direction=None,
        range="[1, n]",
        value="min N of these",
        paper=_AMIRI,
        says="the smallest class that the method formed has this many records",
        needs="classes",
    ),
    Figure(
        name="mean_formed_class",
        measured=_FORMED,
        range="[1, n]",
        value="n / the number of these",
        paper=_AMIRI,
        says="the classes that the method formed have this many records on average",
        needs="classes",
    ),
)
