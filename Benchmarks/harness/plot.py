"""SVG plots, with Python's standard library."""

import math
from xml.sax.saxutils import escape

from .figures import CPU, SPEED, median_of

COLORS = {"relay-bare": "#9aa5b1", "relay": "#64748b", "worker": "#e4572e", "go": "#29a3c2", "pika": "#3f7d58",
          "aio-pika": "#7fb069"}
BAR, GAP, HEADING, LEFT, PANEL, RIGHT = 18, 6, 46, 190, 300, 90
FONT = "font-family='system-ui, sans-serif'"


def text(x, y, content, size=12, anchor="start", weight="normal", color="#1f2933"):
    return (f"<text x='{x:.1f}' y='{y:.1f}' {FONT} font-size='{size}' text-anchor='{anchor}' font-weight='{weight}' "
            f"fill='{color}'>{escape(content)}</text>")


def bar_length(value, values, is_logarithmic):
    if not is_logarithmic:
        return PANEL * value / max(values)
    # From below the least value, in whole decades, so that every bar can be seen.
    low = 10 ** math.floor(math.log10(min(values)) - 0.001)
    high = max(values)
    return PANEL * math.log10(value / low) / math.log10(high / low)


def panel(x, y, title, rows, format_value, is_logarithmic):
    """Bars of (label, value, color)."""
    parts = [text(x, y - 10, title, 13, weight="bold")]
    values = [value for _, value, _ in rows]
    for index, (_, value, color) in enumerate(rows):
        top = y + index * (BAR + GAP)
        length = bar_length(value, values, is_logarithmic)
        parts.append(f"<rect x='{x}' y='{top}' width='{max(length, 1):.1f}' height='{BAR}' rx='2' fill='{color}'/>")
        parts.append(text(x + length + 6, top + BAR - 5, format_value(value)))
    return parts


def document(width, height, parts):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>\n"
            f"<rect width='{width}' height='{height}' rx='8' fill='#ffffff'/>\n" + "\n".join(parts) + "\n</svg>\n")


def comparison_plot(groups, labels):
    parts, y = [], 16
    for group in groups:
        names = list(group.rounds)
        parts.append(text(16, y + 12, group.title[0].upper() + group.title[1:], 15, weight="bold"))
        top = y + HEADING
        for index, name in enumerate(names):
            weight = "bold" if name == "worker" else "normal"
            parts.append(text(LEFT - 12, top + index * (BAR + GAP) + BAR - 5, labels[name], 12, "end", weight))
        panels = [("CPU µs per message (logarithmic)", CPU, lambda value: f"{value:.1f}", True),
                  ("messages/s at saturation", SPEED, lambda value: f"{value:,.0f}".replace(",", " "), False)]
        for column, (title, path, format_value, is_logarithmic) in enumerate(panels):
            rows = [(labels[name], median_of(group.rounds[name], path), COLORS[name]) for name in names]
            parts += panel(LEFT + column * (PANEL + RIGHT), top, title, rows, format_value, is_logarithmic)
        y = top + len(names) * (BAR + GAP) + 24
    return document(LEFT + 2 * (PANEL + RIGHT), y, parts)
