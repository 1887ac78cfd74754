"""The histograms of a release's report as figures of matplotlib's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlanon.charts import blank_figure, mpl_context
from sqlanon.kept.recorded import Recorded
from sqlanon.pages import Histogram
from sqlanon.reports.charts import bounds_section, classes_section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BAR, _BOUND = "#0072B2", "#B84A00"  # as on a page


def figures(recorded: Recorded) -> dict[str, Figure]:
    """How large the classes are, and what each reaches of every model that was asked for.

    Returns:
        A figure for each, by its title.

    Raises:
        SpecError: if matplotlib is missing, or the classes are gone.
        EngineError: if the database fails.
    """
    blank_figure()  # so that it is known first whether there is matplotlib
    charts = (*classes_section(recorded).charts, *bounds_section(recorded).charts)
    return {one.title: _figure(one) for one in charts}


def _figure(shown: Histogram) -> Figure:
    drawn, whole = blank_figure(), 1 if shown.whole else 0
    with mpl_context():
        axes = drawn.add_subplot()
        axes.bar(
            [one.starts for one in shown.bins],
            [one.count for one in shown.bins],
            [max(one.ends + whole - one.starts, 1e-9) for one in shown.bins],
            align="edge",
            color=_BAR,
            edgecolor="white",
            linewidth=0.5,
        )
        if shown.bound is not None:
            axes.axvline(shown.bound, color=_BOUND, linestyle="--", label=f"asked: {shown.bound:g}")
            axes.legend(frameon=False)
        axes.set(title=shown.title, xlabel=shown.x, ylabel=shown.y)
    return drawn
