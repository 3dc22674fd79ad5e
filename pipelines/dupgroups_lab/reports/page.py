"""Shared by reports: one self-contained HTML file, tables, and texts side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dupgroups.flow.explain.text_alignment import Passage, align
from dupgroups_lab.measures.tabulated import Tabulated

_SAME_ROW = ' class="same"'
MAX_SHOWN_ERRORS = 20  # errors of each kind
_MAX_COMPARED_CHARS = 20_000  # characters of a text that are compared
_STYLE = """
:root { color-scheme: light dark; --line: #8884; }
.s0 { --own: light-dark(#0b6bcb, #6cb6ff); } .s1 { --own: light-dark(#c2410c, #ff9b6b); }
.s2 { --own: light-dark(#15803d, #6fdd8b); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } .wide { overflow-x: auto; margin: 1rem 0; }
.scores td, .scores th { padding: .2rem .5rem; text-align: right; }
.scores tbody { white-space: nowrap; } .scores th[scope=row] { text-align: left; }
.scores tr { border-bottom: 1px solid var(--line); } small { opacity: .75; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg { width: 100%; font-size: 11px; fill: currentColor; }
polyline { fill: none; stroke: var(--own); stroke-width: 2; } .grid { stroke: var(--line); }
.legend span { margin-right: 1rem; white-space: nowrap; } .legend i { background: var(--own); }
.legend i { display: inline-block; width: .8em; height: .8em; margin-right: .3em; }
details { border-top: 1px solid var(--line); padding: .4rem 0; } summary { cursor: pointer; }
h1, summary, .diff td, .diff th { overflow-wrap: anywhere; }
.diff { width: 100%; table-layout: fixed; } .diff td { vertical-align: top; padding: .15rem .6rem; }
.same { opacity: .65; }
del { background: #f8717155; text-decoration: none; } ins { background: #4ade8055; text-decoration: none; }
"""


def html_page(title: str, parts: Sequence[str]) -> str:
    """The whole file; `title` is escaped, `parts` are HTML."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>'
        f"<h1>{escape(title)}</h1>{''.join(parts)}</body></html>\n"
    )


def score_table(table: Tabulated) -> str:
    """The table in HTML, with everything escaped; the first cell of a row is its header."""
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.columns)
    lines = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        f"{''.join(f'<td>{escape(cell)}</td>' for cell in others)}</tr>"
        for first, *others in table.rows
    )
    return (
        f'<div class="wide" tabindex="0"><table class="scores"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def comparison(summary: str, note: str, heads: Sequence[str], texts: tuple[str, str]) -> str:
    """Two texts that unfold under `summary`; everything is escaped except `heads`, which are HTML."""
    columns = "".join(f"<th>{head}</th>" for head in heads)
    aligned = align(texts[0][:_MAX_COMPARED_CHARS], texts[1][:_MAX_COMPARED_CHARS]).rows
    rows = "".join(
        f"<tr{_SAME_ROW * row.same}><td>{_side(row.left, 'del')}</td><td>{_side(row.right, 'ins')}</td></tr>"
        for row in aligned
    )
    return (
        f"<details><summary>{escape(summary)}</summary><p>{escape(note)}</p>"
        f'<table class="diff"><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table></details>'
    )


def _side(lines: Sequence[Sequence[Passage]], tag: str) -> str:
    """Paragraphs in which what only this text has is in elements of this tag."""
    marked = (
        escape(part.text) if part.common else f"<{tag}>{escape(part.text)}</{tag}>"
        for line in lines
        for part in (*line, Passage("\n", True))
    )
    return "".join(marked).rstrip().replace("\n", "<br>")
