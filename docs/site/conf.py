"""The documents as a site: `python -m sphinx -W -c docs/site . build/site`.

The sources are the Markdown files as they stand, whose links work between files as well. Nothing of
the site is loaded from elsewhere.
"""

import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))
from diagrams import with_pictures

project = "sqlanon"
html_title = "sqlanon"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/README.md",
    "dbt/README.md",
    "docs/**.md",
    "examples/health_insurance/PROVENANCE.md",
]
exclude_patterns = [".*", "build"]
myst_heading_anchors = 4
smartquotes = False
html_theme = "furo"
html_copy_source = False
html_show_copyright = False
html_extra_path = ["index.html"]


def setup(app: Sphinx) -> None:
    """Show diagrams as pictures: what draws them would be loaded from elsewhere."""
    app.connect("source-read", _draw)


def _draw(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = with_pictures(source[0], (Path(app.srcdir) / name).parent)
