"""trace(f): what a kernel touches, step by step, and the pictures of it."""

import itertools
import re
from collections import Counter

import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

from autograder.backends import function_from  # noqa: E402
from autograder.judging.diagnosis.mistakes import mutate  # noqa: E402
from autograder.judging.prepare import PUBLIC_SEED, prepare  # noqa: E402
from autograder.runner.engines.triton import interpreted  # noqa: E402
from autograder.runner.meters.words import in_bytes  # noqa: E402
from autograder.showing.markup import RED  # noqa: E402
from autograder.spec.catalogue import exercise_named  # noqa: E402
from autograder.spec.user_error import UserError  # noqa: E402
from autograder.tracing.film import Film, Frame, Touch  # noqa: E402
from autograder.tracing.filmstrip import strip  # noqa: E402
from autograder.tracing.trace import film, trace, traffic  # noqa: E402
from kernels.causal_flash import flash_attention, flash_causal  # noqa: E402
from kernels.flash_decoding import flash_decode  # noqa: E402
from kernels.flash_forward import flash_full  # noqa: E402
from kernels.fused_softmax import fused_softmax  # noqa: E402
from kernels.kv_cache import KVCache  # noqa: E402
from kernels.paged_attention import paged_decode  # noqa: E402
from kernels.paged_cache import BlockAllocator, PagedCache, PrefixCache  # noqa: E402
from kernels.sampling import Answers  # noqa: E402

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
    assert [frame.moved for frame in shown.frames] == sorted(frame.moved for frame in shown.frames)
    last = {frame.program: frame.own for frame in shown.frames}
    assert sum(last.values()) == shown.frames[-1].moved > 0, "what each program moves adds up"
    assert exercise.kernels


def test_a_causal_trace_leaves_out_the_keys_that_nobody_sees():
    number = 1 + next(i for i, c in enumerate(exercise_named("flash_causal").cases) if c.key == "causal")
    shown = film(flash_causal, number)
    per_program = Counter(frame.program for frame in shown.frames)
    assert len(set(per_program.values())) > 1


def test_the_strip_is_static_svg_with_the_bytes_and_the_statistics():
    shown = trace(flash_attention)
    page = shown._repr_html_()
    assert "<svg" in page and "<script" not in page and "m = " in page
    last = shown.film.frames[-1]
    assert f">this program {in_bytes(last.own)}<" in page and f">so far {in_bytes(last.moved)}<" in page
    assert len(page) < 60_000 and "program 0" in str(shown)


def test_a_long_film_is_cut_and_says_so():
    frames = [Frame((i, 0, 0), [Touch("load", "x_ptr", (i, i), (0, 3))]) for i in range(50)]
    page = strip(Film("rows", frames, {"x_ptr": (50, 4)}))._repr_html_()
    assert "30 more frames" in page and page.count(">program ") == 20


def test_the_slider_holds_every_frame():
    pytest.importorskip("anywidget", reason="anywidget is not installed here")
    shown = trace(flash_full)
    frames = shown.slider().frames
    assert len(frames) == len(shown.film.frames)
    lines = re.findall(r'<text x="0" y="([\d.]+)">', frames[0])
    assert len(lines) == 5 and all(float(b) - float(a) >= 10 for a, b in itertools.pairwise(lines)), "none on another"


def by_key(function, key):
    return 1 + [case.key for case in exercise_named(function.__name__).cases].index(key)


def test_a_paged_kernel_is_seen_to_walk_its_table():
    """Against the table of the case itself: the keys of a step lie in the blocks that these entries name."""
    number = next(
        n for n in range(1, 1 + len(exercise_named("paged_decode").cases))
        if (given := prepare("paged_decode", n - 1, PUBLIC_SEED).arguments)["lengths"][0] > 2 * given["k_pool"].shape[2]
    )  # fmt: skip
    given = prepare("paged_decode", number - 1, PUBLIC_SEED).arguments
    shown = film(paged_decode, number)
    block_size, table = given["k_pool"].shape[2], given["tables"][0].tolist()
    assert list(shown.tensors) == ["q_ptr", "tables_ptr", "keys", "k_ptr", "v_ptr", "o_splits_ptr"]
    assert shown.tensors["k_ptr"] == (len(given["k_pool"]), block_size)
    seen = 0
    for frame in shown.frames:
        touched = {name: [t.rows for t in frame.touches if t.tensor == name] for name in shown.tensors}
        (first, last) = touched["keys"][0]
        assert touched["tables_ptr"] == [(first // block_size, last // block_size)]
        blocks = table[first // block_size : last // block_size + 1]
        assert [rows[0] for rows in touched["k_ptr"]] == [rows[0] for rows in touched["v_ptr"]] == blocks
        assert first == seen
        seen = last + 1
    assert seen == given["lengths"][0], "every key of the sequence, in order, once"
    assert "loads tables entries 0" in str(trace(paged_decode, number))
    assert "k pool" in trace(paged_decode, number).html


@pytest.mark.parametrize("function, kernels", [
    (paged_decode, ["paged_split_kernel", "paged_combine_kernel"]),
    (flash_decode, ["split_decode_kernel", "combine_splits_kernel"]),
])  # fmt: skip
def test_of_several_launches_one_is_chosen(function, kernels):
    number = by_key(function, "ragged") if function is flash_decode else 5
    first, second = trace(function, number), trace(function, number, launch=2)
    assert first.film.kernels == second.film.kernels == kernels
    assert f"Launch 1 of 2, of {kernels[0]}." in first.html
    assert f"trace({function.__name__}, case={number}, launch=2) shows {kernels[1]}." in first.html
    assert "q_ptr" in first.film.tensors and "o_splits_ptr" in second.film.tensors
    with pytest.raises(UserError, match=r"has no launch 3 of .*: ask for one from 1 to 2"):
        trace(function, number, launch=3)


def test_of_a_long_film_s_slider_the_call_is_named_whole():
    frames = [Frame((i, 0, 0), [Touch("load", "x_ptr", (i, i), (0, 3))]) for i in range(50)]
    page = strip(Film("rows", frames, {"x_ptr": (50, 4)}, case=3))._repr_html_()
    assert "trace(rows, case=3).slider()" in page


def test_traffic_counts_a_learner_s_own_experiment():
    x = torch.randn(5, 37)
    counted = traffic(lambda: fused_softmax(x))
    assert (counted.loads, counted.stores) == (x.nbytes, x.nbytes) and "740 bytes loaded" in repr(counted)


def case_of(kind, key):
    """The number of the case with that key."""
    return 1 + [case.key for case in exercise_named(kind.__name__).cases].index(key)


def changed(kind, old, new):
    exercise = exercise_named(kind.__name__)
    assert exercise.source.count(old) == 1
    return function_from(exercise, exercise.source.replace(old, new), "changed")


def mutant(kind, part):
    exercise = exercise_named(kind.__name__)
    return mutate(exercise, next(m for m in exercise.mutants if part in m.name))


FORK = case_of(PagedCache, "fork")


def test_a_paged_cache_is_seen_after_every_operation():
    shown = trace(PagedCache, FORK)
    frames = shown.film.frames
    calls = ["append(0, 6 tokens)", "fork(0 -> 1)", "append(1, 1 token)", "append(0, 2 tokens)"]
    assert [frame.call for frame in frames] == calls
    tables = [{0: [0, 1]}, {0: [0, 1], 1: [0, 1]}, {0: [0, 1], 1: [0, 2]}, {0: [0, 1], 1: [0, 2]}]
    assert [frame.after.tables for frame in frames] == tables
    assert frames[3].after.lengths == {0: 8, 1: 7} and frames[3].after.counts == [2, 1, 1, 0, 0, 0]
    assert [frame.replaced for frame in frames] == [[], [], [(1, 1, 2)], []], "copy-on-write happens once"
    assert [frame.taken for frame in frames] == [{0, 1}, set(), {2}, set()]
    assert not any(list(frame.wrong()) for frame in frames)


def test_the_picture_of_a_paged_cache_is_static_svg_that_names_every_table():
    shown = trace(PagedCache, FORK)
    page, text = shown._repr_html_(), repr(shown)
    assert "<svg" in page and "<script" not in page and len(page) < 20_000 and RED not in page
    assert "append(1, 1 token)" in page and "block 2 in place of 1" in page and "0: 8 tokens" in page
    assert "table of 0 [0, 1], 8 tokens; table of 1 [0, 2], 7 tokens; counts [2, 1, 1, 0, 0, 0]" in text
    links = [len(re.findall(r"C[\d.]+ [\d.]+ [\d.]+ [\d.]+ [\d.]+ 78", frame)) for frame in shown.pictures()]
    assert links == [2, 4, 4, 4], "one from every entry of a table"


def test_a_block_filled_in_part_is_drawn_so():
    first = trace(PagedCache, FORK).pictures()[0]
    assert 'd="M0 32h27v17h-27z"' in first, "six tokens in blocks of four, 18 pixels wide, fill one and a half"


@pytest.mark.parametrize("part, said, frame", [
    ("although another sequence holds it", "block 1 is shared, and written to", 3),
    ("is not given back", "block 1: held by 2, in 1 table", 3),
    ("does not count itself as a holder", "block 0: held by 1, in 2 tables", 2),
    ("parent and child have one table", "block 2: held by 1, in 2 tables", 3),
])  # fmt: skip
def test_what_is_wrong_with_a_paged_cache_is_seen_where_it_happens(part, said, frame):
    shown = trace(mutant(PagedCache, part), FORK)
    wrong = [list(f.wrong()) for f in shown.film.frames]
    assert said in wrong[frame - 1] and not any(wrong[: frame - 1])
    assert f"wrong: {said}" in str(shown) and said in shown.html
    red = [RED in picture for picture in shown.pictures()]
    assert red[frame - 1] and not any(red[: frame - 1])


def test_a_table_that_names_a_free_block_is_drawn():
    number = case_of(PagedCache, "fork-ends")
    shown = trace(mutant(PagedCache, "does not count itself as a holder"), number)
    assert "free(1); table of 0 [0, 1], 6 tokens; counts [0, 0, 0, 0, 0, 0]" in str(shown)
    assert "block 0: free, in 1 table" in shown.html


def test_a_table_that_names_no_block_is_drawn():
    shown = trace(changed(PagedCache, "return torch.tensor(self.tables[sequence]", "return 9 + torch.tensor("
                          "self.tables[sequence]"), FORK)  # fmt: skip
    assert "there is no block 9" in shown.html and len(shown.pictures()) == 4


def test_no_room_is_an_answer_and_changes_nothing():
    shown = trace(PagedCache, case_of(PagedCache, "no-room-for-copy"))
    assert "append(1, 1 token): OutOfBlocks" in str(shown) and RED not in shown.html
    sloppy = mutant(BlockAllocator, "taken one by one")
    assert "raised, and yet something has changed" in str(trace(sloppy, case_of(BlockAllocator, "too-many")))


def test_an_allocator_has_counts_alone():
    shown = trace(BlockAllocator)
    calls = [(frame.call, frame.ended) for frame in shown.film.frames]
    assert calls == [("allocate(8)", str(list(range(8)))), ("free([1])", ""), ("allocate(1)", "[1]")]
    held, freed = [1] * 8 + [0] * 9, [1, 0] + [1] * 6 + [0] * 9
    assert [frame.after.counts for frame in shown.film.frames] == [held, freed, held]
    assert "table" not in shown.html and "allocate(8)" in shown.html


def test_what_an_object_returns_is_escaped():
    shown = trace(changed(BlockAllocator, "return blocks", 'return ["<script>"]'))
    assert "&lt;script&gt;" in shown.html and "<script" not in shown.html


def test_shared_prefixes_say_what_was_cached():
    shown = trace(PrefixCache, case_of(PrefixCache, "all-cached"))
    assert "start(1, 8 tokens) = 4; table of 0 [0, 1], 8 tokens; table of 1 [0], 4 tokens" in str(shown)
    assert "extend(1, 4 tokens)" in shown.html


def test_an_object_that_fails_is_drawn_up_to_there_and_the_rest_is_a_sentence():
    fails = changed(PagedCache, "copies = partly_filled", "copies = partially_filled")
    with pytest.raises(UserError, match=r"PagedCache stopped in append\(0, 6 tokens\) with NameError: name 'partial"):
        trace(fails, FORK)
    fails = changed(PagedCache, "self.allocator.share(self.tables[parent])", "self.allocator.share(self.table[parent])")
    shown = trace(fails, FORK)
    assert [frame.call for frame in shown.film.frames] == ["append(0, 6 tokens)"]
    sentence = "PagedCache stopped in fork(0 -> 1) with TypeError: 'method' object is not subscriptable (line "
    assert sentence in str(shown) and "PagedCache stopped in fork(0 -&gt; 1) with TypeError" in shown.html


@pytest.mark.parametrize("body, why", [
    ("pass", r"takes no arguments"),
    ("def __init__(self, n_blocks):\n        pass", "has no attribute 'counts'"),
])  # fmt: skip
def test_what_fails_outside_of_the_learners_lines_shows_none_of_ours(body, why):
    made = function_from(exercise_named("BlockAllocator"), f"class BlockAllocator:\n    {body}\n", "answer")
    with pytest.raises(UserError, match=rf"BlockAllocator stopped in BlockAllocator\(17\) with .* {why}$"):
        trace(made)


def test_an_object_that_is_not_finished_is_drawn_as_far_as_it_gets():
    exercise = exercise_named("PagedCache")
    starter = function_from(exercise, exercise.starter, "starter")
    with pytest.raises(UserError, match=r"stopped in append\(0, 6 tokens\): append is not attempted yet"):
        trace(starter, FORK)
    old = "k, v = (\n            pool[self.tables[sequence]]"
    shown = trace(changed(PagedCache, old, "raise NotImplementedError\n        " + old), FORK)
    assert shown.film.frames[2].after.lengths == {0: None, 1: None} and "table of 1 [0, 2]; counts" in str(shown)


def test_a_long_case_is_cut_and_its_slider_is_not():
    pytest.importorskip("anywidget", reason="anywidget is not installed here")
    number = case_of(PagedCache, "random-small")
    shown = trace(PagedCache, number)
    assert f"6 more operations: trace(PagedCache, case={number}).slider()" in shown.html
    assert shown.html.count("<li>") == 12 and len(shown.html) < 60_000
    wide = trace(PagedCache, case_of(PagedCache, "random-large"))
    assert "10 more operations" in wide.html and "10 more operations" in str(wide), "six rows of one frame"
    frames = shown.slider().frames
    assert len(frames) == len(shown.film.frames) == 18 and "step 18 of 18" in frames[-1]
    assert len({re.findall(r'viewBox="([^"]+)"', frame)[0] for frame in frames}) == 1, "the slider does not jump"


def test_bad_calls_get_one_sentence():
    with pytest.raises(TypeError, match="the function itself"):
        trace(3)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="launches no kernel"):
        trace(exercise_named("safe_softmax").function)
    with pytest.raises(UserError, match="ask for 1 to"):
        trace(flash_full, 99)
    with pytest.raises(UserError, match="one launch of a Triton kernel can be chosen"):
        trace(PagedCache, launch=2)
    with pytest.raises(UserError, match="KVCache launches no kernel and keeps no blocks; trace shows"):
        trace(KVCache)


def test_a_mistake_in_a_notebook_is_a_sentence_without_a_traceback():
    from nbformat.v4 import new_code_cell, new_notebook

    from autograder.authoring.build import execute

    cells = [
        new_code_cell("%load_ext autograder"),
        new_code_cell("from kernels.softmax import safe_softmax as f; trace(f)"),
    ]
    cells[1].metadata["tags"] = ["raises-exception"]
    (output,) = execute(new_notebook(cells=cells)).cells[1].outputs
    assert output.data["text/plain"].startswith("safe_softmax launches no kernel")


def test_beams_are_drawn_with_whom_they_come_from_and_who_falls_out():
    """Against the moves of the case itself, and blocks that hang on nothing but them."""
    number = case_of(Answers, "beams")
    steps = prepare("Answers", number - 1, PUBLIC_SEED).arguments["steps"]
    moves = [given["parents"] for method, given in steps if method == "grow"]
    shown = trace(Answers, case=number)
    frames = shown.film.frames[1:]
    assert [frame.parents for frame in frames] == moves and not any(list(frame.wrong()) for frame in frames)
    for before, frame in itertools.pairwise(shown.film.frames):
        assert frame.ended_here == [i for i in before.after.tables if i not in frame.parents]
        for name, old, new in frame.replaced:
            assert before.after.tables[frame.parents[name]][-1] == old and frame.after.tables[name][-1] == new
        for i, parent in enumerate(frame.parents):
            assert f"{i} from {parent}: {frame.after.lengths[i]} tokens" in shown.html
    assert "falls out" in shown.html and "falls out" in str(shown)


def test_answers_that_keep_the_fallen_are_drawn_with_a_block_that_no_table_names():
    mutant = next(mutant for mutant in exercise_named("Answers").mutants if mutant.key == "fallen-kept")
    shown = trace(mutate(exercise_named("Answers"), mutant), case=case_of(Answers, "falls-out"))
    assert "in 0 tables" in str(shown) and RED in shown.html
