"""A CUDA exercise from the learner's cell to the grade: cards, magics, listings, submissions."""

import json
import shutil

import nbformat
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from autograder.backends import backend_of
from autograder.backends.cuda import CudaFunction
from autograder.grading.grade import grade_submission
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.notebook.check import check, verdict_of
from autograder.notebook.live.slips import attempted
from autograder.processes.wall import best_level
from autograder.showing import card
from autograder.showing.diff import against_course
from autograder.spec.catalogue import exercise_named
from autograder.spec.user_error import UserError
from autograder.tracing.listing import Listing
from autograder.tracing.trace import trace, traffic

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler on this machine"
)

NAME = "scale_vector"
LEVELS = [level for level in ("bubblewrap", "limits") if level == "limits" or best_level() == level]
LINE = "y[i] = factor * x[i];"


def course():
    return exercise_named(NAME).source


def changed(old, new):
    assert course().count(old) == 1, old
    return course().replace(old, new)


def verdict(text):
    return verdict_of(CudaFunction(NAME, text))


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


# Verdicts and cards. A mistake: what is edited, the status, the headline, and what the card says of it.

MISTAKES = {
    "no compile": (LINE, "y[i] = factor * z[i];", "error", "does not compile", "CompileError: &#x27;z&#x27; was not"),
    "markup": (LINE, '#error "<b>&</b>"\n', "error", "does not compile", "&lt;b&gt;&amp;&lt;/b&gt;"),
    "unguarded": ("if (i < n) {", "{", "error", "out of bounds", "OutOfBounds: thread "),
    "a race": (LINE, f"{LINE}\n y[0] = 1;", "error", "a race", "Race: thread "),
    "wrong": (LINE, "y[i] = x[i];", "fail", "wrong", "the factor is missing"),
    "nothing": (LINE, f"{LINE} if (n < 0) y[n] = 1;", "pass", "right", "right"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_named_on_its_card(what):
    old, new, status, headline, said = MISTAKES[what]
    seen = verdict(changed(old, new))
    assert (seen.status, seen.headline) == (status, headline)
    assert (seen.points == seen.max_points) == (status == "pass")
    html = card.html(seen)
    assert headline in html and said in html and len(html) < 30_000
    assert "<b>&</b>" not in html and headline in card.text(seen)


def test_a_fault_comes_with_its_line_in_the_cell():
    text = changed("if (i < n) {", "{")
    failure = verdict(text).first_failure.failure
    assert (failure.kind, failure.line) == ("OutOfBounds", line_of(text, LINE)) and LINE in failure.text


def test_more_sectors_than_needed_cost_half():
    text = changed("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x * gridDim.x + blockIdx.x")
    seen = verdict(text)
    assert (seen.status, seen.points, seen.headline) == ("partial", seen.max_points / 2, "right, but over budget")
    (over,) = seen.over
    assert over.kind == "sectors" and over.line == line_of(text, LINE) and "sectors of 32 bytes" in over.message
    assert seen.measured["sectors"] > seen.measured["sectors_allowed"]
    assert "sectors of 32 bytes" in card.html(seen)


def test_bytes_read_twice_cost_half():
    text = changed(LINE, f"float twice = *(volatile const float*)(x + i); {LINE} (void)twice;")
    seen = verdict(text)
    assert seen.status == "partial" and {over.kind for over in seen.over} == {"sectors", "traffic"}
    assert seen.measured["loaded_bytes"] == 2 * seen.measured["loaded_bytes_allowed"]


def test_counts_are_those_of_the_budget():
    seen = verdict(course())
    assert seen.status == "pass" and seen.measured["bank_conflicts"] == 0
    assert seen.measured["loaded_bytes"] == seen.measured["stored_bytes"] == seen.measured["loaded_bytes_allowed"]


@pytest.mark.parametrize("text", [None, "%%cuda {}\n", "// %%cuda {}\n"])
def test_the_starter_is_not_attempted(text):
    starter = (text or "").format(NAME) + exercise_named(NAME).starter
    seen = verdict(starter)
    assert (seen.status, seen.points) == ("not_attempted", 0) and not attempted(NAME, CudaFunction(NAME, starter))


def test_behind_a_pass_stands_what_the_course_does_otherwise():
    assert against_course(verdict(course())) == []
    text = changed(LINE, "y[i] = x[i] * factor;")
    signs = [(sign, line.strip()) for sign, line in against_course(verdict(text))]
    assert ("-", "y[i] = x[i] * factor;") in signs and ("+", LINE) in signs
    assert against_course(verdict(f"// %%cuda {NAME}\n// mine\n{course()}")) == [], "comments do not count"


def test_a_kernel_is_called_like_the_courses_function():
    mine = CudaFunction(NAME, changed(LINE, "y[i] = 7;"))
    assert torch.equal(mine(torch.ones(3), 2.0), torch.full((3,), 7.0))
    assert mine.__name__ == NAME and "a CUDA kernel from a cell" in repr(mine)
    exercise = exercise_named(NAME)
    source = backend_of(exercise).source
    assert source(exercise, mine) == mine.text and source(exercise, exercise.function) == course()
    assert torch.equal(exercise_named(NAME).function(torch.ones(3), 2.0), torch.full((3,), 2.0)), "the course's is back"


def test_a_check_is_a_score_with_the_whole_verdict():
    score = check(CudaFunction(NAME, course()))
    assert score == exercise_named(NAME).points and json.dumps(score.to_dict())


# Listings.


def test_trace_lists_what_every_line_moved():
    listing = trace(CudaFunction(NAME, course()))
    n = listing.loads // 4
    assert isinstance(listing, Listing) and listing.loads == listing.stores == 4 * n and listing.conflicts == 0
    row = next(row for row in repr(listing).splitlines() if LINE in row)
    assert row.split()[0] == str(line_of(course(), LINE)) and f"{NAME}, launched once" in repr(listing)
    html = listing._repr_html_()
    assert LINE in html and "<script" not in html and len(html) < 30_000


def test_a_long_line_is_listed_whole():
    """It goes on below itself where a page is narrow."""
    long = LINE + "  // " + "and so on " * 12 + "to here"
    html = trace(CudaFunction(NAME, changed(LINE, long)))._repr_html_()
    assert "to here" in html and "white-space:pre-wrap" in html


def test_a_page_of_code_is_escaped():
    listing = trace(CudaFunction(NAME, f"// <script>\n{course()}"))
    assert "&lt;script&gt;" in listing._repr_html_() and "<script>" not in listing._repr_html_()


def test_traffic_counts_a_launch_of_ones_own():
    mine = CudaFunction(NAME, course())
    listing = traffic(lambda: (mine(torch.ones(64), 2.0), mine(torch.ones(64), 3.0)))
    assert (listing.loads, listing.stores, listing.sectors) == (512, 512, 32)  # 64 floats: 8 sectors
    assert f"{NAME}, launched twice" in repr(listing) or f"{NAME}, launched 2 times" in repr(listing)


def test_trace_says_why_a_kernel_cannot_be_shown():
    with pytest.raises(UserError):
        trace(CudaFunction(NAME, changed("if (i < n) {", "{")))


# In a notebook.


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = InteractiveShell()
    made.run_cell("%load_ext autograder\nimport torch")
    return made


def test_a_cell_with_the_magic_is_checked_at_once(shell, capsys):
    shell.run_cell(f"%%cuda {NAME}\n{course()}")
    assert "right" in capsys.readouterr().out
    again = shell.run_cell(f"check({NAME})").result
    assert again == exercise_named(NAME).points and again.brief
    assert shell.run_cell(f"{NAME}(torch.ones(2), 3.0).tolist()").result == [3.0, 3.0]


def test_lines_are_counted_as_in_the_cell(shell):
    text = changed(LINE, "y[i] = z;")
    shell.run_cell(f"%%cuda {NAME}\n{text}")
    failure = shell.run_cell(f"check({NAME})").result.verdict.first_failure.failure
    assert failure.line == line_of(text, "y[i] = z;") + 1  # below the line of the magic


def test_a_starter_is_not_checked_and_stops_what_needs_it(shell, capsys):
    shell.run_cell(f"%%cuda {NAME}\n{exercise_named(NAME).starter}")
    assert capsys.readouterr().out.startswith(f"{NAME} is as it was given out")
    shell.run_cell(f"%%needs {NAME}\nprint('went on')")
    assert f"needs {NAME}" in capsys.readouterr().out


DEMO = 'extern "C" __global__ void %s(float* y) {\n    y[threadIdx.x] = 5;\n}'


def test_a_kernel_of_ones_own_is_launched_from_the_next_cell(shell, capsys):
    shell.run_cell(f"%%cuda mine\n{DEMO % 'mine'}")
    assert shell.run_cell("y = torch.zeros(4)\nmine[1, 4](y)\ny.tolist()").result == [5.0] * 4
    capsys.readouterr()
    shell.run_cell("mine[1, 5](y)")
    said = capsys.readouterr().out.strip()
    assert said == "mine.cu, line 3: thread 4 writes y[4], which has 4 elements"


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (f"%%cuda\n{DEMO % 'mine'}", "%%cuda takes the name of the kernel"),
        (f"%%cuda two names\n{DEMO % 'mine'}", "%%cuda takes the name of the kernel"),
        (f"%%cuda other\n{DEMO % 'mine'}", "other.cu: defines no kernel"),
        ("%%cuda mine\n" + (DEMO % "mine").replace("= 5", "= five"), "mine.cu, line 3: 'five' was not declared"),
        ("%cuda mine", "%cuda takes the name of a CUDA exercise, not 'mine'; those are: "),
    ],
)
def test_a_mistake_with_a_magic_is_one_sentence(shell, capsys, cell, said):
    shell.run_cell(cell)
    out = capsys.readouterr().out.strip()
    assert out.startswith(said) and len(out.splitlines()) == 1


def test_a_kernel_in_a_file_beside_the_notebook(shell, tmp_path, capsys):
    file = tmp_path / f"{NAME}.cu"
    shell.run_cell(f"%cuda {NAME}")
    assert capsys.readouterr().out.strip().startswith(f"{NAME}.cu was made")
    assert file.read_text() == exercise_named(NAME).starter + "\n"
    assert shell.run_cell(f"check({NAME})").result.verdict.status == "not_attempted"
    file.write_text(course())
    assert shell.run_cell(f"check({NAME})").result == exercise_named(NAME).points
    capsys.readouterr()
    shell.run_cell(f"%cuda {NAME}")
    assert "was made" not in capsys.readouterr().out and file.read_text() == course(), "it is not written over"


# Grades.


def notebook_of(cell):
    return nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])).encode()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("form", ["file", "notebook"])
def test_a_submission_gets_the_points_of_the_check(level, form):
    wrong = changed(LINE, "y[i] = x[i];")
    outside = changed("if (i < n) {", "{")
    broken = changed(LINE, "y[i] = z;")
    for text, status in ((course(), "pass"), (wrong, "fail"), (outside, "error"), (broken, "error")):
        name, data = (
            (f"{NAME}.cu", text.encode()) if form == "file" else ("lesson.ipynb", notebook_of(f"%%cuda {NAME}\n{text}"))
        )
        result = grade_submission(read_answers(Files("somebody", ((name, data),))), [NAME], "a seed", level=level)
        (graded,) = result["exercises"]
        assert graded["status"] == status and result["sandbox"] == level
        if status == "error":
            assert graded["cases"][0]["message"].startswith(("OutOfBounds: thread", "CompileError: 'z' was"))


def test_the_starter_is_nobodys_answer():
    for name, data in (
        (f"{NAME}.cu", exercise_named(NAME).starter.encode()),
        ("lesson.ipynb", notebook_of(f"%%cuda {NAME}\n{exercise_named(NAME).starter}")),
    ):
        (graded,) = grade_submission(read_answers(Files("somebody", ((name, data),))), [NAME], "a seed")["exercises"]
        assert graded["status"] == "not_attempted"


def test_a_file_beside_a_notebook_without_the_kernel_counts():
    files = (("lesson.ipynb", notebook_of("x = 1")), (f"{NAME}.cu", course().encode()))
    (graded,) = grade_submission(read_answers(Files("somebody", files)), [NAME], "a seed")["exercises"]
    assert graded["status"] == "pass"
