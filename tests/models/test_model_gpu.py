"""The model, the engines and the search on a GPU, with the kernels of Triton: they say what they say without one."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from autograder.spec import interpreter

interpreter.choose()
pytest.importorskip("triton", reason="Triton is not installed on this machine")

from kernels.causal_flash import flash_attention  # noqa: E402
from kernels.continuous_batching import Engine, PreemptingEngine  # noqa: E402
from kernels.flash_backward import attention_with_gradients  # noqa: E402
from kernels.language_model import LanguageModel, Parts  # noqa: E402
from kernels.paged_attention import paged_decode, paged_prefill  # noqa: E402
from kernels.sampling import beam_search, draw, filtered  # noqa: E402
from models.maps import attention_maps  # noqa: E402
from models.own import on_gpu  # noqa: E402
from models.training import SMALL, first_losses, new_model  # noqa: E402

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU on this machine")]
DEVICE = "cuda"
TINY = replace(SMALL, vocabulary=31, width=32, layers=2, d=16, hidden=40)
TOKENS = torch.randint(31, (40,), generator=torch.Generator().manual_seed(3)).tolist()


def with_kernels():
    trains = on_gpu(flash_attention, attention_with_gradients)
    return replace(Parts(), prefill=paged_prefill, decode=paged_decode, **trains)


@pytest.fixture(scope="module")
def models():
    """The same weights without a GPU, in torch, and on it."""
    weights = {name: 3 * x.detach() for name, x in new_model(TINY).weights.items()}
    there = {name: x.to(DEVICE) for name, x in weights.items()}
    return LanguageModel(TINY, weights), LanguageModel(TINY, there, with_kernels())


def close(found, wanted):
    torch.testing.assert_close(found.cpu(), wanted.cpu(), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("parts", [Parts(), with_kernels()], ids=["torch", "triton"])
def test_the_curve_of_the_first_steps_is_that_of_sdpa(parts):
    def sdpa(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)

    theirs = first_losses(parts, sdpa)
    strayed = max((first_losses(parts, sdpa, seed=seed) - theirs).abs().max() for seed in (1, 2, 3, 4))
    assert (first_losses(parts) - theirs).abs().max() <= 2 * strayed
    assert theirs[-1] < theirs[0] - 0.5


def test_prefill_chunks_and_decoding_are_the_dense_pass(models):
    cpu, gpu = models
    with torch.no_grad():
        dense = cpu.logits(torch.tensor([TOKENS]))[0]
        close(gpu.logits(torch.tensor([TOKENS], device=DEVICE))[0], dense)
    cache = gpu.new_cache(30, 4)
    close(gpu.step(cache, [1, 2], [TOKENS[:9], TOKENS[:4]]), dense[[8, 3]])
    close(gpu.step(cache, [3, 1, 2], [TOKENS[:7], TOKENS[9:10], TOKENS[4:12]]), dense[[6, 9, 11]])
    for one, other in zip(attention_maps(gpu, TOKENS), attention_maps(cpu, TOKENS), strict=True):
        close(one, other)


@pytest.mark.parametrize("kind", [Engine, PreemptingEngine])
def test_requests_say_together_what_they_say_without_a_gpu(models, kind):
    cpu, gpu = models
    requests = [(TOKENS[i : i + n], new) for i, (n, new) in enumerate([(5, 6), (12, 4), (3, 9), (8, 5)])]
    engine = kind(n_blocks=8, block_size=4, slots=3, budget=7, model=gpu)
    for number, (prompt, new) in enumerate(requests):
        engine.submit(number, prompt, new)
    said: list[list[int]] = [[] for _ in requests]
    while engine.running or engine.waiting:
        for number, token in engine.step()[1].tolist():
            said[number].append(token)
    assert said == [list(cpu.generate(prompt, new)) for prompt, new in requests]
    assert engine.held() == 0


def test_a_search_finds_what_it_finds_without_a_gpu(models):
    for prompt in (TOKENS[:5], TOKENS[7:19]):
        wanted, found = (beam_search(model, prompt, 3, 0, 8, 1.0, 60, 4) for model in models)
        assert torch.equal(found[1].cpu(), wanted[1])
        close(found[0], wanted[0])


def test_the_same_numbers_draw_the_same_tokens(models):
    u = np.random.default_rng(0).random(20, dtype=np.float32)
    texts = []
    for model in models:
        cache, text = model.new_cache(20, 4), []
        logits = model.step(cache, [0], [TOKENS[:5]])
        for number in u:
            text += draw(*filtered([logits.cpu().numpy()], 0.8, 12, 0.9), np.array([number])).tolist()
            logits = model.step(cache, [0], [text[-1:]])
        texts.append(text)
    assert texts[0] == texts[1]
