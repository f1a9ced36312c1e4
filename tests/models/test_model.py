"""The model over its cache: the logits of the dense pass, whatever is read in which piece and by which kernels."""

from dataclasses import replace

import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()

from kernels.causal_flash import flash_attention  # noqa: E402
from kernels.flash_backward import attention_with_gradients  # noqa: E402
from kernels.language_model import Config, LanguageModel, Parts, Scaling, trainable  # noqa: E402
from kernels.paged_attention import paged_decode, paged_prefill  # noqa: E402
from kernels.paged_cache import OutOfBlocks  # noqa: E402
from kernels.sampling import Answers  # noqa: E402
from models.own import on_gpu  # noqa: E402
from models.training import new_model  # noqa: E402

SMALL = Config(vocabulary=31, width=24, layers=2, heads=6, kv_heads=2, d=16, hidden=40)
TOKENS = torch.randint(31, (40,), generator=torch.Generator().manual_seed(3)).tolist()


@pytest.fixture(scope="module")
def model():
    return new_model(SMALL)


@pytest.fixture(scope="module")
def dense(model):
    with torch.no_grad():
        return model.logits(torch.tensor([TOKENS]))[0]


def close(found, wanted):
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("split", range(1, 17))
def test_prefill_and_decode_are_the_dense_pass_at_every_split(model, dense, split):
    cache = model.new_cache(8, 3)
    close(model.step(cache, [5], [TOKENS[:split]]), dense[None, split - 1])
    for at in range(split, 17):
        close(model.step(cache, [5], [TOKENS[at : at + 1]]), dense[None, at])


def test_a_batch_of_prompts_chunks_and_single_tokens(model, dense):
    cache = model.new_cache(30, 4)
    model.step(cache, [1, 2], [TOKENS[:9], TOKENS[:4]])
    found = model.step(cache, [3, 1, 2, 4], [TOKENS[:7], TOKENS[9:10], TOKENS[4:12], TOKENS[:1]])
    close(found, dense[[6, 9, 11, 0]])
    assert [cache.length(sequence) for sequence in (1, 2, 3, 4, 9)] == [10, 12, 7, 1, 0]


def test_with_the_kernels_of_triton_it_is_the_same(model, dense):
    pytest.importorskip("triton")
    given = replace(Parts(), prefill=paged_prefill, decode=paged_decode)
    other = LanguageModel(SMALL, {name: x.detach() for name, x in model.weights.items()}, given)
    cache = other.new_cache(12, 4)
    close(other.step(cache, [1, 2], [TOKENS[:9], TOKENS[:1]]), dense[[8, 0]])
    close(other.step(cache, [1, 2], [TOKENS[9:10], TOKENS[1:6]]), dense[[9, 5]])


def test_what_trains_on_a_gpu_gives_the_gradients_of_what_trains_without():
    pytest.importorskip("triton")
    q, k, v = (torch.randn(1, heads, 20, 16, requires_grad=True) for heads in (4, 2, 2))
    do = torch.randn(1, 4, 20, 16)
    with_kernels = replace(Parts(), **on_gpu(flash_attention, attention_with_gradients))
    results = [trainable(parts)(q, k, v) for parts in (Parts(), with_kernels)]
    close(*(torch.cat([o, *torch.autograd.grad(o, (q, k, v), do)], dim=1) for o in results))


def test_forks_share_a_prompt_and_go_their_own_ways(model, dense):
    cache = model.new_cache(9, 4)
    model.step(cache, [0], [TOKENS[:10]])
    cache.fork(0, 1)
    cache.fork(0, 2)
    assert cache.counts().tolist() == [3, 3, 3, *6 * [0]]
    found = model.step(cache, [0, 1, 2], [TOKENS[10:11], [7], TOKENS[10:13]])
    close(found[[0, 2]], dense[[10, 12]])
    with torch.no_grad():
        close(found[1], model.logits(torch.tensor([[*TOKENS[:10], 7]]))[0, -1])
    assert int((cache.counts() > 0).sum()) == 6, "two copies of the half-filled block, and one block for what is new"
    for sequence in (0, 1, 2):
        cache.free(sequence)
    assert cache.counts().tolist() == 9 * [0]


def test_the_copies_that_forks_need_are_counted_and_no_more(model):
    """Two of three continue in copies of the shared block, and the last one keeps the original."""
    cache = model.new_cache(3, 4)
    model.step(cache, [0], [TOKENS[:3]])
    cache.fork(0, 1)
    cache.fork(0, 2)
    model.step(cache, [0, 1, 2], [[1], [2], [3]])
    assert cache.counts().tolist() == [1, 1, 1]


def everything(cache):
    return [(c.k.clone(), c.v.clone(), c.counts(), dict(c.lengths), str(c.tables)) for c in cache.layers]


def test_without_room_nothing_changes(model, dense):
    cache = model.new_cache(5, 4)
    model.step(cache, [0], [TOKENS[:7]])
    cache.fork(0, 1)
    before = everything(cache)
    with pytest.raises(OutOfBlocks):
        model.step(cache, [0, 1, 2], [TOKENS[7:8], TOKENS[7:8], TOKENS[:9]])
    for one, other in zip(before, everything(cache), strict=True):
        torch.testing.assert_close(one[:3], other[:3], equal_nan=True)
        assert one[3:] == other[3:]
    close(model.step(cache, [0, 2], [TOKENS[7:8], TOKENS[:8]]), dense[[7, 7]])


def test_generated_text_ends_at_a_stop_and_at_its_length(model):
    said = list(model.generate(TOKENS[:5], 12))
    assert len(said) == 12
    stop = said[4]
    assert list(model.generate(TOKENS[:5], 12, stop=[stop])) == said[: said.index(stop)]


def test_slow_pairs_are_stretched_and_fast_ones_stay():
    plain = replace(SMALL, d=64, theta=500000.0)
    scaled = replace(plain, scaling=Scaling(factor=8.0, low=1.0, high=4.0, length=8192))
    ratio = plain.frequencies() / scaled.frequencies()
    turns = 8192 * plain.frequencies() / (2 * torch.pi)
    torch.testing.assert_close(ratio[turns > 4], torch.ones(int((turns > 4).sum())))
    torch.testing.assert_close(ratio[turns < 1], torch.full((int((turns < 1).sum()),), 8.0))
    between = ratio[(turns > 1) & (turns < 4)]
    assert len(between) and (between > 1).all() and (between < 8).all()


def test_answers_are_written_over_the_model_as_over_the_toy(model, dense):
    """The cache tells tables and tokens, and a step in which nobody is left says nothing."""
    answers = Answers(model, 12, 4)
    close(answers.start(TOKENS[:6]), dense[[5]])
    found = answers.grow([0, 0], [TOKENS[6], 7])
    close(found[0], dense[6])
    assert answers.tokens(0).tolist() == TOKENS[:7] and answers.tokens(1).tolist() == [*TOKENS[:6], 7]
    assert answers.table(0)[0] == answers.table(1)[0] and answers.table(0)[1] != answers.table(1)[1]
    assert answers.grow([], []).shape == (0, 31)
    assert not answers.counts().any() and not answers.cache.texts
