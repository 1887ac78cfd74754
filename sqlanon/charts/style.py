"""The colors and rules of every chart, in light and dark mode and on paper."""

from __future__ import annotations

# Okabe and Ito's colors first, which do not rely on telling red from green.
_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b1f23",
    "faint": "#57606a",
    "grid": "#e4e8ec",
    "bound": "#b84a00",
    "h0": "#0072b2",
    "h1": "#d55e00",
    "h2": "#009e73",
    "h3": "#cc79a7",
    "h4": "#e69f00",
    "h5": "#56b4e9",
    "h6": "#1b1f23",
    "h7": "#8c564b",
    "h8": "#6f7d8c",
    "h9": "#8a63b8",
}
_DARK = {
    "paper": "#14181c",
    "ink": "#e6e9ec",
    "faint": "#a3adb7",
    "grid": "#2a323a",
    "bound": "#e69f00",
    "h0": "#56b4e9",
    "h1": "#ff8c42",
    "h2": "#3fc79a",
    "h3": "#e0a3c4",
    "h4": "#f0b94a",
    "h5": "#9bd3f5",
    "h6": "#e6e9ec",
    "h7": "#c08a7d",
    "h8": "#9aa7b4",
    "h9": "#b697e0",
}
_RULES = """\
.chart text { fill: var(--ink); font-family: system-ui, sans-serif; font-size: 13px; }
.chart .small { font-size: 11px; fill: var(--faint); }
.chart .head { font-weight: 600; }
.chart .end { text-anchor: end; }
.chart .middle { text-anchor: middle; }
.chart .back { fill: var(--paper); }
.chart .axis { stroke: var(--faint); stroke-width: 1; }
.chart .grid { stroke: var(--grid); stroke-width: 1; }
.chart .line { fill: none; stroke-width: 1.2; }
.chart .dashed { stroke-dasharray: 6 4; }
.chart .dotted { stroke-dasharray: 1.5 3; }
.chart .dot { stroke-width: 1.5; }
.chart .hollow { fill: var(--paper); }
.chart .open { fill: none; }
.chart .frame { fill: none; stroke: var(--ink); stroke-width: 2; }
.chart .bound { stroke: var(--bound); stroke-width: 2; stroke-dasharray: 6 4; }
.chart .bounded { fill: var(--bound); font-weight: 600; }
"""
_HUES = "".join(
    f".chart .h{hue} {{ fill: var(--h{hue}); }}\n.chart .s{hue} {{ stroke: var(--h{hue}); }}\n"
    for hue in range(10)
)
_ALL = _HUES + _RULES  # the rules come last, so that a hollow dot has the color of the paper


def style() -> str:
    """The style: it follows the reader's light or dark mode, and paper is always light."""
    dark = f"@media screen and (prefers-color-scheme: dark) {{ {_variables(_DARK)} }}\n"
    return _variables(_LIGHT) + "\n" + dark + _ALL


def light_style() -> str:
    """The same in the light mode alone, without variables, for programs that know none."""
    text = _ALL
    for name, color in _LIGHT.items():
        text = text.replace(f"var(--{name})", color)
    return text


def _variables(colors: dict[str, str]) -> str:
    return ".chart { " + " ".join(f"--{name}: {color};" for name, color in colors.items()) + " }"
