"""What goes wrong in a notebook before an answer is wrong: each is said in plain words, and none is an attempt."""

import shutil

import pytest

from autograder.backends import cuda, function_from
from autograder.judging.diagnosis.mistakes import mutate
from autograder.notebook import progress
from autograder.notebook.check import check as check_function
from autograder.notebook.check import verdict_of
from autograder.notebook.live import line, names
from autograder.showing import card
from autograder.showing.markup import Shown
from autograder.showing.words.advice import advice
from autograder.spec import interpreter, notebook
from autograder.spec.catalogue import exercise_named, exercises, lesson_named, lessons, near_exercise
from simt import compiler


def said(shell, capsys, cell):
    capsys.readouterr()
    shell.run_cell(cell)
    return capsys.readouterr().out


# A coroutine that nobody awaits is what one case is about.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore:.*never awaited:RuntimeWarning")
@pytest.mark.parametrize("cell, words", [
    ("def safe_softmax(x):\n    y = x", "Is `return` missing?"),
    ("def draw(p, index, u):\n    return p, None", "2 is of type NoneType; expected a numpy array or a number hint("),
    ("def merge_stats(m1, l1, m2, l2):\n    m = m1", "Is `return` missing? It has to return 2 results: m, l."),
    ("def merge_stats(m1, l1, m2, l2):\n    return {}", "a numpy array or a number It has to return 2 results: m, l."),
    ("import torch\ndef number_of_splits(programs, slots, most):\n    return torch.ones(1)", "taken out by `.item()`."),
    ("def safe_softmax(x):\n    yield x", "A function with `yield` in it is a generator: write `return` in its place."),
    ("async def safe_softmax(x):\n    return x", "begins with `async def` is not run when it is called: write `def`."),
    ("def safe_softmax(scores):\n    return scores",
     "its first line has to be: def safe_softmax(x: np.ndarray) -> np.ndarray:"),
    ("def safe_softmax(x, axis):\n    return x", "has to be: def safe_softmax(x: np.ndarray) -> np.ndarray:"),
    ("def safe_softmax(x: np.ndarray):\n    return exp(x)", "name 'exp' is not defined Is `np.exp` meant?"),
    ("import torch.distributed as dist\ndef merge_by_tree(o, L):\n    dist.barrier()\n    return get_rank()",
     "Is `dist.get_rank` meant?"),
    ("def safe_sofmax(x):\n    return x",
     "safe_sofmax is no exercise, so it is not checked; did you mean safe_softmax?\n"),
    ("%%cuda block_sofmax\nextern \"C\" __global__ void block_sofmax(float* x) { x[0] = 1; }",
     "block_sofmax is no exercise, so it is not checked; did you mean block_softmax?\n"),
    ("%%cuda thread_sofmax\nextern \"C\" __global__ void thread_softmax(float* x) { x[0] = 1; }",
     "defines no kernel: extern \"C\" __global__ void thread_sofmax(...)\nthread_sofmax is no exercise; did you mean "
     "thread_softmax?\n"),
    ("// y = factor * x\nextern \"C\" __global__ void scale_vector(float* y) { y[0] = 1; }",
     "This is CUDA C++: make %%cuda scale_vector the first line of this cell, and run it again.\n"),
    ("# mine\n%%cuda scale_vector\nextern \"C\" __global__ void scale_vector(float* y) { y[0] = 1; }",
     "This is CUDA C++: make %%cuda scale_vector the first line of this cell, and run it again.\n"),
    (" %%cuda scale_vector\nextern \"C\" __global__ void scale_vector(float* y) { y[0] = 1; }",
     "This is CUDA C++: make %%cuda scale_vector the first line of this cell, and run it again.\n"),
    ("%% CUDA scale_vector\nextern \"C\" __global__ void scale_vector(float* y) { y[0] = 1; }",
     "This is CUDA C++: make %%cuda scale_vector the first line of this cell, and run it again.\n"),
    ("check = 3", "check is a name of yours now and no longer the course's: `del check` brings that back.\n"),
    ("%cuda thread_softmax\n// by one thread\nextern \"C\" __global__ void thread_softmax(float* y) { y[0] = 1; }",
     "This cell holds it: begin it with %%cuda thread_softmax, and run it again.\n"),
    ("def naive_attention(scores, k, v):\n    return v",
     "be: def naive_attention(q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None) -> "),
    ("safe_sofmax(np.ones(3))", "Did you mean safe_softmax?\n"),
    ("check()", "check(): missing a required argument: 'function'; use it as in check(safe_softmax)\n"),
    ("hint()", "hint(): missing a required argument: 'function'; use it as in hint(safe_softmax)\n"),
    ("trace()", "use it as in trace(flash_attention)\n"),
    ("check(np.exp, 3)", "check(): too many positional arguments; use it as in check(safe_softmax)\n"),
    ("progress(1)", "progress(): too many positional arguments; use it as in progress()\n"),
    ("check_answer('overflow_at')", "check_answer(): missing a required argument: 'value'; use it as in check_answer("),
    ("traffic(3)", "traffic() takes a call that it can make itself, as in traffic(lambda: fused_softmax(x))\n"),
    ("traffic(lambda x: x)", "traffic() takes a call that it can make itself, as in traffic(lambda: "),
])  # fmt: skip
def test_what_went_wrong_is_said_in_plain_words(shell, capsys, cell, words):
    out = said(shell, capsys, cell)
    assert " ".join(words.split()) in " ".join(out.split())


def test_an_answer_that_calls_a_wrong_earlier_one_is_not_accused_of_its_mistake(shell, capsys):
    exercises_of = {name: exercise_named(name) for name in ("merge_stats", "tree_softmax")}
    wrong = mutate(exercises_of["merge_stats"], exercises_of["merge_stats"].mutants[0])
    shell.run_cell(exercises_of["merge_stats"].source)
    shell.run_cell(exercises_of["tree_softmax"].source)
    assert "merge_stats" not in said(shell, capsys, exercises_of["tree_softmax"].source)
    check_function(wrong)
    shell.user_ns["merge_stats"] = wrong
    shown = " ".join(said(shell, capsys, exercises_of["tree_softmax"].source).split())
    assert "calls your merge_stats, not right at the last check: mend that first" in shown
    assert "Your answer is what you get when" not in shown


def test_what_is_said_is_no_print_whose_words_jupyterlab_breaks(shell, monkeypatch):
    shown = list[Shown]()
    monkeypatch.setattr(line, "display", shown.append)
    shell.run_cell("def safe_sofmax(x):\n    return x")
    (said,) = shown
    assert "did you mean safe_softmax?" in said.html and "pre-wrap" in said.html


def test_a_method_with_another_parameter_is_told_its_first_line(shell, capsys):
    exercise = exercise_named("KVCache")
    assert exercise.source.count("def append(self, k") == 1
    other = exercise.source.replace("def append(self, k", "def append(self, keys")
    shown = " ".join(card.text(verdict_of(function_from(exercise, other, "other"))).split())
    assert "its first line has to be: def append(self, k: Tensor, v: Tensor)" in shown


def test_a_method_without_self_is_told_its_first_line():
    exercise = exercise_named("BlockAllocator")
    other = exercise.source.replace("def share(self, blocks", "def share(blocks")
    shown = " ".join(card.text(verdict_of(function_from(exercise, other, "other"))).split())
    assert "its first line has to be: def share(self, blocks: list[int]) -> None:" in shown


@pytest.mark.skipif(not interpreter.has_triton(), reason="Triton is not installed here")
def test_a_name_that_a_kernel_lacks_is_found_in_the_module_that_the_kernel_uses():
    exercise = exercise_named("combine_splits")
    other = exercise.source.replace("tl.exp(", "exp(")
    shown = " ".join(card.text(verdict_of(function_from(exercise, other, "other"))).split())
    assert "name 'exp' is not defined" in shown and "Is `tl.exp` meant?" in shown  # torch has an exp, too


@pytest.mark.skipif(not interpreter.has_triton(), reason="Triton is not installed here")
@pytest.mark.parametrize("right, slip, words", [
    ("@triton.jit\n", "", "Is `@triton.jit` missing above row_max_kernel?"),
    ("row_max_kernel[(rows,)](", "row_max_kernel(", "row_max_kernel has no grid here; a kernel is launched as in"),
    ("[(rows,)]", "[rows]", "A grid is a tuple, as in `kernel[(n,)](...)`."),
    ("[(rows,)]", "[(rows / 1,)]", "A grid has whole numbers; `triton.cdiv` rounds up."),
    ("j < cols", "j < x_ptr.shape[1]", "an address, without a shape: the launcher hands over what it has to know."),
    ("[(rows,)]", "[(rows, rows.x)]", ""),
])  # fmt: skip
def test_a_slip_in_a_first_kernel_or_its_launch_is_told_in_the_words_of_the_lesson(right, slip, words):
    exercise = exercise_named("row_max")
    assert exercise.source.count(right) == 1
    verdict = verdict_of(function_from(exercise, exercise.source.replace(right, slip), f"with {slip}"))
    assert (failed := verdict.first_failure) is not None
    assert (words in advice(verdict, failed)) if words else not advice(verdict, failed)


@pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed here")
@pytest.mark.parametrize("right, slip, words", [
    ("int i =", "i =", "`int i = ...;` declares a variable with its type."),
    ("{  //", "{  #", "A comment begins with `//`."),
    ("if (i < n)", "if i < n", "A condition stands in brackets, as in `if (i < n) { ... }`."),
    ("+ threadIdx.x", "+ threadIdx", "`threadIdx` and its like are three numbers each; the first is `threadIdx.x`."),
    ("y[i] =", "x[i] =", "What a `const` pointer leads to is only read."),
    ("y[i] =", "return", "A kernel returns nothing: it stores what it has found."),
    ("y[i] =", "syncthreads(); y[i] =", "CUDA's own functions begin with two underscores, as in `__syncthreads()`."),
    ("y[i] =", "y[j] =", ""),
])  # fmt: skip
def test_pythons_habits_in_a_first_cuda_kernel_are_told_what_cpp_has_instead(monkeypatch, right, slip, words):
    monkeypatch.setattr(cuda, "runs_cuda", lambda: False)
    exercise = exercise_named("scale_vector")
    assert exercise.source.count(right) == 1
    verdict = verdict_of(function_from(exercise, exercise.source.replace(right, slip), f"with {slip}"))
    assert (failed := verdict.first_failure) is not None and advice(verdict, failed) == words


@pytest.mark.skipif(not interpreter.has_triton(), reason="Triton is not installed here")
def test_a_call_of_triton_with_too_few_arguments_has_its_line():
    exercise = exercise_named("dropout")
    wrong = exercise.source.replace("rows[:, None], head, offset)", "rows[:, None], head)")
    failed = check_function(function_from(exercise, wrong, "wrong")).verdict.first_failure.failure
    assert "philox() missing 1 required" in failed.message and failed.text.endswith("rows[:, None], head)")


def test_an_error_of_the_learners_own_is_not_explained_away(shell, capsys):
    helper = "def half(x):\n    return x\n\n\ndef safe_softmax(x):\n    return half(y=x)"
    assert "first line has to be" not in said(shell, capsys, helper)


def test_names_that_lessons_make_are_not_taken_for_slips():
    """No lesson's own helper, run as the lesson stands, may be said to be a misspelt exercise."""
    taken: dict[str, str] = {}
    for lesson in lessons():
        for cell in notebook.read(lesson.notebook.read_text()).cells:
            if cell.cell_type == "code":
                taken |= {name: near for name in names.bound_by(cell.source) if (near := near_exercise(name))}
    assert not taken


def test_what_is_solved_is_no_slip(shell, capsys):
    shell.run_cell(exercise_named("naive_softmax").source)
    assert "did you mean" not in said(shell, capsys, "def naive_softmax2(x):\n    return x")


def test_an_exercise_that_is_misspelled_once_it_is_solved_is_pointed_out(shell, capsys):
    source = exercise_named("naive_softmax").source
    shell.run_cell(source)
    assert "did you mean naive_softmax?" in said(shell, capsys, source.replace("def naive_softmax", "def naive_sofmax"))


@pytest.mark.parametrize("name", ["MASK", "ToyModel"])
def test_a_name_of_another_cell_that_an_answer_lacks_is_explained(shell, capsys, monkeypatch, name):
    monkeypatch.setenv("JPY_SESSION_NAME", "28_sampling.ipynb")
    out = said(shell, capsys, f"def draw(p, index, u):\n    return {name}")
    assert ("has not run a cell that makes ToyModel" in out) == (name == "ToyModel")


# A compiler that is not there.


def test_without_a_compiler_a_kernel_cannot_be_checked_and_that_is_no_attempt(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(cuda, "runs_cuda", lambda: False)
    compiler.compiler.cache_clear()
    score = check_function(exercise_named("block_softmax").function)
    said = "block_softmax cannot be checked here: CUDA C++ without a GPU needs a C++ compiler"
    assert float(score) == 0 and said in str(score)
    assert "cannot be checked here" in score._repr_html_() and "block_softmax" not in progress.read()


def test_a_lessons_kernel_that_could_not_be_compiled_is_not_said_to_wait_for_its_cell(shell, capsys, monkeypatch):
    stem = next(lesson.stem for lesson in lessons() if lesson.topic == "cuda_softmax")
    monkeypatch.setenv("JPY_SESSION_NAME", f"work/{stem}.ipynb")
    monkeypatch.setattr(names, "runs_cuda", lambda: False)
    assert said(shell, capsys, "sum_by_thread[1, 64]()").startswith(
        "This kernel has not run a cell that makes sum_by_thread"
    )
    monkeypatch.setattr(shutil, "which", lambda name: None)
    compiler.compiler.cache_clear()
    cannot = f"sum_by_thread is a kernel of this lesson that cannot be compiled here: {compiler.MISSING}.\n"
    assert said(shell, capsys, "sum_by_thread[1, 64]()") == cannot
    assert said(shell, capsys, "torch.ones(3)").startswith("This kernel has not run a cell that makes torch"), (
        "what Python makes is there"
    )


# What an answer prints.

CHATTY = "def safe_softmax(x):\n    for i in range({}):\n        print('line', i, '<b>')\n    return x + {}"


def test_what_an_answer_prints_comes_after_the_card_and_is_little(shell, capsys):
    out = said(shell, capsys, CHATTY.format(3000, 1))
    card, _, printed = out.partition("What the answer printed in case 1 (the first 20 of 3,000 lines):")
    assert card.startswith("safe_softmax: wrong") and "line 0" not in card
    assert [line.strip() for line in printed.strip().splitlines()] == [f"line {i} <b>" for i in range(20)]
    html = shell.run_cell(CHATTY.format(3000, 2) + "\ncheck(safe_softmax)").result._repr_html_()
    assert html.count("line ") <= 21 and "<b>" not in html[html.index("What the answer printed") :]
    assert html.index("What the answer printed") > html.index("safe_softmax: Hint 4")


def test_so_it_is_with_printf_in_a_kernel(shell, capfd):
    cell = notebook.answers(notebook.read(lesson_named("cuda_softmax").solved.read_text()), ["thread_softmax"])
    head, brace, body = next(iter(cell.values())).partition("{\n")
    capfd.readouterr()
    shell.run_cell(head + brace + 'printf("thread %d\\n", threadIdx.x); return;\n' + body)
    card, _, printed = capfd.readouterr().out.partition("What the answer printed in case 1 (the first 20 of ")
    assert card.startswith("thread_softmax: wrong") and "thread 0" not in card and printed.count("thread ") == 20


def test_what_a_right_answer_prints_is_folded_and_a_call_of_ones_own_prints_all(shell, capsys):
    before, quotes, body = exercise_named("safe_softmax").source.rpartition('"""\n')
    card = said(shell, capsys, f"{before}{quotes}    print('called')\n{body}")
    assert "safe_softmax: right" in card and card.count("What the answer printed in case 1 (all of it)") == 1
    assert said(shell, capsys, "y = safe_softmax(np.ones(3))") == "called\n"


def test_what_a_right_answer_over_its_budget_prints_is_shown_of_a_case_that_is_made_for_the_budget(shell, capsys):
    entries = (
        "import torch\n\ndef score_gradients(p, v, o, do):\n"
        "    print('queries:', len(p))\n    ds = torch.zeros_like(p)\n"
        "    for i in range(p.shape[0]):\n        for j in range(p.shape[1]):\n"
        "            ds[i, j] = p[i, j] * (torch.dot(do[i], v[j]) - torch.dot(do[i], o[i]))\n    return ds"
    )
    out = said(shell, capsys, entries)
    assert "score_gradients: right, but over budget" in out and "queries: 100" in out


def test_what_is_printed_when_the_answer_is_called_once_more_is_not_shown(shell, capsys):
    """A check calls a function twice where that is cheap, the first time with other numbers."""
    out = said(shell, capsys, "def safe_softmax(x):\n    print('once')\n    return x")
    assert out.count("once") == 1 and "(all of it)" in out


# A kernel that was started again.


def test_a_lessons_name_in_a_new_kernel_says_what_to_do(shell, capsys, monkeypatch):
    stem = next(lesson.stem for lesson in lessons() if lesson.topic == "triton_kernels")
    monkeypatch.setenv("JPY_SESSION_NAME", f"work/{stem}.ipynb")
    out = said(shell, capsys, "x = torch.ones(3)")
    assert out == "This kernel has not run a cell that makes torch: choose Run, Run All Above Selected Cell.\n"
    assert "Traceback" in said(shell, capsys, "x = something_of_mine"), "what no cell makes keeps its traceback"
    shell.run_cell("import torch")
    assert "Traceback" in said(shell, capsys, "def f():\n    return torc\nf()")
    monkeypatch.setenv("JPY_SESSION_NAME", "work/my_own.ipynb")
    assert "Traceback" in said(shell, capsys, "y = triton")


def test_a_copy_under_another_name_is_known_by_what_it_says_of_itself(shell, capsys, monkeypatch, tmp_path):
    copy = tmp_path / "Übung 8 - Copy1.ipynb"
    shutil.copy(lesson_named("triton_kernels").notebook, copy)
    monkeypatch.setenv("JPY_SESSION_NAME", str(copy))
    assert said(shell, capsys, "x = torch.ones(3)").startswith("This kernel has not run a cell that makes torch: ")


def test_an_exercise_of_another_lesson_is_said_to_be_one(shell, capsys):
    lesson = lesson_named("softmax").notebook.name
    said_of = f"safe_softmax is an exercise of {lesson}, and this kernel has run no cell that makes it.\n"
    assert said(shell, capsys, "check(safe_softmax)") == said_of


def test_needs_guards_what_earlier_cells_make(shell, capsys):
    shell.run_cell(exercise_named("safe_softmax").starter)
    cell = "%%needs safe_softmax scores\nprint('ran')"
    wanting = "This kernel has not run a cell that makes {}: choose Run, Run All Above Selected Cell.\n"
    assert said(shell, capsys, cell) == wanting.format("scores")
    shell.run_cell("scores = 1")
    assert said(shell, capsys, cell).startswith("This cell needs safe_softmax: solve it first, then run")
    shell.run_cell(exercise_named("safe_softmax").source)
    assert said(shell, capsys, cell) == "ran\n"
    assert said(shell, capsys, "%%needs naive_softmax\nprint('ran')") == wanting.format("naive_softmax")


def test_several_that_are_needed_are_listed(shell, capsys):
    names = ["safe_softmax", "log_sum_exp", "naive_softmax"]
    for name in names:
        shell.run_cell(exercise_named(name).starter)
    wanting = "This cell needs safe_softmax, log_sum_exp and naive_softmax: solve them first, then run"
    assert said(shell, capsys, f"%%needs {' '.join(names)}\nprint('ran')").startswith(wanting)


def test_a_check_that_ran_before_its_answer_speaks_of_its_moment(shell, capsys):
    """It stays below the card of the answer that is written then."""
    shell.run_cell(exercise_named("safe_softmax").starter)
    score = shell.run_cell("check(safe_softmax)").result
    assert "Not attempted when this cell ran: " in str(score) and "when this cell ran" in score._repr_html_()
    shell.run_cell(exercise_named("safe_softmax").source)
    assert "when this cell ran" not in str(shell.run_cell("check(safe_softmax)").result)


def test_loading_it_twice_is_loading_it_once(shell, capsys):
    shell.run_line_magic("load_ext", "autograder.notebook.extension")
    out = said(shell, capsys, "def naive_softmax(x):\n    return x")
    assert out.count("naive_softmax: ") == 1


def test_every_exercise_is_near_itself_alone():
    found = {name: near for name in exercises() if (near := near_exercise(f"{name[:-2]}{name[-1]}"))}
    assert found == {name: name for name in found} and len(found) > 0.8 * len(exercises())


@pytest.mark.parametrize("old, new, words", [
    ("return chunks", "chunks", "plan returns nothing: is `return` missing?"),
    ("class Engine", "from kernels.continuous_batching import Engine as E\nclass Engine(E)", "without an import"),
])  # fmt: skip
def test_a_class_is_told_what_its_error_hides(old, new, words):
    from autograder.grading.grade import verdicts_for
    from autograder.grading.reading.files import Files
    from autograder.grading.reading.submission import read_answers
    from autograder.showing import card

    text = exercise_named("Engine").source.replace(old, new)
    answers = read_answers(Files("ada", (("a.py", text.encode()),)))
    (verdict,), _ = verdicts_for(answers, ["Engine"], "a seed")
    assert words in " ".join(card.text(verdict).split())
