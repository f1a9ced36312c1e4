"""The oracles of `dropout`."""

import math
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from kernels import reference

MULTIPLIERS = np.array([0xD2511F53, 0xCD9E8D57], dtype=np.uint64)


KEY_STEPS = np.array([0x9E3779B9, 0xBB67AE85], dtype=np.uint64)


WORD = np.uint64(2**32)


def random_words(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    """Philox 4x32 on pairs: the even words are multiplied and change places, the odd ones are mixed into them."""
    state, key = counter.astype(np.uint64), key.astype(np.uint64)
    for r in range(rounds):
        high, low = np.divmod(state[..., ::2] * MULTIPLIERS, WORD)
        even = high[..., ::-1] ^ state[..., 1::2] ^ ((key + np.uint64(r) * KEY_STEPS) % WORD)
        state = np.stack([even, low[..., ::-1]], axis=-1).reshape(state.shape)
    return state.astype(np.uint32)


def words(counter: Tensor, key: Tensor, rounds: int = 10) -> Tensor:
    return torch.from_numpy(random_words(counter.numpy(), key.numpy(), rounds))


@lru_cache(maxsize=256)
def matrix_words(heads: int, n_q: int, n_k: int, seed: int, offset: int) -> np.ndarray:
    """The random word of every entry, (heads, n_q, n_k) uint32."""
    places = np.meshgrid(range(-(-n_k // 4)), range(n_q), range(heads), [offset], indexing="ij")
    counter = np.stack(places, axis=-1)[..., 0, :].transpose(2, 1, 0, 3).astype(np.uint32)
    key = np.array([seed % 2**32, seed // 2**32], dtype=np.uint32)
    return random_words(counter, key).reshape(heads, n_q, -1)[..., :n_k]


def kept(heads: int, n_q: int, n_k: int, dropout_p: float, seed: int, offset: int) -> Tensor:
    """(heads, n_q, n_k) bool, True where an entry is kept."""
    return torch.from_numpy(matrix_words(heads, n_q, n_k, seed, offset) >= math.floor(dropout_p * 2**32))


def drop(x: Tensor, dropout_p: float, seed: int, offset: int, **tiles: int) -> Tensor:
    """x / (1 - dropout_p) where kept, any leading axes; tile sizes must not matter."""
    n_q, n_k = x.shape[-2:]
    keep = kept(math.prod(x.shape[:-2]), n_q, n_k, dropout_p, seed, offset).view(x.shape)
    return torch.where(keep, x / (1 - dropout_p), 0)


def attend(
    q: Tensor, k: Tensor, v: Tensor, dropout_p: float, seed: int, offset: int,
    causal: bool = False, scale: float | None = None, **tiles: int,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Attention with the whole matrix of probabilities, dropped before it meets the values."""
    s = reference.scores(q, k, causal, scale)
    return drop(reference.softmax(s), dropout_p, seed, offset) @ v, reference.log_sum_exp(s)


def gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, dropout_p: float, seed: int, offset: int,
    causal: bool = False, scale: float | None = None, **tiles: int,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """dQ, dK, dV with whole matrices, from the L and delta that are given."""
    s = reference.scores(q, k, causal, scale)
    p = torch.where(torch.isneginf(s), 0, torch.exp(s - L[..., None]))
    dp = drop(do @ v.transpose(-1, -2), dropout_p, seed, offset)
    ds = p * (dp - delta[..., None])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dv = drop(p, dropout_p, seed, offset).transpose(-1, -2) @ do
    return scale * (ds @ k), scale * (ds.transpose(-1, -2) @ q), dv
