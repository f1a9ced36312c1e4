"""Sampling: the draw as a distribution, beam search against all answers, and the model that the lesson gives."""

import inspect
import itertools

import numpy as np
import pytest
import torch

from autograder.spec.catalogue import lesson_named
from kernels import sampling
from kernels.oracles.answers import search
from kernels.paged_cache import PagedCache
from kernels.sampling import Answers, TokenCache, ToyModel, beam_search, draw, filtered

SHARE = np.array([0.4, 0.3, 0.15, 0.1, 0.05], np.float32)
LEVEL, DRAWS = 18.467, 5000  # chi-squared with 4 degrees of freedom is above it once in 1000 times
SEEDS = range(10)


def chi_squared(seed, sampler):
    u = np.random.default_rng(seed).random(DRAWS, dtype=np.float32)
    seen = np.bincount(sampler(np.tile(SHARE, (DRAWS, 1)), np.tile(np.arange(5), (DRAWS, 1)), u), minlength=5)
    return float(((seen - DRAWS * SHARE) ** 2 / (DRAWS * SHARE)).sum())


def test_the_draw_has_the_distribution_at_a_level_of_one_in_a_thousand():
    assert max(chi_squared(seed, draw) for seed in SEEDS) < LEVEL


@pytest.mark.parametrize("wrong", [
    lambda p, index, u: draw(p, index, np.floor(u * 10) / 10),
    lambda p, index, u: draw(p, index, u**1.2),
    lambda p, index, u: draw(p**1.2 / (p**1.2).sum(1, keepdims=True), index, u),
    lambda p, index, u: np.minimum((p.cumsum(1) <= u[:, None]).sum(1) + 1, 4),
])  # fmt: skip
def test_other_distributions_are_told_from_it(wrong):
    assert min(chi_squared(seed, wrong) for seed in SEEDS) > LEVEL


def test_a_seed_gives_the_same_tokens_again_and_greedy_is_the_limit():
    logits = np.random.default_rng(0).standard_normal((64, 40)).astype(np.float32)
    first, again, other = (
        draw(*filtered([logits], 1.0, 40, 0.9), np.random.default_rng(seed).random(64, dtype=np.float32))
        for seed in (1, 1, 2)
    )
    assert (first == again).all() and (first != other).any()
    greedy, cold = filtered([logits], 0.0, 5, 1.0), filtered([logits], 1e-4, 5, 1.0)
    assert (greedy[1][:, 0] == logits.argmax(1)).all() and np.allclose(greedy[0], cold[0], atol=1e-3)


def every_answer(weights, prompt, end, max_tokens, alpha):
    """The scores of all answers, by enumeration."""
    found = {}
    for n in range(1, max_tokens + 1):
        for text in itertools.product(range(len(weights)), repeat=n):
            if end in text[:-1] or (n < max_tokens and text[-1] != end):
                continue
            model, score = ToyModel(weights), 0.0
            cache = model.new_cache(20, 4)
            for before, token in zip([prompt, *([t] for t in text)], text, strict=False):
                score += float(torch.log_softmax(model.step(cache, [0], [before])[0], 0)[token])
            found[text] = score / n**alpha
    return sorted(found.items(), key=lambda item: -item[1])


@pytest.mark.parametrize("seed", range(3))
def test_with_enough_beams_the_best_of_all_answers_are_found(seed):
    weights = 1.5 * torch.randn(3, 3, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    every = every_answer(weights, [1, 2], 0, 4, 0.7)
    scores, tokens = beam_search(weights, [1, 2], len(every), 0, 4, 0.7, 200, 4)
    texts = [tuple(t for t in row if t >= 0) for row in tokens.tolist()]
    assert texts == [text for text, _ in every]
    assert torch.allclose(scores, torch.tensor([score for _, score in every], dtype=torch.float64))
    assert [tuple(text) for text in search(weights, [1, 2], len(every), 0, 4, 0.7).texts] == texts


def test_the_search_that_stops_finds_what_one_that_goes_on_finds():
    for seed in range(20):
        weights = 1.5 * torch.randn(5, 5, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        short = beam_search(weights, [1], 3, 0, 12, 0.6, 200, 4)
        whole = every_step(weights, [1], 3, 0, 12, 0.6)
        assert [text for _, text in whole] == [[t for t in row if t >= 0] for row in short[1].tolist()]


def every_step(weights, prompt, n_beams, end, max_tokens, alpha):
    """The same search without an end before max_tokens."""
    live: list[tuple[float, list[int]]] = [(0.0, [])]
    done: list[tuple[float, list[int]]] = []
    for n in range(1, max_tokens + 1):
        found = []
        for score, text in live:
            model = ToyModel(weights)
            logits = model.step(model.new_cache(50, 4), [0], [prompt + text])[0]
            found += [(score + float(x), [*text, t]) for t, x in enumerate(torch.log_softmax(logits, 0))]
        live, others = [], 0
        for score, text in sorted(found, key=lambda each: -each[0]):
            if others == n_beams:
                break
            others += text[-1] != end
            (done if text[-1] == end or n == max_tokens else live).append((score, text))
        if not live:
            break
    return sorted(((score / len(text) ** alpha, text) for score, text in done), key=lambda each: -each[0])[:n_beams]


def test_tokens_lie_in_the_blocks_in_which_their_keys_would():
    rng = np.random.default_rng(0)
    small, paged = TokenCache(60, 3), PagedCache(60, 3, 1, 1)
    there: list[int] = []
    for new in range(80):
        what = rng.integers(4)
        if what == 0 and there:
            parent = int(rng.choice(there))
            small.fork(parent, new), paged.fork(parent, new)
            there.append(new)
        elif what == 1 and len(there) > 6:
            gone = there.pop(int(rng.integers(len(there))))
            small.free(gone), paged.free(gone)
        else:
            sequence = int(rng.choice(there)) if there and rng.random() < 0.8 else new
            there += [sequence] * (sequence not in there)
            small.append(sequence, new)
            paged.append(sequence, torch.full((1, 1, 1), float(new)), torch.zeros(1, 1, 1))
        assert torch.equal(small.counts(), paged.counts())
        for sequence in there:
            assert torch.equal(small.table(sequence), paged.table(sequence))
            assert small.tokens(sequence) == paged.gather(sequence)[0].flatten().tolist()


def test_a_step_without_room_leaves_everything_as_it_was():
    model = ToyModel(torch.eye(4))
    cache = model.new_cache(2, 2)
    model.step(cache, [0], [[1, 2, 3]])
    before = cache.counts().tolist(), cache.tokens(0)
    with pytest.raises(sampling.OutOfBlocks):
        model.step(cache, [0, 1], [[1], [2]])
    assert (cache.counts().tolist(), cache.tokens(0)) == before and list(cache.tables) == [0]


def test_answers_that_are_forked_need_fewer_blocks_than_copies():
    answers = Answers(torch.eye(4), 12, 4)
    answers.start([1] * 18)
    answers.grow([0] * 6, [0, 1, 2, 3, 0, 1])
    assert int((answers.counts() > 0).sum()) == 4 + 6
    answers.grow([5, 5], [0, 1])
    assert int((answers.counts() > 0).sum()) == 4 + 2


def test_the_lesson_s_setup_is_what_the_module_has():
    source = lesson_named("sampling").source.read_text()
    errors = sampling.OutOfBlocks, sampling.WrongSequence, sampling.NoSuchAnswer
    for given in (*errors, TokenCache, sampling.ToyConfig, ToyModel):
        assert inspect.getsource(given) in source
