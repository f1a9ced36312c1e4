"""trace(f): what a kernel touches, step by step, and the pictures of it."""

import itertools
import re

import pytest
import torch

from autograder import backend

backend.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

from autograder.course import exercise_named  # noqa: E402
from autograder.filmstrip import strip  # noqa: E402
from autograder.mistake import Mistake  # noqa: E402
from autograder.runner.observe import interpreted  # noqa: E402
from autograder.tracing import Film, Frame, Touch, film, trace, traffic  # noqa: E402
from kernels.flash_forward import flash_attention, flash_causal, flash_full  # noqa: E402
from kernels.fused_softmax import fused_softmax  # noqa: E402

pytestmark = pytest.mark.skipif(not interpreted(), reason="kernels are compiled here: this machine has a GPU")


def test_the_frames_of_a_flash_forward_walk_through_the_keys():
    exercise = exercise_named("flash_full")
    shown = film(flash_full)
    rows = {name: size[0] for name, size in shown.tensors.items()}
    programs = {frame.program for frame in shown.frames}
    assert list(rows) == ["q_ptr", "k_ptr", "v_ptr", "o_ptr"] and len(shown.frames) > len(programs)
    for program in programs:
        frames = [frame for frame in shown.frames if frame.program == program]
        read = [t.rows for frame in frames for t in frame.touches if t.tensor == "k_ptr"]
        assert read[0][0] == 0 and read[-1][1] == rows["k_ptr"] - 1  # every key, in order, once
        assert all(before[1] + 1 == after[0] for before, after in itertools.pairwise(read))
        kinds = [[(t.tensor, t.kind) for t in frame.touches] for frame in frames]
        assert ("q_ptr", "load") in kinds[0] and ("o_ptr", "store") in kinds[-1]
        assert all("l" in frame.statistics for frame in frames)
    assert shown.frames[-1].loaded > 0 and shown.frames[-1].stored > 0
    assert exercise.kernels


def test_a_causal_trace_leaves_out_the_keys_that_nobody_sees():
    number = 1 + next(i for i, c in enumerate(exercise_named("flash_causal").cases) if "causal" in c.name.lower())
    shown = film(flash_causal, number)
    per_program = {}
    for frame in shown.frames:
        per_program[frame.program] = per_program.get(frame.program, 0) + 1
    assert len(set(per_program.values())) > 1


def test_the_strip_is_static_svg_with_the_bytes_and_the_statistics():
    shown = trace(flash_attention)
    page = shown._repr_html_()
    assert "<svg" in page and "<script" not in page and "kB in" in page and "m = " in page
    assert len(page) < 60_000 and "program 0" in str(shown)


def test_a_long_film_is_cut_and_says_so():
    frames = [Frame((i, 0, 0), [Touch("load", "x_ptr", (i, i), (0, 3))]) for i in range(50)]
    page = strip(Film("rows", frames, {"x_ptr": (50, 4)}))._repr_html_()
    assert "30 more frames" in page and page.count("program ") == 20


def test_the_slider_holds_every_frame():
    pytest.importorskip("anywidget", reason="anywidget is not installed here")
    shown = trace(flash_full)
    frames = shown.slider().frames
    assert len(frames) == len(shown.film.frames)
    lines = re.findall(r'<text x="0" y="([\d.]+)" font-size="10">', frames[0])
    assert len(lines) == 4 and all(float(b) - float(a) >= 10 for a, b in itertools.pairwise(lines)), "none on another"


def test_traffic_counts_a_learner_s_own_experiment():
    x = torch.randn(5, 37)
    counted = traffic(lambda: fused_softmax(x))
    assert (counted.loads, counted.stores) == (x.nbytes, x.nbytes) and "740 bytes loaded" in repr(counted)


def test_bad_calls_get_one_sentence():
    with pytest.raises(TypeError, match="the function itself"):
        trace(3)
    with pytest.raises(Mistake, match="launches no kernel"):
        trace(exercise_named("safe_softmax").function)
    with pytest.raises(Mistake, match="ask for one from 1 on"):
        trace(flash_full, 99)


def test_a_mistake_in_a_notebook_is_a_sentence_without_a_traceback():
    from nbformat.v4 import new_code_cell, new_notebook

    from autograder.build import execute

    cells = [
        new_code_cell("%load_ext autograder"),
        new_code_cell("from kernels.softmax import safe_softmax as f; trace(f)"),
    ]
    cells[1].metadata["tags"] = ["raises-exception"]
    (output,) = execute(new_notebook(cells=cells)).cells[1].outputs[-1:]
    assert output.output_type == "stream" and output.text.startswith("safe_softmax launches no kernel")
