"""What a count has to be for an answer to keep within its bounds: one that is too large, one that is too small."""

import numpy as np
import pytest

from autograder.backends.assembly import Compiled
from autograder.judging.limits.budgets import over_budget
from autograder.judging.limits.calls import miscalled
from autograder.judging.limits.compiled import uncompiled
from autograder.judging.limits.operations import asked_of_source, forbidden_at_run_time
from autograder.judging.prepare import prepare
from autograder.runner.failure import Failure
from autograder.runner.meters import METERS
from autograder.runner.meters.spies import MADE, TOOK
from autograder.runner.observe import Observation
from autograder.spec.catalogue import exercise_named
from autograder.spec.index import not_here

pytestmark = pytest.mark.skipif(bool(not_here(exercise_named("flash_causal"))), reason="Triton is not installed here")


def said(name, key, multiplied=(), **counts):
    """What is said of an answer to the exercise `name` of which the case `key` counted so much.

    multiplied: the sizes of its matrix products.
    """
    exercise = exercise_named(name)
    index = [case.key for case in exercise.cases].index(key)
    seen = Observation(multiplied=[list(sizes) for sizes in multiplied])
    for meter, count in counts.items():
        seen.note(meter, count)
    return [(over.kind, over.message) for over in over_budget(exercise, prepare(name, index, "a seed"), seen, "")]


def test_only_lines_of_the_answer_are_quoted():
    exercise = exercise_named("online_softmax_rows")
    index = [case.key for case in exercise.cases].index("traffic")
    seen, source = Observation(), "def f(x):\n    return x\n"
    for line, quoted in ((2, (2, "return x")), (78, (0, "")), (0, (0, ""))):
        seen.note("loaded_bytes", 10**9, line)
        [over] = over_budget(exercise, prepare(exercise.name, index, "a seed"), seen, source)
        assert (over.line, over.text) == quoted
    for text, quoted in (("return x", (2, "return x")), ("", (2, "return x")), ("y = tl.load(p)", (0, ""))):
        report = Compiled("kernel", "H100", failure=Failure("CompilationError", "no", 2, text))
        [over] = uncompiled([report], source, set())
        assert (over.line, over.text) == quoted


ROWS, COLUMNS, TILE = 6, 100, 32  # of the case in which the bytes of a softmax are counted
X = 4 * ROWS * COLUMNS


@pytest.mark.parametrize("kept", [0, COLUMNS % TILE, TILE])
def test_a_program_may_keep_a_tile_of_its_row(kept):
    assert said("online_softmax_rows", "traffic", loaded_bytes=2 * X - 4 * ROWS * kept) == []


@pytest.mark.parametrize("kept", [TILE + 1, COLUMNS])
def test_a_program_that_keeps_more_reads_too_little(kept):
    [(kind, message)] = said("online_softmax_rows", "traffic", loaded_bytes=2 * X - 4 * ROWS * kept)
    assert kind == "traffic" and "at least 4.03 kB" in message


def test_less_is_read_of_rows_of_which_nothing_has_to_be_read_twice():
    assert said("online_softmax_rows", "fully-masked", loaded_bytes=4 * 4 * 40) == []


PRODUCTS = 4 * 2 * 16 * 32 * 16  # four pairs of tiles of 16 x 32 see each other, S and P V with d = 16


def test_tiles_that_are_hidden_are_not_multiplied_either():
    assert said("flash_causal", "traffic-unseen", products=PRODUCTS) == []
    [(kind, _)] = said("flash_causal", "traffic-unseen", products=PRODUCTS + 16 * 32 * 16)
    assert kind == "products"


FLOAT16 = 3 * 2 * 32 * 32 * 128  # three of four pairs of tiles of 32 x 32 see each other, S and P V with d = 128


def test_products_count_in_every_case_and_of_every_dtype():
    assert said("flash_causal", "float16-causal", products=FLOAT16) == []
    [(kind, _)] = said("flash_causal", "float16-causal", products=FLOAT16 + 1)
    assert kind == "products"


def test_tiles_that_are_not_given_are_those_that_the_contract_names():
    seen = 2 * 6 * 2 * 64 * 64 * 16  # two heads, six of nine pairs of tiles of 64 x 64
    assert said("flash_causal", "own-tiles", products=seen) == []
    [(kind, _)] = said("flash_causal", "own-tiles", products=seen + 1)
    assert kind == "products"


@pytest.mark.parametrize("sizes", [(64, 16, 32), (32, 16, 32), (32, 16, 64)])
def test_tiles_that_are_left_to_the_function_are_those_that_it_multiplies(sizes):
    """90 queries, 110 keys, two KV heads with groups of 3: tiles of 64 rows, of which each sees some of 32 keys more;
    their products may be done in halves.
    """
    seen = 2 * sum((2, 3, 3, 4, 4)) * 2 * 64 * 32 * 16
    of_its_own = {"multiplied": [sizes, (sizes[0], sizes[2], 16)], "programs": 10, "widest_access": 64 * 16}
    assert said("packed_attention", "own-tiles", **of_its_own, products=seen) == []
    [(kind, _)] = said("packed_attention", "own-tiles", **of_its_own, products=2 * 5 * 4 * 2 * 64 * 32 * 16)
    assert kind == "products"


def test_where_no_product_tells_of_tiles_there_is_no_bound():
    assert said("packed_attention", "own-tiles", programs=10, widest_access=1024, products=10**9) == []


def test_of_hidden_tiles_that_are_loaded_too_only_the_loads_are_said():
    for meter, kind in (("loaded_bytes", "traffic"), ("asked_elements", "visits")):
        told = said("flash_causal", "traffic-unseen", **{meter: 10**6}, products=3 * PRODUCTS)
        assert [over for over, _ in told] == [kind]


def test_kernels_multiply_what_they_are_there_for():
    assert said("flash_causal", "traffic-unseen", products=PRODUCTS // 2) == []
    [(kind, message)] = said("flash_causal", "traffic-unseen", products=0)
    assert kind == "products" and "at least 32,768" in message


def test_scales_and_weights_may_be_multiplied_and_not_all_pairs_once_more():
    weights, pairs = 4 * 2 * 16 * 32, 8 * 16 * 32 * 16  # with each of the pairs that see each other; all hidden scores
    assert said("flash_causal", "traffic-unseen", products=PRODUCTS, by_number=weights) == []
    for meter in ("by_number", "computed"):  # whatever does it: additions of logarithms, too
        times = 1 if meter == "by_number" else 2
        [(kind, _)] = said("flash_causal", "traffic-unseen", products=PRODUCTS, **{meter: weights + times * pairs})
        assert kind == "products"


def test_of_rows_each_number_may_be_computed_with_a_few_times():
    elements = ROWS * 128  # the tile has a power of two
    assert said("fused_softmax", "traffic", by_number=4 * elements, computed=16 * elements) == []
    [(kind, _)] = said("fused_softmax", "traffic", by_number=COLUMNS * elements)
    assert kind == "products"


def test_kernels_load_the_inputs_themselves():
    assert said("vector_add", "traffic", loaded_bytes=33_600, input_bytes=33_600) == []
    [(kind, message)] = said("vector_add", "traffic", loaded_bytes=16_800, input_bytes=0)
    assert kind == "traffic" and "of the inputs in kernels, at least 16.8 kB" in message
    assert said("vector_add", "ragged", input_bytes=0) == []


@pytest.mark.parametrize(
    ("name", "way", "is_refused"),
    [
        ("online_step", "tolist of floating-point numbers", False),
        ("online_step", "numpy", True),
        ("online_attention", "tolist of floating-point numbers", True),
        ("beam_search", "tolist of floating-point numbers", False),
    ],
)
def test_pythons_numbers_are_refused_where_amounts_are_bounded_and_the_contract_says_so(name, way, is_refused):
    exercise, seen = exercise_named(name), Observation()
    seen.operations[f"torch.Tensor.{way}"] = 1
    assert bool(forbidden_at_run_time(exercise, seen, "")) is is_refused
    assert ("without tolist" in exercise.rules) is (is_refused and "tolist" in way)


@pytest.mark.parametrize(
    ("name", "key", "meter", "kept", "broken"),
    [
        ("lazy_attention", "many-of-both", "normalised", 256, 2000),
        ("online_attention", "few-of-both", "normalised", 2000, 60),
        ("chunked_prefill", "counted", "product_calls", 10, 8),
        ("attention_backward", "large-tiles", "product_calls", 91, 183),
        ("flash_full", "plain", "product_of_a_head", 16 * 16 * 16, 16 * 32 * 16),
        ("flash_causal", "not-causal", "product_of_a_head", 16 * 32 * 16, 16 * 64 * 16),
        ("paged_decode", "mha", "product_of_a_head", 16 * 16 * 128, 16 * 32 * 128),
        ("flash_lse", "traffic", "natural", 0, 1),
        ("flash_lse", "traffic", "rounded", 0, 1),
        ("vector_add", "ragged", "rounded", 1, 100_000),
    ],
)
def test_what_a_contract_says_of_divisions_products_and_powers_is_bounded(name, key, meter, kept, broken):
    kind = next(each.kind for each in METERS if each.name == meter)
    others = {"product_rows": 1} | ({"products": 1} if name == "chunked_prefill" else {})
    assert kind not in dict(said(name, key, **others | {meter: kept}))
    assert kind in dict(said(name, key, **others | {meter: broken}))


@pytest.mark.parametrize(
    ("name", "key", "meter", "kept", "broken"),
    [
        ("naive_attention", "causal", "powers_swayed", 70, 8),
        ("keys_outside", "few-of-both", "powers_swayed", 6, 9),
        ("lazy_attention", "many-keys", "powers_swayed", 9, 17),
        ("softmax_backward", "many-entries", "products", 10_000, 200_000),
        ("merge_lse", "many-rows", "powers", 4 * 200, 7 * 200),
        ("flash_causal", "traffic-unseen", "powers", 2112, 6336),
    ],
)
def test_what_hangs_on_the_last_keys_and_what_rows_multiply_is_bounded(name, key, meter, kept, broken):
    def is_said(count):
        words = {"powers_swayed": "hang on one of the last keys", "powers": "in all"}.get(meter, "in matrix products")
        return any(words in message for _, message in said(name, key, **{meter: count}))

    assert is_said(broken) and not is_said(kept)


def test_a_card_has_one_name_for_each_kind_of_broken_budget():
    assert len({(meter.kind, meter.label) for meter in METERS}) == len({meter.kind for meter in METERS})


@pytest.mark.parametrize("operator", ["aten.amax.default", "aten.max.dim", "aten.topk.default", "aten.amin.default"])
def test_probabilities_are_recomputed_without_a_maximum(operator):
    def refused(operator):
        seen = Observation(operations={operator: 1})
        return forbidden_at_run_time(exercise_named("recompute_probabilities"), seen, "")

    assert refused(operator) and not refused("aten.maximum.default")


@pytest.mark.parametrize(
    ("line", "is_refused"),
    [
        ("m = list(map(np.maximum.reduce, tiles))", True),
        ("m = np.frompyfunc(np.maximum.reduce, 1, 1)(tiles)", True),
        ("m = functools.reduce(np.maximum, tiles)", True),
        ("m = sorted(tiles, key=np.maximum.reduce)", True),
        ("m = np.maximum.reduce(tiles, axis=2)", False),
        ("m = max(1, sorted(sizes)[0])", False),
    ],
)
def test_what_goes_through_tiles_without_lines_is_refused_where_steps_are_counted(line, is_refused):
    source = f"import functools\nimport numpy as np\n\ndef tree_softmax(x, tile):\n    {line}\n    return m"
    assert bool(asked_of_source(exercise_named("tree_softmax"), source)) is is_refused
    assert not asked_of_source(exercise_named("merge_stats"), source.replace("tree_softmax(x, tile)", "merge_stats(a)"))


def test_a_tree_merges_tiles_and_what_it_has_merged():
    exercise, key = exercise_named("tree_softmax"), "plain"
    prepared = prepare(exercise.name, [case.key for case in exercise.cases].index(key), "public")
    _, numbers = exercise.takes["merge_stats"]
    tiles = numbers(prepared.arguments).astype(np.float32).tolist()

    def said(*more):
        numbers = {f"merge_stats{TOOK}": {*tiles, 0.0, -np.inf, *more}, f"merge_stats{MADE}": {77.0}}
        seen = Observation(called={"merge_stats": 2}, numbers=numbers)
        return [over.message for over in miscalled(exercise, prepared, seen) if "not made itself" in over.message]

    assert not said(77.0) and "gives merge_stats 78" in said(77.0, 78.0)[0]


WITH_TORCH = {
    "called": "import torch\ndef naive_softmax(x): return torch.tensor(x)",
    "kept in a list": "import torch\nF = []\nF.append(torch.exp)\ndef naive_softmax(x): return F[0](x)",
    "kept in a class": "import torch\nclass C:\n    t = []\nC.t += [torch.exp]\ndef naive_softmax(x): return C.t[0](x)",
    "used by a helper": "import torch\nT = torch.ones(3)\ndef g(): return T\ndef naive_softmax(x): return g()",
    "by a lambda": "import torch as t\nnaive_softmax = lambda x: t.exp(x)",
}
BESIDE_TORCH = {
    "a demo": "import torch\nx = [1.0]\nprint(naive_softmax(x), torch.ones(3))\ndef naive_softmax(x): return x",
    "a setup": "import torch\nfrom torch import Tensor\n"
    "class A(torch.nn.Module):\n    def f(self) -> Tensor: return 1\n"
    "def naive_softmax(x: Tensor): return x\ntorch.ones(3)",
}  # fmt: skip


@pytest.mark.parametrize("source", WITH_TORCH.values(), ids=list(WITH_TORCH))
def test_another_library_in_what_an_answer_uses_is_seen(source):
    assert "uses torch" in asked_of_source(exercise_named("naive_softmax"), source)[0].message


@pytest.mark.parametrize("source", BESIDE_TORCH.values(), ids=list(BESIDE_TORCH))
def test_another_library_beside_an_answer_costs_nothing(source):
    assert asked_of_source(exercise_named("naive_softmax"), source) == []


@pytest.mark.parametrize(("name", "is_refused"), [("logsumexp", True), ("log", False)])
def test_a_forbidden_name_is_seen_in_a_loop_over_names(name, is_refused):
    source = f"import numpy as np\ndef naive_softmax(x):\n    return [getattr(np, n)(x) for n in ('{name}', 'sum')]\n"
    assert bool(asked_of_source(exercise_named("naive_softmax"), source)) is is_refused


@pytest.mark.parametrize("terms", [100, 350, 450, 700])
def test_a_deep_expression_is_read_or_refused_in_a_sentence(terms):
    source = f"def naive_softmax(x):\n    return {' + '.join(['x'] * terms)}\n"
    assert [limit.message for limit in asked_of_source(exercise_named("naive_softmax"), source)] in (
        [],
        ["is nested so deeply that it cannot be read"],
    )
