"""What stands in a cell before it is answered: the starter, given back with nothing lost, or an own, earlier answer."""

import shutil

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from autograder.notebook import progress
from autograder.notebook.starters import PASSED, begun, reset
from autograder.notebook.submit import check_files
from autograder.notebook.workspace import prepare
from autograder.spec import notebook
from autograder.spec.catalogue import exercise_named, lesson_named
from autograder.spec.user_error import UserError


@pytest.fixture
def solved(tmp_path, monkeypatch):
    """The solved notebook of a lesson, as the learner's copy."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))

    def copy(topic):
        lesson = lesson_named(topic)
        return shutil.copy(lesson.solved, tmp_path / lesson.notebook.name)

    return copy


def cell(path, grade_id):
    found = nbformat.read(path, as_version=4)
    return next(c for c in found.cells if notebook.grade_id(c) == grade_id)


@pytest.mark.parametrize(
    ("topic", "name", "suffix"), [("softmax", "safe_softmax", "py"), ("cuda_softmax", "block_softmax", "cu")]
)
def test_the_starter_is_back_the_answer_is_kept_and_nothing_else_changes(solved, topic, name, suffix, tmp_path):
    path = solved(topic)
    before = nbformat.read(path, as_version=4)
    answer = cell(path, f"solve-{name}").source
    said = reset(path.stem, name)
    kept = next(tmp_path.glob(f"{name}.before-*.{suffix}"))
    assert (
        kept.name in said
        and "your points stay" in said
        and kept.read_text() == answer.removeprefix(f"%%cuda {name}\n") + "\n"
    )
    assert exercise_named(name).is_starter(cell(path, f"solve-{name}").source)
    assert cell(path, f"check-{name}").outputs == []
    after = nbformat.read(path, as_version=4)
    own = {f"solve-{name}", f"check-{name}"}
    assert [c for c in after.cells if notebook.grade_id(c) not in own] == [
        c for c in before.cells if notebook.grade_id(c) not in own
    ]
    assert [right for _, right in check_files([kept])] == [True]


@pytest.mark.parametrize("trusted", [True, False])
def test_jupyterlab_trusts_what_is_left_as_it_did_before(solved, tmp_path, monkeypatch, trusted):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    path = solved("softmax")
    with NotebookNotary() as notary:
        if trusted:
            notary.sign(nbformat.read(path, as_version=4))
        reset(path.stem, "safe_softmax")
        assert notary.check_signature(nbformat.read(path, as_version=4)) is trusted


def test_a_copy_that_is_a_link_stays_one(solved, tmp_path):
    path = solved("softmax")
    elsewhere = (tmp_path / "elsewhere").with_suffix(".ipynb")
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    reset(path.stem, "safe_softmax")
    assert path.is_symlink() and exercise_named("safe_softmax").is_starter(cell(elsewhere, "solve-safe_softmax").source)


def test_a_starter_stays_and_a_second_answer_is_kept_under_another_name(solved, tmp_path):
    path = solved("softmax")
    reset(path.stem, "safe_softmax")
    assert "is as it was given out" in reset(path.stem, "safe_softmax")
    solved("softmax")
    reset(path.stem, "safe_softmax")
    assert len([*tmp_path.glob("safe_softmax.before-*.py")]) == 2


def test_an_answer_in_another_cell_is_said_to_count(solved):
    path = solved("softmax")
    found = nbformat.read(path, as_version=4)
    found.cells.append(nbformat.v4.new_code_cell("def safe_softmax(x):\n    return x"))
    nbformat.write(found, path)
    assert "Another cell defines safe_softmax too" in reset(path.stem, "safe_softmax")


def test_the_lab_takes_the_copy_for_untouched_again(solved, tmp_path):
    lesson = lesson_named("softmax")
    [*prepare([lesson])]
    path = tmp_path / lesson.notebook.name
    fresh = path.read_text()
    found = nbformat.read(path, as_version=4)
    next(c for c in found.cells if notebook.grade_id(c) == "solve-safe_softmax").source = "def safe_softmax(x): pass"
    nbformat.write(found, path)
    reset(lesson.stem, "safe_softmax")
    assert path.read_text() == fresh


@pytest.mark.parametrize("content", ["{", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}'])
def test_a_copy_without_the_cell_is_left_alone(solved, content):
    path = solved("softmax")
    path.write_text(content)
    with pytest.raises(UserError):
        reset(path.stem, "safe_softmax")
    assert path.read_text() == content


@pytest.fixture
def shell(shell):
    """One with what the lesson on tiled attention sets up."""
    shell.run_cell("import torch\nfrom torch import Tensor\nfrom kernels.tiled_attention import Memory")
    return shell


def test_a_step_opens_with_the_answer_to_the_one_before_once_that_has_passed(shell, capsys):
    first, then = exercise_named("queries_outside"), exercise_named("causal_queries_outside")
    shell.run_cell(then.starter)
    assert shell.rl_next_input is None and "to put your queries_outside here" in then.starter
    said = capsys.readouterr().out
    assert "is as it was given out" in said and "no passing queries_outside of yours is kept" in said
    right = first.answer
    own = right.replace("p.sum(dim=-1)", "p.sum(-1)")
    assert own != right
    shell.run_cell(right.replace("m = m_new", "m = nowhere"))  # this one is wrong, and is not kept
    shell.run_cell(then.starter)
    assert shell.rl_next_input is None
    shell.run_cell(own)
    capsys.readouterr()
    shell.run_cell(then.starter)
    opened = str(shell.rl_next_input)
    assert "p.sum(-1)" in opened and "def causal_queries_outside(" in opened and "visible_tiles" in opened
    assert "Your last passing queries_outside stands here now" in capsys.readouterr().out
    shell.run_cell(opened)
    assert "not attempted" in capsys.readouterr().out and progress.read()[then.name].attempts == 0
    shell.run_cell(opened.replace("    raise NotImplementedError\n", ""))
    assert progress.read()[then.name].attempts == 1


FULL = exercise_named("flash_full").answer


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (FULL, True),
        (FULL.replace("q = tl.load(q_ptr + here)", "qs = tl.load(q_ptr + here)  # mine"), True),
        (
            FULL.replace("    # Every key has been seen.\n", "").replace("    # The tile of queries, and", "    # And"),
            True,
        ),
        ("import triton\n\n" + FULL.replace("head * n_q * D", "head*n_q*D"), True),
        ("def flash_full(q, k, v, scale=None, tile_m=64, tile_n=64):\n    return q", False),
        ("def flash_full(:", False),
        ("", False),
    ],
)
def test_what_was_written_is_found_between_the_given_lines(answer, kept):
    """Also where some of these were changed; an answer without them is left where it is."""
    ragged = exercise_named("flash_ragged")
    found, said = begun(ragged, ragged.starter, {"flash_full": answer}.get)
    assert (found is not None) == kept
    if found:
        assert "for start in range(0, n_k, TILE_N):" in found and "acc / l[:, None]" in found
        assert ragged.has_hole(found)
    else:
        assert said.startswith("Your flash_full has passed, but" if answer else "Nothing opens here yet")


def test_the_parts_of_an_answer_stand_in_the_order_that_is_asked_for():
    causal = exercise_named("flash_causal").answer
    attention = exercise_named("flash_attention")
    text, said = begun(attention, attention.starter, {"flash_causal": causal}.get)
    assert text and said.startswith("Your last passing flash_causal")
    assert text.index("seen_by_any = n_k") < text.index("p = tl.exp2(")


def test_a_kernel_in_cuda_opens_with_the_one_before():
    before = exercise_named("thread_softmax").answer
    block = exercise_named("block_softmax")
    text, _ = begun(block, block.cell(with_solution=False), {"thread_softmax": before}.get)
    assert (
        text
        and text.startswith("%%cuda block_softmax\n")
        and text.count("#error") == 2
        and "// TODO: your thread_softmax stands below" in text
    )
    assert block.has_hole(text)


def test_a_hole_opens_also_when_the_learner_has_written_another_and_nothing_of_that_is_lost():
    before = exercise_named("thread_softmax").answer
    block = exercise_named("block_softmax")
    other = '    // TODO: write this part\n    #error "this part is not written yet"\n'
    mine = "    float total = 0.0f;  // mine\n"
    assert block.starter.count(other) == 1
    opened, _ = begun(block, block.starter, {"thread_softmax": before}.get)
    half, _ = begun(block, "// a note\n" + block.starter.replace(other, mine), {"thread_softmax": before}.get)
    assert opened and half == "// a note\n" + opened.replace(other, mine)


@pytest.mark.parametrize(
    "gone",
    [
        "    # TODO: write this part; run it as it is to put your queries_outside here\n",
        "    raise NotImplementedError",
    ],
)
def test_a_hole_that_was_begun_is_left_alone_and_nothing_is_promised(gone):
    causal = exercise_named("causal_queries_outside")
    assert causal.starter.count(gone) == 1
    assert begun(causal, causal.starter.replace(gone, ""), {"queries_outside": OUTSIDE}.get) == (None, "")


def test_a_kernel_in_a_file_opens_with_the_one_before_as_in_a_cell(shell, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    shell.run_cell("%cuda block_softmax")
    assert "no passing thread_softmax of yours is kept" in capsys.readouterr().out
    (tmp_path / PASSED).mkdir()
    (tmp_path / PASSED / "thread_softmax.txt").write_text(exercise_named("thread_softmax").answer)
    shell.run_cell("%cuda block_softmax")
    assert "Your last passing thread_softmax stands here now" in capsys.readouterr().out
    assert "TODO: your thread_softmax stands below" in (tmp_path / "block_softmax.cu").read_text()


OUTSIDE = exercise_named("queries_outside").answer
SECOND = OUTSIDE.replace("p.sum(dim=-1)", "p.sum(dim=1)")
LAST = '        hbm.store("L"'  # line of the hole


@pytest.mark.parametrize(
    ("answer", "there", "not_there"),
    [
        (OUTSIDE + "\n\nprint(queries_outside)\n# 1.3 ms", "m_new", "print("),
        (OUTSIDE.replace("p.sum(dim=-1)", "p.sum(dim=-2)") + "\n\n" + SECOND, "dim=1", "dim=-2"),
        (OUTSIDE.replace(LAST, f"#   return 0\n{LAST}"), "#   return 0", "\n#"),
        (OUTSIDE.replace(LAST, f"        # TODO: your old stands below; x\n{LAST}"), "m_new", "your old"),
        (OUTSIDE.replace("    ", "\t"), "m_new", "\t"),
    ],
)
def test_what_opens_can_be_run_and_is_the_answer_alone(answer, there, not_there):
    """What stands behind it in its cell, an older version, lines at the margin, what an earlier opening said."""
    causal = exercise_named("causal_queries_outside")
    found, _ = begun(causal, causal.starter, {"queries_outside": answer}.get)
    assert found is not None
    assert there in found and not_there not in found.split("raise NotImplementedError")[1]
    compile(found.replace("    raise NotImplementedError\n", ""), "opened", "exec")


def test_what_belongs_to_another_hole_is_not_moved():
    lost = FULL.replace("        # The new maximum; what was summed is rescaled to it, and the tile is added.\n", "")
    dropout = exercise_named("dropout_forward")
    assert lost != FULL and begun(dropout, dropout.starter, {"flash_full": lost}.get)[0] is None
