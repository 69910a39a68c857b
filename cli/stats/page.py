"""Reports as one HTML page: no script, no external resources, light and dark.

Invariant: every text is escaped; the page is a single file.
"""

from collections.abc import Sequence

from cli.render.html import as_html, document
from cli.stats.report import MOST_ROWS, Bars, Part, Report, ReportLine, ReportTable, cell

_STYLE = """
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.6rem;
margin:1rem 0}
.figure{background:var(--soft);border-radius:10px;padding:.7rem .9rem}
.figure b{display:block;font-size:1.6rem;line-height:1.2;font-variant-numeric:tabular-nums}
.figure span{color:var(--dim);font-size:.9rem}
div.wide{overflow-x:auto;margin-top:.9rem}table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.25rem .8rem .25rem 0;text-align:left;border-bottom:1px solid var(--rule)}
td{white-space:nowrap}td:first-child{min-width:7rem}
td:first-child,td:last-child:not(.n){white-space:normal}
th{color:var(--dim);font-weight:500}.n{text-align:right;font-variant-numeric:tabular-nums}
.row{display:grid;grid-template-columns:minmax(5.5rem,9rem) 1fr;gap:.6rem;align-items:center;
font-size:.9rem;margin:.15rem 0}.row>span{overflow-wrap:anywhere}
.meter{display:flex;align-items:center;gap:.4rem;min-width:0}
.meter i{display:block;height:.9rem;background:var(--bar);border-radius:2px;min-width:2px}
.meter em{font-style:normal;color:var(--dim);white-space:nowrap}
.plot{position:relative;height:15rem;margin:1.6rem 0 .6rem}
.plot svg{position:absolute;inset:0;width:100%;height:100%}
.plot span{position:absolute;font-size:.8rem;color:var(--dim);line-height:1}
.plot .at{left:0;transform:translateY(-115%)}.plot .on{top:-1.1rem;transform:translateX(-50%)}
@media (max-width:600px){tr:first-child{display:none}tr{display:block;padding:.4rem 0;
border-bottom:1px solid var(--rule)}td{display:inline-block;border:0;padding:0 .7rem 0 0;
white-space:normal}
td::before{content:attr(data-head) " ";color:var(--dim);font-size:.75rem}}
svg *{vector-effect:non-scaling-stroke}.line{fill:none;stroke:var(--bar);stroke-width:2}
.level{stroke:var(--rule)}.mark{stroke:var(--mark)}.top{stroke:var(--top)}
"""
_FIRST = ("sessions", "compactions", "advice", "pressure", "hooks", "usage", "stages")
"""The order of headline figures."""
_NOTHING = "There is no data for a report yet. `journal import` reads past sessions."


def page(reports: Sequence[Report], title: str, made: str) -> str:
    """Return the page: headline figures, then the reports with data. made: text of the footer."""
    shown = [report for report in reports if report.parts]
    figures = "".join(
        f"<div class=figure><b>{as_html(figure)}</b><span>{as_html(what)}</span></div>"
        for report in sorted(shown, key=lambda each: _FIRST.index(each.name))
        for figure, what in report.figures
    )
    sections = "\n".join(_section(report) for report in shown) or f"<p>{as_html(_NOTHING)}</p>"
    head = f"<div class=figures>{figures}</div>\n" if figures else ""
    return document(title, head + sections, made, _STYLE)


def _section(report: Report) -> str:
    texts = "".join(f"<p>{as_html(sentence)}</p>\n" for sentence in report.summary)
    parts = "\n".join(_part(part) for part in report.parts)
    name = as_html(report.name)
    return f'<section id="{name}">\n<h2>{name.capitalize()}</h2>\n{texts}{parts}\n</section>'


def _part(part: Part) -> str:
    if isinstance(part, ReportTable):
        return _table(part)
    drawn = _bars(part) if isinstance(part, Bars) else _line(part)
    legend = f"<p>{as_html(part.legend)}</p>" if isinstance(part, ReportLine) else ""
    return f"<h3>{as_html(part.title)}</h3>\n{drawn}{legend}"


def _table(part: ReportTable) -> str:
    """Return a table; on a phone, each row is a paragraph whose cells repeat their heads."""
    heads = "".join(
        f"<th{_number(part, at)}>{as_html(head)}</th>" for at, head in enumerate(part.heads)
    )
    body = "\n".join(
        "<tr>"
        + "".join(
            f'<td{_number(part, at)} data-head="{as_html(part.heads[at].lower())}">'
            f"{as_html(cell(value))}</td>"
            for at, value in enumerate(values)
        )
        + "</tr>"
        for values in part.rows[:MOST_ROWS]
    )
    more = f"<p>and {part.more:,} more</p>" if part.more else ""
    return f'<div class="wide"><table>\n<tr>{heads}</tr>\n{body}\n</table></div>{more}'


def _number(part: ReportTable, at: int) -> str:
    return " class=n" if at in part.numbers else ""


def _bars(part: Bars) -> str:
    most = max((value for _, value, _ in part.rows), default=0) or 1
    return "".join(  # the longest bar takes 80 %, which leaves space for its note
        f'<div class="row"><span>{as_html(label[:40])}</span><div class="meter">'
        + f'<i style="width:{80 * value / most:.1f}%"></i>' * (value > 0)
        + f"<em>{as_html(note)}</em></div></div>"
        for label, value, note in part.rows
    )


def _line(part: ReportLine) -> str:
    """Return a line that fills its box; names are outside the SVG, so they are not stretched."""
    first, last = part.points[0][0], max(part.points[-1][0], part.points[0][0] + 1)
    top = max(1.05, *(value for _, value in part.points))

    def x(at: float) -> float:
        return round(min(1.0, max(0.0, (at - first) / (last - first))) * 100, 2)

    def y(share: float) -> float:
        return round((1 - share / top) * 100, 2)

    path = " ".join(f"{x(at)},{y(share)}" for at, share in part.points)
    levels = "".join(
        f'<line class="level" x1="0" x2="100" y1="{y(share)}" y2="{y(share)}"/>'
        for share, _ in part.levels
    )
    marks = "".join(
        f'<line class="{"top" if char in "AM" else "mark"}" x1="{x(at)}" x2="{x(at)}" y1="0" '
        'y2="100" stroke-dasharray="3 3"/>'
        for at, char in part.marks
    )
    names = "".join(
        f'<span class="at" style="top:{y(share)}%">{as_html(name)}</span>'
        for share, name in part.levels
    )
    signs = "".join(
        f'<span class="on" style="left:{x(at)}%">{as_html(char)}</span>' for at, char in part.marks
    )
    return (
        '<div class="plot"><svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" '
        f'aria-label="{as_html(part.title)}">{levels}{marks}'
        f'<polyline class="line" points="{path}"/></svg>{names}{signs}</div>'
    )
