"""What is kept of trained heads is small, and shows what the lessons say that it shows."""

import numpy as np
import pytest

from models.heads import KEPT, trained_heads


@pytest.fixture(scope="module")
def kept():
    return trained_heads()


@pytest.fixture(scope="module")
def weights(kept):
    e = np.exp(kept.scores - kept.scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def test_the_file_is_small_and_every_token_sees_itself_and_what_is_before_it(kept):
    assert KEPT.stat().st_size <= 300_000
    layers, heads, n, _ = kept.scores.shape
    assert (layers, heads, len(kept.tokens)) == (4, 4, n) and kept.tokens[0] == "<s>"
    seen = np.tril(np.ones((n, n), bool))
    assert np.isfinite(kept.scores[..., seen]).all() and np.isneginf(kept.scores[..., ~seen]).all()


def test_exponentials_of_the_scores_overflow_in_float16_and_in_layer_2_in_float32_too(kept):
    in_half, in_single = (kept.scores.max(axis=-1) > np.log(np.finfo(dtype).max) for dtype in (np.float16, np.float32))
    assert in_half[1:].mean(axis=(1, 2)).min() > 0.95 and in_single[2].mean() > 0.5


def test_one_head_looks_at_the_token_before(weights):
    assert weights.diagonal(-1, axis1=-2, axis2=-1).mean(axis=-1).max() > 0.9


def test_no_head_has_a_sink(weights):
    assert 0.03 < weights[..., 16:, 0].mean(axis=-1).max() < 0.2
