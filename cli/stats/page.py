"""Reports as one page of HTML: no script, nothing from elsewhere, light and dark.

Invariant: every text is escaped; the file is the whole page.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cli.stats.reports import Bars, ReportLine, ReportTable
from cli.stats.show import cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.stats.reports import Report

__all__ = ["page"]

_STYLE = """
:root{color-scheme:light dark;--ink:#1c2024;--dim:#60646c;--rule:#d9d9e0;--back:#fff;--bar:#3e63dd;
--mark:#ad5700;--top:#e5484d}
@media (prefers-color-scheme:dark){:root{--ink:#edeef0;--dim:#b0b4ba;--rule:#363a3f;--back:#111113;
--bar:#849dff;--mark:#ffca16;--top:#ff9592}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);max-width:60rem;
margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.5rem;border-top:1px solid var(--rule);
padding-top:1rem}h3{font-size:1rem;color:var(--dim);font-weight:500;margin:1.2rem 0 .3rem}
div.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.2rem .8rem .2rem 0;text-align:left;border-bottom:1px solid var(--rule)}
th{color:var(--dim);font-weight:500}.n{text-align:right;font-variant-numeric:tabular-nums}
svg{width:100%;height:auto}svg text{fill:var(--dim);font:12px system-ui,sans-serif}
.bar{fill:var(--bar)}.line{fill:none;stroke:var(--bar);stroke-width:1.5}
.level{stroke:var(--rule)}.mark{stroke:var(--mark)}.top{stroke:var(--top)}footer{color:var(--dim)}
"""
_WIDE = 720


def page(reports: Sequence[Report], title: str, made: str) -> str:
    """Return the page. made: when, as it is to be shown."""
    sections = "\n".join(_section(report) for report in reports)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{sections}\n<footer>{escape(made)}</footer>\n</body>\n</html>\n"
    )


def _section(report: Report) -> str:
    texts = "".join(f"<p>{escape(sentence)}</p>\n" for sentence in report.summary)
    parts = "\n".join(_part(part) for part in report.parts)
    name = escape(report.name)
    return f'<section id="{name}">\n<h2>{name}</h2>\n{texts}{parts}\n</section>'


def _part(part: ReportTable | Bars | ReportLine) -> str:
    if isinstance(part, ReportTable):
        return _table(part)
    drawn = _bars(part) if isinstance(part, Bars) else _line(part)
    legend = f"<p>{escape(part.legend)}</p>" if isinstance(part, ReportLine) else ""
    return f"<h3>{escape(part.title)}</h3>\n{drawn}{legend}"


def _table(part: ReportTable) -> str:
    def row(values: Sequence[str], tag: str) -> str:
        cells = "".join(
            f"<{tag}{' class=n' if at in part.numbers else ''}>{escape(value)}</{tag}>"
            for at, value in enumerate(values)
        )
        return f"<tr>{cells}</tr>"

    body = "\n".join(row([cell(value) for value in values], "td") for values in part.rows)
    return f'<div class="wide"><table>\n{row(part.heads, "th")}\n{body}\n</table></div>'


def _bars(part: Bars) -> str:
    most = max((value for _, value, _ in part.rows), default=0) or 1
    rows = []
    for at, (label, value, note) in enumerate(part.rows):
        top, length = at * 22, round(max(0, value) / most * (_WIDE - 270), 1)
        rows.append(
            f'<text x="0" y="{top + 15}">{escape(label[:24])}</text>'
            f'<rect class="bar" x="170" y="{top + 3}" width="{length}" height="15"/>'
            f'<text x="{175 + length}" y="{top + 15}">{escape(note)}</text>'
        )
    height = 22 * len(part.rows)
    return f'<svg viewBox="0 0 {_WIDE} {height}" role="img">{"".join(rows)}</svg>'


def _line(part: ReportLine) -> str:
    height = 220
    first, last = part.points[0][0], max(part.points[-1][0], part.points[0][0] + 1)
    top = max(1.05, *(value for _, value in part.points))

    def x(at: float) -> float:
        return round(60 + min(1.0, max(0.0, (at - first) / (last - first))) * (_WIDE - 70), 1)

    def y(share: float) -> float:
        return round(height - share / top * (height - 20), 1)

    path = " ".join(f"{x(at)},{y(share)}" for at, share in part.points)
    levels = "".join(
        f'<line class="level" x1="60" x2="{_WIDE}" y1="{y(share)}" y2="{y(share)}"/>'
        f'<text x="0" y="{y(share) + 4}">{escape(name)}</text>'
        for share, name in part.levels
    )
    marks = "".join(
        f'<line class="{"top" if char in "AM" else "mark"}" x1="{x(at)}" x2="{x(at)}" y1="20" '
        f'y2="{height}" stroke-dasharray="3 3"/><text x="{x(at) - 4}" y="14">{escape(char)}</text>'
        for at, char in part.marks
    )
    return (
        f'<svg viewBox="0 0 {_WIDE} {height + 4}" role="img">{levels}{marks}'
        f'<polyline class="line" points="{path}"/></svg>'
    )
