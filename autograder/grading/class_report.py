"""report.html: a class run on one page. Static, no scripts, everything escaped, light and dark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..showing.markup import esc, number

Result = dict[str, Any]

# Status -> (CSS class, word). A word accompanies every colour.
WORDS = {
    "pass": ("ok", "right"),
    "partial": ("part", "partly"),
    "fail": ("bad", "wrong"),
    "error": ("bad", "crashed"),
    "timeout": ("bad", "too slow"),
    "memory": ("bad", "memory"),
    "not_attempted": ("none", "-"),
    "flagged": ("look", "look"),
    "infra": ("look", "waits"),
}
LOOK_AT = {"flagged": "its process sent back something that is not an answer", "infra": "start the run again"}

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --muted: light-dark(#666, #999);
  --ok: light-dark(#1f8a4c, #4cc283); --part: light-dark(#b06c00, #e0a040); --bad: light-dark(#d0392f, #f0766c);
  --look: light-dark(#7a4fd0, #b294f0); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 32px auto 64px; padding: 0 24px; max-width: 1160px; }
h1 { font-size: 24px; font-weight: 600; margin: 0 0 4px; } h2 { font-size: 18px; font-weight: 600; margin: 40px 0 8px; }
h3 { font-size: 15px; font-weight: 600; margin: 0; font-family: ui-monospace, monospace; }
.muted { color: var(--muted); } .num { text-align: right; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 12px 0 0; }
dt { color: var(--muted); } dd { margin: 0; font-variant-numeric: tabular-nums; }
section { border-top: 1px solid var(--line); padding: 14px 0 16px; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 16px; margin-bottom: 6px; }
.head .muted { margin-left: auto; }
.stack { display: flex; height: 8px; border-radius: 4px; overflow: hidden; background: var(--soft); margin: 2px 0 8px; }
.stack i { display: block; } i.ok { background: var(--ok); } i.part { background: var(--part); }
i.bad { background: var(--bad); } i.look { background: var(--look); } i.none { background: transparent; }
.cases { border-collapse: collapse; } .cases td { padding: 1px 14px 1px 0; vertical-align: middle; }
.bar { width: 160px; height: 8px; border-radius: 4px; background: var(--soft); overflow: hidden; }
.bar i { display: block; height: 8px; background: var(--ok); }
.cases caption { text-align: left; color: var(--muted); padding-top: 8px; } 
nav { margin-top: 14px; } nav a { color: inherit; margin-right: 16px; }
.wide { overflow-x: auto; } .class { border-collapse: collapse; font-size: 13px; }
.class th { font-weight: 600; text-align: left; vertical-align: bottom; padding: 4px 6px; white-space: nowrap; }
.class th.e { font: 12px/1.3 ui-monospace, monospace; white-space: normal; }
.class td.said { white-space: normal; }
.class td { padding: 3px 6px; border-top: 1px solid var(--line); white-space: nowrap; }
.class tr > :first-child { padding-left: 0; max-width: 260px; overflow: hidden; text-overflow: ellipsis;
  position: sticky; left: 0; background: Canvas; }
td.ok { color: var(--ok); } td.part { color: var(--part); } td.bad { color: var(--bad); }
td.none { color: var(--muted); } td.look { color: var(--look); font-weight: 600; }
td b { font-weight: 600; font-variant-numeric: tabular-nums; }
"""


def report(results: Sequence[Result]) -> str:
    """The whole page for the results of a class, as grade_class returns them. Raises ValueError if there are none."""
    if not results:
        raise ValueError("a report needs at least one result")
    body = [*_head(results), *_to_look_at(results), *_students(results), *_exercises(results)]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tilewise class report</title>'
        '<meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _head(results: Sequence[Result]) -> Iterator[str]:
    first = results[0]
    attempted = [r for r in results if any(e["status"] != "not_attempted" for e in r["exercises"])]
    mean = sum(r["points"] for r in attempted) / max(len(attempted), 1)
    facts = {
        "students": f"{len(results)}, of whom {len(attempted)} attempted something",
        "mean": f"{number(mean)} of {number(first['max_points'])} points among those who did",
        "seed": _all(r["seed_id"] for r in results) + " (its id; the seed itself stays with the grader)",
        "sandbox": _all(r["sandbox"] for r in results),
        "course": _all("{name} {version} ({fingerprint})".format(**r["course"]) for r in results),
        "machine": _all(", ".join(f"{k} {v}" for k, v in r["environment"].items()) for r in results),
    }
    yield "<h1>Class report</h1><dl>"
    yield from (f"<dt>{esc(key)}</dt><dd>{esc(value)}</dd>" for key, value in facts.items())
    links = {"look": "To look at", "students": "Students", "exercises": "Exercises"}
    yield "</dl><nav>" + "".join(f'<a href="#{place}">{text}</a>' for place, text in links.items()) + "</nav>"


def _all(values: Iterable[str]) -> str:
    """The value, or the values with the number of results for each."""
    counts = Counter(values).most_common()
    return counts[0][0] if len(counts) == 1 else ", ".join(f"{value} ({count})" for value, count in counts)


def _to_look_at(results: Sequence[Result]) -> Iterator[str]:
    """What a person has to look at: flagged answers, the grader's own failures, files that could not be read."""
    lines: list[tuple[str, str, str]] = []
    for result in results:
        lines += [(result["student"], "", note) for note in result["submission"]["notes"]]
        reasons: dict[str, list[str]] = {}
        for entry in result["exercises"]:
            if entry["status"] in LOOK_AT:
                why = entry["note"] or LOOK_AT[entry["status"]]
                reasons.setdefault(why, []).append(entry["exercise"])
        lines += [(result["student"], ", ".join(of), why) for why, of in reasons.items()]
    yield '<h2 id="look">To look at</h2>'
    if not lines:
        yield '<p class="muted">Nothing: every file could be read and every answer judged.</p>'
        return
    yield '<table class="class"><tr><th>student</th><th>exercise</th><th>what happened</th></tr>'
    for student, names, why in lines:
        yield f'<tr><td>{esc(student, 80)}</td><td class="said">{esc(names)}</td><td class="said">{esc(why)}</td></tr>'
    yield "</table>"


def _exercises(results: Sequence[Result]) -> Iterator[str]:
    yield '<h2 id="exercises">Exercises</h2>'
    for column in zip(*(r["exercises"] for r in results), strict=True):
        yield f"<section>{''.join(_exercise(column))}</section>"


def _exercise(entries: Sequence[dict[str, Any]]) -> Iterator[str]:
    """One exercise: how its answers fared, the pass rate of every case, the most common diagnoses."""
    first = entries[0]
    counts = Counter(e["status"] for e in entries)
    attempts = [e for e in entries if e["status"] != "not_attempted"]
    mean = sum(e["points"] for e in attempts) / max(len(attempts), 1)
    said = ", ".join(f"{n} {WORDS[s][1]}" for s, n in _in_order(counts) if s != "not_attempted")
    left = counts["not_attempted"]
    said = ", ".join(filter(None, [said, f"{left} not attempted" if left else ""]))
    yield f'<div class="head"><h3>{esc(first["exercise"])}</h3><span>{esc(said)}</span>'
    if attempts:
        yield f'<span class="muted">mean of the attempts {number(mean)} / {number(first["max_points"])}</span>'
    yield '</div><div class="stack">'
    yield from (f'<i class="{WORDS[s][0]}" style="flex:{n}"></i>' for s, n in _in_order(counts))
    yield "</div>"
    yield from _cases(attempts)
    yield from _diagnoses(attempts)


def _in_order(counts: Counter[str]) -> list[tuple[str, int]]:
    return [(status, counts[status]) for status in WORDS if counts[status]]


def _cases(attempts: Sequence[dict[str, Any]]) -> Iterator[str]:
    judged = [e["cases"] for e in attempts if e["cases"]]
    if not judged:
        return
    yield '<table class="cases">'
    for column in zip(*judged, strict=True):
        passed = sum(case["status"] == "pass" for case in column)
        yield (
            f'<tr><td><div class="bar"><i style="width:{100 * passed / len(column):.0f}%"></i></div></td>'
            f'<td class="num">{passed} / {len(column)}</td><td>{esc(column[0]["name"])}</td></tr>'
        )
    yield "</table>"


def _diagnoses(attempts: Sequence[dict[str, Any]]) -> Iterator[str]:
    mistakes = Counter(e["diagnosis"]["mutant"] for e in attempts if e["diagnosis"])
    mistakes += Counter(f"over budget in {o['kind']}" for e in attempts for o in e["over_budget"])
    if mistakes:
        lines = (f'<tr><td class="num">{n}</td><td>{esc(what)}</td></tr>' for what, n in mistakes.most_common(5))
        yield f'<table class="cases"><caption>Mistakes recognised</caption>{"".join(lines)}</table>'


def _students(results: Sequence[Result]) -> Iterator[str]:
    yield '<h2 id="students">Students</h2><div class="wide"><table class="class">'
    yield '<tr><th>student</th><th class="num">points</th>'
    names = (esc(entry["exercise"]).replace("_", "_<wbr>") for entry in results[0]["exercises"])
    yield "".join(f'<th class="e">{name}</th>' for name in names) + "</tr>"
    for result in results:
        yield f'<tr><td>{esc(result["student"], 80)}</td><td class="num"><b>{number(result["points"])}</b></td>'
        yield "".join(map(_cell, result["exercises"])) + "</tr>\n"
    yield "</table></div>"


def _cell(entry: dict[str, Any]) -> str:
    kind, word = WORDS[entry["status"]]
    points = "" if entry["status"] in ("not_attempted", "infra") else f"<b>{number(entry['points'])}</b> "
    return f"<td class={kind}>{points}{word}</td>"
