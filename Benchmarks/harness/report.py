"""Tables for people: text and Markdown."""

from .figures import COLUMNS, median_of, ratios
from .programs import LABELS

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
PROVISO = ("Medians of {rounds} alternating rounds. Saturated: a full queue is worked off; CPU is user and system time of the "
           "measured process by the kernel's account. Latency: from when a request was due to its answer, at {rate} "
           "messages/s (half of the slowest program's throughput) and, \"sat.\", with as many requests under way as "
           "the prefetch.")


def number(value, decimals):
    return f"{value:,.{decimals}f}".replace(",", " ")


def text_table(header, rows):
    widths = [max(len(str(row[column])) for row in [header, *rows]) for column in range(len(header))]
    def line(row):
        first, *others = row
        return "  ".join([str(first).ljust(widths[0]), *(str(cell).rjust(width) for cell, width in zip(others, widths[1:]))])
    return "\n".join([line(header), "  ".join("-" * width for width in widths), *map(line, rows)])


def markdown_table(header, rows):
    def line(row):
        return "| " + " | ".join(str(cell) for cell in row) + " |"
    return "\n".join([line(header), "| --- |" + " ---: |" * (len(header) - 1), *map(line, rows)])


def program_table(group):
    header = ["", *(title for title, *_ in COLUMNS)]
    rows = [[LABELS[name], *(number(median_of(rounds, path) * factor, decimals) for _, path, factor, decimals in COLUMNS)]
            for name, rounds in group.rounds.items()]
    return header, rows


def ratio_table(group):
    header = ["ratio", "median", "least", "greatest", "target", ""]
    rows = [[ratio.title, number(ratio.median, 2) + ratio.unit, number(ratio.least, 2), number(ratio.greatest, 2),
             f"{ratio.comparison} {ratio.target:g}", "reached" if ratio.is_reached else "missed"] for ratio in ratios(group)]
    return header, rows


def sections(groups, table, heading):
    for group in groups:
        rounds = min(len(each) for each in group.rounds.values())
        yield heading(group.title[0].upper() + group.title[1:])
        yield table(*program_table(group))
        if ratios(group):
            yield table(*ratio_table(group))
        yield PROVISO.format(rounds=rounds, rate=number(group.rate, 0))


def machine_line(machine):
    return "Measured on: " + "; ".join(f"{name} {fact}" for name, fact in machine.items()) + "."


def as_text(groups, tables, machine):
    parts = [machine_line(machine), *sections(groups, text_table, lambda title: f"== {title}")]
    for title, header, rows, remark in tables:
        parts += [f"== {title}", text_table(header, rows), remark]
    return "\n\n".join(parts) + "\n"


def as_markdown(groups, tables, machine, plot=None):
    parts = [machine_line(machine)]
    if plot:
        parts.append(f"![CPU time per message and throughput]({plot})")
    parts += sections(groups, markdown_table, lambda title: f"### {title}")
    for title, header, rows, remark in tables:
        parts += [f"### {title}", markdown_table(header, rows), remark]
    return "\n\n".join(parts) + "\n"


def write_markdown(path, text):
    """Into the marked place of a file that has one, else as the whole file."""
    if path.exists() and BEGIN in (page := path.read_text()) and END in page:
        before, rest = page.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        text = f"{before}{BEGIN}\n\n{text}\n{END}{after}"
    path.write_text(text)
