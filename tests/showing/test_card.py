"""What the learner sees: the card, its plain-text twin, the map of the error, the hints and the comparison."""

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest

from autograder.backends import function_from
from autograder.judging.diagnosis.mistakes import mutate
from autograder.judging.limits.budgets import measured_counts
from autograder.judging.points import score
from autograder.judging.prepare import prepare
from autograder.judging.tolerance import Comparison, compare, expect
from autograder.judging.verdict import MEANING, CaseResult, Diagnosis, OverBudget, Verdict
from autograder.notebook import hints
from autograder.notebook.check import verdict_of
from autograder.runner.failure import Failure
from autograder.runner.observe import Observation
from autograder.showing import card, markup
from autograder.showing.diff import against_course
from autograder.showing.error_map import INFINITE, NAN, error_map
from autograder.showing.markup import plain, prose
from autograder.showing.words.ladder import ladder
from autograder.spec.catalogue import exercise_named, exercises
from autograder.spec.exercise import Output, Tolerance

EXERCISE = exercise_named("safe_softmax")
EVIL = "<script>alert('x')</script>&\"<img src=http://x onerror=y>\x1b[31m\u202e\ud800"


@pytest.fixture(autouse=True)
def _own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))


def answer(body: str) -> Verdict:
    """The verdict on safe_softmax with this body."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return verdict_of(function_from(EXERCISE, f"def safe_softmax(x):\n{lines}", label=f"cell {hash(body)}"))


def mutant(exercise, part: str) -> Verdict:
    return verdict_of(mutate(exercise, next(m for m in exercise.mutants if part in m.name)))


def judged(truth: np.ndarray, got: np.ndarray, name: str = "O", exact: bool = False) -> Comparison:
    truth = np.asarray(truth, np.int64 if exact else np.float64)
    plain_answer = truth if exact else (truth * (1 + 1e-7)).astype(np.float32)
    want = expect(
        Output(name, exact=exact), truth, [plain_answer], Tolerance(), np.dtype(np.int64 if exact else np.float32)
    )
    return compare(np.asarray(got, want.dtype), want)


def wrong(truth, got, tile=None, name="O", exact=False) -> CaseResult:
    """A failed case whose single output is `got` where `truth` was asked for."""
    comparison = judged(truth, got, name, exact)
    assert not comparison.ok
    return CaseResult(
        "plain", "the case", "fail", comparison.message, [comparison], outputs=[np.asarray(got)], tile=tile
    )


def failing(case: CaseResult, **rest) -> Verdict:
    return Verdict(EXERCISE, "fail", 0.0, [case], **rest)


@cache
def every_state() -> dict[str, Verdict]:
    """A verdict of each kind, which the tests share and leave as it is."""
    done = verdict_of(EXERCISE.function)
    stopped = CaseResult("long-row", "slow", "timeout", "did not finish in time", arguments="x: (3, 4) float32")
    skipped = CaseResult("ragged", "later", "skipped", "not run")
    hungry = CaseResult(
        "many-rows", "large", "memory", "MemoryError: 9 GB", failure=Failure("MemoryError", "9 GB", 3, "np.ones(n)")
    )
    memory = OverBudget("memory", "allocated 9 MB at its peak, allowed 1 MB (one row)", 9e6, 1e6, 4, "s = q @ k.T")
    calls = OverBudget("operations", "calls softmax", 1, 0, 2, "return softmax(x)")
    return {
        "pass": done,
        "partial": mutant(EXERCISE, "maximum is not subtracted"),
        "over": Verdict(EXERCISE, "partial", 1.0, done.cases, [memory]),
        "forbidden": Verdict(EXERCISE, "fail", 0.0, done.cases, [calls]),
        "fail": answer("return x"),
        "error": answer("return x / undefined"),
        "not_attempted": answer("raise NotImplementedError"),
        "timeout": Verdict(
            replace(EXERCISE, cases=EXERCISE.cases[:3]), "timeout", 0.0, [done.cases[0], stopped, skipped]
        ),
        "memory": Verdict(EXERCISE, "memory", 0.0, [hungry]),
        "flagged": Verdict(EXERCISE, "flagged", 0.0, done.cases, note="the answer replaced numpy"),
        "infra": Verdict(EXERCISE, "infra", 0.0, note="the sandbox did not start"),
    }


class Balanced(HTMLParser):
    """Fails on a tag that is never closed or closed out of turn; collects the text and the tags."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.words = [], [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append((tag, dict(attrs)))

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def parsed(html: str) -> Balanced:
    reader = Balanced()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


def words(html: str) -> str:
    return "".join(parsed(html).words).replace("\u2060", "")


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


# Every state.


@pytest.mark.parametrize("state", every_state())
def test_a_card_is_well_formed_static_and_says_its_state(state):
    verdict = every_state()[state]
    html = card.html(verdict)
    reader = parsed(html)
    tags = {tag for tag, _ in reader.tags}
    assert not tags & {"script", "style", "link", "img", "iframe", "object", "form", "input"}
    for _, attributes in reader.tags:
        assert not any(name.startswith("on") or name in ("src", "href", "xlink:href") for name in attributes)
    assert re.findall(r"url\((?!#)", html) == [] and "http" not in html
    assert verdict.headline in words(html) and verdict.headline in card.text(verdict)
    assert card.accent(verdict) in html.split(">")[0], "the bar at the left has the state's colour"
    assert len(html.encode()) <= card.MAX_BYTES


@pytest.mark.parametrize("state", every_state())
def test_colours_are_readable_on_light_and_on_dark(state):
    html = card.html(every_state()[state])
    found = set(re.findall(r"#[0-9a-f]{6}\b", re.sub(r"background:[^;\"]+", "", html)))
    assert found
    for colour in found:
        assert min(contrast(colour, page) for page in ("#ffffff", "#111111", "#0d1117")) > 4, colour
    assert not re.search(r"\b(white(?!-)|black)\b|#fff\b|#000\b|prefers-color-scheme", html)
    for background in re.findall(r"background:([^;\"]+)", html):
        assert background == "none" or re.fullmatch(r"#[0-9a-f]{6}22", background), "only a faint tint"


@pytest.mark.parametrize("state", every_state())
def test_no_text_has_a_colour_of_its_own(state):
    """None is readable on white and on #111 alike: the best has 4.35, and text takes 4.5."""
    reader = parsed(card.html(every_state()[state]))
    for tag, attributes in reader.tags:
        style = dict(re.findall(r"([\w-]+):([^;]+)", attributes.get("style", "")))
        assert style.get("color", "inherit") == "inherit", tag
        assert not (tag in ("text", "tspan") and "fill" in attributes), tag
        assert float(style.get("opacity", attributes.get("opacity", 1)) if tag in ("div", "text") else 1) >= 0.7


@pytest.mark.parametrize("state", every_state())
def test_a_card_is_a_group_with_a_name_and_its_cases_are_a_list(state):
    verdict = every_state()[state]
    reader = parsed(card.html(verdict))
    tag, attributes = reader.tags[0]
    assert tag == "div" and attributes["role"] == "group"
    assert attributes["aria-label"] == f"{verdict.name}: {verdict.headline}"
    (dots,) = re.findall(r"<ol.*?</ol>", card.html(verdict)) or [""]
    assert dots.count("<li>") == len(verdict.cases)
    assert all(case.name.split("<")[0][:20] in words(dots) for case in verdict.cases)


def test_colour_is_never_the_only_sign():
    """The states that share a colour, and those that do not, all differ in words."""
    assert len(set(MEANING.values())) == len(MEANING)
    html = card.html(every_state()["timeout"])
    dots = [attributes for tag, attributes in parsed(html).tags if "title" in attributes]
    assert "slow: ran out of time" in words(html) and "later: not run" in words(html)
    passed, failed, skipped = (dot["style"] for dot in dots)
    assert "height" not in passed and "height" in failed and "radius" not in skipped
    assert dots[1]["title"] == "2. slow: ran out of time"


@pytest.mark.parametrize("state", every_state())
def test_a_card_stays_readable_where_its_pictures_are_dropped(state):
    """As JupyterLab shows what it does not trust: no SVG, but the text in it; after a <title> it would escape tags."""
    html = card.html(every_state()[state])
    assert not {"title", "style", "script", "textarea"} & {tag for tag, _ in parsed(html).tags}
    assert not re.search(r"</text>\S*[^\s<]|</text>(<[^>]*>)*<text", html)


def test_the_first_line_counts_cases_and_points():
    verdict = every_state()["partial"]
    line = f"{verdict.passed} of {len(verdict.cases)} cases"
    assert 0 < verdict.passed < len(verdict.cases)
    for shown in (words(card.html(verdict)), card.text(verdict)):
        assert line in shown and f"+{verdict.points:.3g} / 2 points" in shown
    assert "0 / 2 points" in words(card.html(every_state()["fail"]))


@pytest.mark.parametrize("state", ["flagged", "infra"])
def test_what_nobody_has_graded_yet_has_no_points_to_contradict_a_grade_by_hand(state):
    for shown in (words(card.html(every_state()[state])), card.text(every_state()[state])):
        assert "- / 2 points" in shown and "0 / 2 points" not in shown


def test_not_attempted_says_what_to_do_and_offers_the_first_hint_only():
    html = card.html(every_state()["not_attempted"])
    assert "Write the missing lines" in words(html) and html.count("<details") == 1
    assert "Hint 1 of 4" in words(html) and "Hint 2" not in words(html)


def test_a_crash_names_the_line():
    verdict = answer("y = x + 1\nreturn y / undefined")
    for shown in (words(card.html(verdict)), card.text(verdict)):
        assert "NameError: name 'undefined' is not defined" in shown
        assert "line 3, in safe_softmax: return y / undefined" in shown


def test_over_budget_names_the_line():
    verdict = every_state()["over"]
    for shown in (words(card.html(verdict)), card.text(verdict)):
        assert (
            "right, but over budget" in shown and "allowed 1 MB (one row)" in shown and "line 4: s = q @ k.T" in shown
        )


def test_a_limit_broken_at_run_time_comes_with_its_line_of_code():
    """Then the line's number is all that was seen; the judge looks up its code."""
    exercise = exercise_named("attention_block")
    name = exercise.name
    hidden = f'def {name}(q, k, v, mask=None, scale=None):\n    return getattr(torch, "soft" + "max")(q, -1)\n'
    verdict = verdict_of(function_from(exercise, hidden, "answer"))
    verdict.cases = [CaseResult("plain", "a", "pass")]
    for shown in (words(card.html(verdict)), card.text(verdict)):
        assert 'line 2: return getattr(torch, "soft" + "max")(q, -1)' in shown


def test_an_answer_that_misses_the_first_case_learns_why_it_has_no_points():
    verdict = every_state()["fail"]
    missed = Verdict(EXERCISE, "fail", 0.0, [verdict.cases[0], CaseResult("ragged", "b", "pass")])
    both_wrong = Verdict(EXERCISE, "fail", 0.0, [verdict.cases[0], CaseResult("ragged", "b", "fail")])
    sentence = "Points start with case 1"
    assert sentence in words(card.html(missed)) and sentence in card.text(missed)
    assert sentence not in words(card.html(both_wrong)) and sentence not in card.text(both_wrong)


def allocator(*wrong: str) -> Verdict:
    """That on a BlockAllocator that fails these cases."""
    exercise = exercise_named("BlockAllocator")
    results = [CaseResult(case.key, case.name, "fail" if case.key in wrong else "pass") for case in exercise.cases]
    return Verdict(exercise, *score(exercise, results, []), results)


def test_an_answer_that_gets_no_situation_right_learns_why_it_has_no_points():
    wrong = allocator("single", "freed-twice")  # its two situations
    assert (wrong.points, wrong.passed) == (0, len(wrong.cases) - 2)
    sentence = "A situation counts if all of its cases are right, and here none does."
    for verdict in (allocator(), allocator("single"), wrong):
        for shown in (words(card.html(verdict)), " ".join(card.text(verdict).split())):
            assert (sentence in shown) == (verdict.points == 0)


@pytest.mark.parametrize(
    ("name", "kind", "sentence"),
    [
        ("safe_softmax", "operations", "An answer that uses a forbidden operation,"),
        ("safe_softmax", "names", "a name that a grade does not have, earns none."),
        ("scale_columns", "sectors", "A puzzle earns none while its mistake is left in."),
    ],
)
def test_right_values_that_earn_nothing_come_with_the_reason(name, kind, sentence):
    exercise, over = exercise_named(name), [OverBudget(kind, "does what it must not")]
    results = [CaseResult(case.key, case.name, "pass") for case in exercise.cases]
    verdict = Verdict(exercise, *score(exercise, results, over), results, over)
    assert verdict.points == 0 and sentence in words(card.html(verdict))
    assert sentence in " ".join(card.text(verdict).split())


def test_only_the_first_failure_is_told():
    verdict = every_state()["partial"]
    failed = [c for c in verdict.cases if c.status == "fail"]
    assert len(failed) > 1
    assert failed[0].name in card.text(verdict) and failed[1].name not in card.text(verdict)
    assert f"<b>{failed[1].name}" not in card.html(verdict)


# Escaping and size.


def evil_verdict() -> Verdict:
    failure = Failure("Evil" + EVIL, EVIL, 3, EVIL, EVIL)
    case = CaseResult("plain", EVIL, "error", f"Evil: {EVIL}", failure=failure, arguments=EVIL)
    over = [OverBudget("memory", EVIL, 1, 0, 3, EVIL)]
    return Verdict(EXERCISE, "error", 0.0, [case], over, Diagnosis(EVIL, EVIL, 2), note=EVIL, source=EVIL)


def test_nothing_of_the_learners_becomes_markup():
    html = card.html(evil_verdict())
    tags = {tag for tag, _ in parsed(html).tags}
    assert not tags & {"script", "img"} and "alert('x')" in words(html)
    assert not re.search(r"[\x1b\u202e\ud800]", html + card.text(evil_verdict()))


def test_the_comparison_with_the_course_is_escaped():
    verdict = verdict_of(EXERCISE.function)
    verdict.source = "def safe_softmax(x):\n    return '<script>alert(1)</script>'\n"
    html = card.html(verdict)
    assert "<script" not in html and "'<script>alert(1)</script>'" in words(html)


def test_a_card_stays_small_whatever_it_must_tell():
    rng = np.random.default_rng(0)
    truth = rng.standard_normal((2, 300, 900))
    case = wrong(truth, truth + 10.0 ** rng.uniform(-9, 3, truth.shape), tile=(16, 16))
    case.name, case.message, case.arguments = "&" * 9000, "<&>\n" * 9000, '"' * 9000
    case.failure = Failure("K" * 999, "&" * 99999, 7, "<" * 9999, "f" * 9999)
    more = [CaseResult(f"case-{i}", "<" * 400, "fail") for i in range(400)]
    over = [OverBudget(kind, "&" * 9999, 9, 1, 7, "<" * 9999) for kind in ("memory", "steps", "operations")]
    verdict = Verdict(EXERCISE, "fail", 0.0, [case, *more], over, Diagnosis("key", "<" * 9999, 1), note="&" * 9999)
    html = card.html(verdict)
    parsed(html)
    assert len(html.encode()) <= card.MAX_BYTES
    assert len(card.text(verdict).splitlines()) <= 40 and max(map(len, card.text(verdict).splitlines())) <= 180


def test_a_map_of_noise_still_fits_beside_everything_else():
    rng = np.random.default_rng(0)
    truth = rng.standard_normal((300, 300))
    case = wrong(truth, truth + 10.0 ** rng.uniform(-9, 3, truth.shape), tile=(32, 32))
    html = card.html(failing(case))
    assert len(html.encode()) <= card.MAX_BYTES and "Hint 4 of 4" in html and "|error| of O" in html


def test_a_long_difference_is_dropped_before_the_limit_is_passed():
    verdict = verdict_of(EXERCISE.function)
    verdict.source = (
        "def safe_softmax(x):\n" + "".join(f"    a{i} = '{'&' * 300}'\n" for i in range(2000)) + "    return x\n"
    )
    assert len(
        card.html(verdict).encode()
    ) <= card.MAX_BYTES and f"{verdict.passed} of {verdict.passed} cases" in words(card.html(verdict))


# The rule.


def test_the_rule_is_printed_with_numbers_that_add_up():
    verdict = mutant(EXERCISE, "one maximum is taken over the whole array")
    for shown in (words(card.html(verdict)), " ".join(card.text(verdict).split())):
        number = r"([\d.]+e[+-]\d+)"
        said = re.search(rf"allowed {number} = (\d+) [x×] {number} \(error.*?float32\) \+ {number} \(rounding\)", shown)
        allowed, factor, error, floor = map(float, said.groups())
        assert allowed == pytest.approx(factor * error + floor, rel=0.02)
        assert allowed == pytest.approx(verdict.first_failure.worst.max_bound, rel=0.01)


def test_a_failure_on_average_prints_the_rule_of_the_mean():
    truth = np.linspace(1, 2, 4000)
    want = expect(Output("O"), truth, [truth.astype(np.float32)], Tolerance(), np.dtype(np.float32))
    comparison = compare((truth + 0.7 * want.max_bound).astype(np.float32), want)
    assert not comparison.ok and comparison.max_error is not None and comparison.max_error <= want.max_bound
    case = CaseResult("plain", "biased", "fail", comparison.message, [comparison], outputs=[truth])
    assert "allowed on average" in card.text(failing(case)) and "= 1.5 x" in card.text(failing(case))


@pytest.mark.parametrize("truth, words", [(1.0, ": rounding alone, since"), (0.0, "allowed 0, since")])
def test_the_rule_has_no_term_that_is_nothing(truth, words):
    numbers = np.full((2, 3), truth)  # of which the plain formula, too, has every bit
    want = expect(Output("O"), numbers, [numbers.astype(np.float32)], Tolerance(), np.dtype(np.float32))
    comparison = compare(np.full((2, 3), 7.0, np.float32), want)
    case = CaseResult("plain", "the case", "fail", comparison.message, [comparison], outputs=[numbers])
    shown = " ".join(card.text(failing(case)).split())
    assert words in shown and "written plainly in float32 is not off at all" in shown and "0.00e+00 (" not in shown


def test_there_is_no_rule_where_size_is_not_the_matter():
    nan = failing(wrong(np.ones((2, 3)), np.full((2, 3), np.nan)))
    index = failing(wrong([[1, 2]], [[1, 3]], exact=True))
    for verdict in (nan, index, every_state()["error"]):
        assert "rounding" not in card.text(verdict) and "rounding" not in words(card.html(verdict))


# The map.


def painted(html: str) -> dict[tuple[int, int], float]:
    """(row, column) of every cell that the heat map paints, with its opacity, read back from the path data."""
    cells = {}
    for data, opacity in re.findall(r'<path d="(M[^"]*)" stroke="[^"]*" opacity="([\d.]+)" shape-rendering', html):
        x = y = 0.0
        for command, dx, dy, run in re.findall(r"([Mm])(\d+) ([\d.]+)h(\d+)", data):
            x, y = (float(dx), float(dy)) if command == "M" else (x + float(dx), y)
            for column in range(int(run)):
                cells[int(y), int(x) + column] = float(opacity)
            x += int(run)
    return cells


def test_the_map_paints_the_wrong_tile_and_nothing_else():
    truth = np.random.default_rng(0).standard_normal((40, 24))
    got = truth.astype(np.float32)
    got[32:40, 8:16] += 1
    verdict = failing(wrong(truth, got, tile=(8, 8)))
    assert set(painted(card.html(verdict))) == {(i, j) for i in range(32, 40) for j in range(8, 16)}
    assert "in 1 of the 15 tiles of 8 × 8" in words(card.html(verdict))
    assert card.text(verdict).splitlines()[-6:-1] == ["    ..."] * 4 + ["    .#."]


def test_the_map_shows_the_slice_of_the_worst_element():
    truth = np.zeros((2, 3, 6, 5))
    got = truth.astype(np.float32)
    got[1, 2, 4, 3], got[0, 0, 0, 0] = 2, 1
    found = error_map(wrong(truth, got))
    assert found.title == "O[1, 2, :, :]" and found.worst == (4, 3) and found.wrong == 2 and found.total == 180
    assert [tuple(cell) for cell in np.argwhere(found.levels)] == [(4, 3)]


def test_nan_and_infinity_have_their_own_levels_and_patterns():
    truth = np.ones((4, 4))
    got = truth.astype(np.float32)
    got[0, 0], got[1, 1], got[2, 2] = np.nan, np.inf, 3
    found = error_map(wrong(truth, got))
    assert found.levels[0, 0] == NAN and found.levels[1, 1] == INFINITE and 0 < found.levels[2, 2] < INFINITE
    html = card.html(failing(wrong(truth, got)))
    assert html.count("<pattern") == 2 and "NaN" in words(html) and "infinite" in words(html)


def test_a_larger_error_is_darker():
    truth = np.ones((1, 4))
    cells = painted(card.html(failing(wrong(truth, [[1 + 2e-6, 1.0001, 2, 1e9]]))))
    assert (
        len(cells) == 4 and sorted(cells.values()) == [cells[0, j] for j in range(4)] and len(set(cells.values())) > 2
    )


def test_a_vector_is_a_strip_and_a_number_has_no_map():
    strip = error_map(wrong(np.zeros(9), np.arange(9.0, dtype=np.float32)))
    assert strip.levels.shape == (1, 9) and strip.worst == (0, 8)
    number = failing(wrong(np.float64(1), np.float32(2)))
    assert error_map(number.cases[0]) is None and "|error|" not in card.html(number)


def test_a_wrong_shape_has_no_map():
    assert error_map(wrong(np.zeros((2, 3)), np.zeros((3, 2), np.float32))) is None


def test_an_output_with_a_number_for_each_row_is_cut_as_the_rows_are():
    o, L = np.zeros((20, 4)), np.zeros(20)
    got = L.astype(np.float32)
    got[8:12] = 1
    both = [judged(o, o.astype(np.float32)), judged(L, got, "L")]
    case = CaseResult("plain", "rows", "fail", "", both, outputs=[o, got], tile=(8, 4))
    found = error_map(case)
    assert found.title == "L" and found.tile == (1, 8) and found.wrong_tiles.tolist() == [[False, True, False]]


def test_a_large_output_is_pooled_and_no_error_is_lost():
    truth = np.zeros((1000, 130))
    got = truth.astype(np.float32)
    got[999, 129] = 1
    found = error_map(wrong(truth, got))
    assert max(found.levels.shape) <= 64 and found.levels[-1, -1] > 0 and (found.levels > 0).sum() == 1


def test_integers_are_wrong_or_right():
    html = card.html(failing(wrong([[1, 2, 3]], [[1, 5, 3]], name="indices", exact=True)))
    assert set(painted(html)) == {(0, 1)} and "under 10" not in words(html) and "indices[0, 1] is 5; expected 2" in html


# The plain-text twin.


@pytest.mark.parametrize("state", every_state())
def test_the_text_is_short_and_plain(state):
    shown = card.text(every_state()[state])
    assert shown.isascii() and len(shown.splitlines()) <= 25


def test_the_text_says_what_the_card_says():
    verdict = mutant(EXERCISE, "one maximum is taken over the whole array")
    failed = verdict.first_failure
    html, shown = words(card.html(verdict)), " ".join(card.text(verdict).split())
    for fact in (verdict.headline, failed.name, failed.arguments, failed.message, verdict.diagnosis.mutant):
        assert fact in html and fact in shown
    assert "Hint 2 of 4: where to look" in html
    assert "hint(safe_softmax, 2) shows where to look." in html
    assert "hint(safe_softmax, 2) shows where to look." in shown
    assert "  `tilewise hint safe_softmax 2` shows where to look." in card.text(verdict, True)


# Hints.


def test_the_ladder_opens_in_order_each_rung_inside_the_one_before():
    html = ladder(EXERCISE)
    assert html in card.html(every_state()["fail"])
    places = [html.index(f"safe_softmax: Hint {rung} of 4") for rung in (1, 2, 3, 4)]
    assert places == sorted(places)
    assert html.count("<details") == 4 and "</details>" not in html[: places[-1]]


@pytest.mark.parametrize("state", ["pass", "flagged", "infra"])
def test_no_hints_where_they_do_not_help(state):
    assert "Hint 1" not in card.html(every_state()[state]) and "hint(" not in card.text(every_state()[state])


def test_hint_opens_the_next_rung_and_remembers():
    function = EXERCISE.function
    assert str(hints.hint(function)).startswith("safe_softmax: Hint 1 of 4: the idea")
    assert str(hints.hint(function, 3)).startswith("safe_softmax: Hint 3 of 4")
    assert "Hint 2 of 4" in str(hints.hint(function)) and "Hint 4 of 4: the code" in hints.hint(function)._repr_html_()
    assert "Hint 4 of 4" in str(hints.hint(function)), "at the top of the ladder the last rung stays"


@pytest.mark.parametrize("rung", [0, 5, -1, "2", 1.5])
def test_hint_names_the_rungs_there_are(rung):
    with pytest.raises(ValueError, match="has 4 hints: ask for one from 1 to 4"):
        hints.hint(EXERCISE.function, rung)


def test_hint_takes_the_function_itself():
    with pytest.raises(TypeError, match="takes the function itself"):
        hints.hint("safe_softmax")  # type: ignore[arg-type]


def test_a_cause_shows_code_as_code_and_keeps_a_minus_with_its_number():
    case = CaseResult("plain", "`attend` holds 5 tokens", "fail")
    html = card.html(failing(case, diagnosis=Diagnosis("key", "`window` - 1 keys hold 0 instead of -inf", 2)))
    whole = '<span style="white-space:nowrap">-inf</span>'
    assert "`" not in words(html) and f" - 1 keys hold 0 instead of {whole}." in html


def test_hints_keep_code_and_escape_it():
    text = "Use `a < b` here.\n\n```python\nif a < b:\n    c = '<b>'\n```"
    html = prose(text)
    assert parsed(html).tags.count(("pre", dict(parsed(html).tags[-2][1]))) == 1
    assert "if a &lt; b:\n    c = &#x27;&lt;b&gt;&#x27;" in html and "```" not in html and "`" not in words(html)
    assert plain(text).splitlines()[-2:] == ["    if a < b:", "        c = '<b>'"]


# After a pass.


def test_the_course_version_is_shown_after_a_pass_and_not_before():
    mine = answer("m = x.max(axis=-1, keepdims=True)\nm[m == -np.inf] = 0\ne = np.exp(x - m)\n"
                  "s = e.sum(axis=-1, keepdims=True)\ns[s == 0] = 1\nreturn e / s")  # fmt: skip
    assert mine.status == "pass"
    lines = against_course(mine) or []
    assert ("-", "    e = np.exp(x - m)") in lines and ("+", "    numerator = np.exp(x - shift)") in lines
    assert (" ", "    m = x.max(axis=-1, keepdims=True)") in lines
    assert not any("Softmax along the last axis" in line for _, line in lines), "docstrings do not count"
    assert "numerator = np.exp(x - shift)" in words(card.html(mine)) and "+     numerator" in card.text(mine)
    assert "np.where(l == 0, 1, l)" not in card.html(answer("return x")).split("Hint 1")[0]


def test_the_course_version_itself_is_recognised():
    verdict = verdict_of(EXERCISE.function)
    assert against_course(verdict) == []
    marked = "def safe_softmax(x: np.ndarray) -> np.ndarray:\n    '''Mine.'''\n    ### BEGIN SOLUTION\n"
    verdict.source = marked + EXERCISE.source.split('"""\n')[1] + "    ### END SOLUTION\n"
    assert against_course(verdict) == [] and "one for one" in card.text(verdict)


def test_no_answer_that_is_the_course_s_differs_from_it():
    """Whatever the markers of its holes say, as "from flash_lse" does."""
    answers = [Verdict(exercise, "pass", exercise.points, source=exercise.answer) for exercise in exercises().values()]
    assert {verdict.name for verdict in answers if against_course(verdict) != []} == set()


@pytest.mark.parametrize("source", ["", "def other(x): return x", "def safe_softmax(x:\n", "\0"])
def test_a_source_without_the_function_shows_no_comparison(source):
    verdict = verdict_of(EXERCISE.function)
    verdict.source = source
    assert against_course(verdict) is None and "Compare" not in card.html(verdict)


def test_what_was_used_is_shown_beside_what_is_allowed():
    verdict = verdict_of(EXERCISE.function)
    verdict.measured = {"peak_bytes": 2112, "peak_bytes_allowed": 4000, "steps": 41}
    for shown in (words(card.html(verdict)), card.text(verdict)):
        assert "2.11 kB at the peak (4 kB allowed: " in shown and "41 lines executed" in shown


def test_a_count_of_nothing_that_is_not_bounded_is_not_told():
    """A first kernel's card does not speak of tensor cores."""
    verdict = verdict_of(EXERCISE.function)
    verdict.measured = {"multiplications": 0, "copied_bytes": 0, "bank_conflicts": 0, "steps": 41}
    for shown in (words(card.html(verdict)), card.text(verdict)):
        assert "41 lines" in shown and not any(said in shown for said in ("tensor cores", "cp_async", "conflicts"))


def test_each_bound_stands_in_words_behind_its_own_number_once_and_whole():
    exercise = exercise_named("paged_decode")
    seen = {"loaded_bytes": 10, "stored_bytes": 20, "input_bytes": 30, "busiest_bytes": 40}
    verdict = Verdict(exercise, "pass", exercise.points, [CaseResult("plain", "a", "pass")])
    verdict.measured = seen | {f"{name}_allowed": count for name, count in seen.items()}
    page, shortly = words(card.html(verdict)), " ".join(card.text(verdict).split())
    assert "also counted: traffic, sharing" in shortly and "sharing" in page.split("What else was counted")[1]
    for shown in (page, shortly):
        assert "stored 20 B (20 B allowed: o and L of every split, in float32; o once)" in shown and "..." not in shown
    assert page.count("kernels load half of the inputs at least") == 1


def test_a_budget_that_nobody_counted_is_said_to_be_uncounted():
    """As where a GPU runs the kernels, and no interpreter is there beside it."""
    exercise = exercise_named("fused_softmax")
    verdict = Verdict(exercise, "pass", exercise.points, [CaseResult("plain", "a", "pass")])
    metered = next(i for i, case in enumerate(exercise.cases) if case.budget)
    verdict.measured = measured_counts(exercise, prepare(exercise.name, metered, "public"), Observation())
    for shown in (words(card.html(verdict)), card.text(verdict)):
        assert "not counted on this machine" in shown


def test_how_code_is_broken_is_never_left_to_the_page():
    """JupyterLab's style sheet breaks the lines of pre and code, and within words."""
    lines = "x = tl.load(x_ptr + offsets, mask=mask)\ny = 3"
    made = "".join([*map(card.html, every_state().values()), markup.code(lines), prose(f"```\n{lines}\n```")])
    styles = re.findall(r'<(?:pre|code) style="([^"]*)"', made)
    assert len(styles) == made.count("<pre") + made.count("<code") > 5
    assert [style for style in styles if "white-space:" not in style] == []
