"""The diagrams of the documents as pictures, for readers whose program does not draw Mermaid.

A forge draws a Mermaid block itself. The site loads nothing from elsewhere, so it shows a picture
of it that lies in docs/figures/diagrams/, under the hash of the block. To draw those that lack one,
with Node's package `mermaid` and Chromium:

    npm install --prefix build/mermaid mermaid@11
    python docs/site/diagrams.py build/mermaid/node_modules/mermaid/dist/mermaid.min.js
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parents[1]
PICTURES = DOCS / "figures" / "diagrams"
BLOCK = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Colors that are read on a light page, and those of a dark one in their place.
_COLORS = {
    "primaryColor": "#eaf3fa",
    "primaryBorderColor": "#0072b2",
    "primaryTextColor": "#1f2328",
    "lineColor": "#57606a",
    "clusterBkg": "#f6f8fa",
    "clusterBorder": "#8c959f",
    "edgeLabelBackground": "#ffffff",
    "actorBkg": "#eaf3fa",
    "actorBorder": "#0072b2",
    "fontFamily": "sans-serif",
}
_DARK = """
@media (prefers-color-scheme: dark) {
  svg text, svg tspan { fill: #c9d1d9 !important; }
  svg .node rect, svg .node polygon, svg .node path, svg rect.actor
    { fill: #12263a !important; stroke: #58a6ff !important; }
  svg .cluster rect { fill: #161b22 !important; stroke: #6e7681 !important; }
  svg .edgeLabel rect, svg .labelBkg { fill: #0d1117 !important; opacity: 1 !important; }
  svg .flowchart-link, svg .messageLine0, svg .actor-line, svg line
    { stroke: #8b949e !important; }
  svg marker path { fill: #8b949e !important; stroke: #8b949e !important; }
}
"""
_PAGE = """<!doctype html><meta charset="utf-8"><pre id="drawn"></pre>
<script src="{script}"></script>
<script>
  mermaid.initialize({settings});
  mermaid.render("diagram", {source}).then(({{svg}}) => {{
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml");
    document.getElementById("drawn").textContent = new XMLSerializer().serializeToString(drawn);
  }});
</script>"""


def sources(text: str) -> list[str]:
    """The Mermaid blocks of a page."""
    return BLOCK.findall(text)


def picture_of(source: str) -> Path:
    """The file of a block's picture."""
    return PICTURES / f"{hashlib.sha256(source.encode()).hexdigest()[:16]}.svg"


def title_of(source: str) -> str:
    """What a block shows, for readers who do not see it."""
    (title,) = re.findall(r"^ *accTitle: (.+)$", source, re.MULTILINE)
    return str(title)


def with_pictures(text: str, folder: Path) -> str:
    """A page with pictures in place of its Mermaid blocks.

    Args:
        text: the page.
        folder: the folder of the page, from which the pictures are addressed.
    """

    def picture(block: re.Match[str]) -> str:
        file = os.path.relpath(picture_of(block[1]), folder)
        return f"![{title_of(block[1])}]({Path(file).as_posix()})"

    return BLOCK.sub(picture, text)


def draw(source: str, script: Path) -> str:
    """A block as SVG.

    Args:
        source: the block.
        script: Mermaid, as one file.
    """
    settings = {
        "startOnLoad": False,
        "htmlLabels": False,
        "flowchart": {"htmlLabels": False, "curve": "basis"},
        "deterministicIds": True,
        "theme": "base",
        "themeVariables": _COLORS,
        "themeCSS": _DARK,
    }
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        filled = _PAGE.format(
            script=script.resolve().as_uri(),
            settings=json.dumps(settings),
            source=json.dumps(source).replace("</", "<\\/"),
        )
        page.write_text(filled, encoding="utf-8")
        asked = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000")
        command = ["chromium", *asked, "--dump-dom", page.as_uri()]
        done = subprocess.run(  # noqa: S603 - the project's own page
            command, capture_output=True, text=True, check=True, timeout=120
        )
    found = re.search(r'<pre id="drawn">(.+?)</pre>', done.stdout, re.DOTALL)
    if found is None:
        raise SystemExit(f"Mermaid draws nothing of: {title_of(source)}")
    svg = found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return _sized(svg)


def _sized(svg: str) -> str:
    """A picture as large as it is drawn: as an image it has no page to fill."""
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', svg)
    if box is None:
        raise SystemExit("Mermaid draws a picture without a size")
    head, rest = svg.split(">", 1)
    head = re.sub(r' (width|height|style)="[^"]*"', "", head)
    return f'{head} width="{float(box[1]):.0f}" height="{float(box[2]):.0f}">{rest}\n'


def main(script: Path) -> None:
    """Draw what has no picture, and drop the pictures that no page shows."""
    pages = [page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md"))]
    wanted = {picture_of(source): source for text in pages for source in sources(text)}
    PICTURES.mkdir(exist_ok=True)
    for file in PICTURES.glob("*.svg"):
        if file not in wanted:
            file.unlink()
    for file, source in wanted.items():
        if not file.exists():
            file.write_text(draw(source, script), encoding="utf-8")
            print(f"{file.name}: {title_of(source)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
