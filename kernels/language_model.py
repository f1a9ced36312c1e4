"""A language model of the Llama family: the parts of its layers, then the whole model.

Every attention in it is a part that is handed in: in training a forward pass and its gradients,
in inference prefill and decoding over a paged cache. Weights have the names under which
checkpoints of Llama and Qwen2 store them. Left out: where weights and text come from (models/),
mixtures of experts, and any sampling but the plainest.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from kernels.attention_gradients import attention_gradients
from kernels.block_merge import attention_block
from kernels.gqa import grouped_attention
from kernels.paged_attention import paged_gather_attention
from kernels.paged_cache import OutOfBlocks, PagedCache

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]  # q, k, v -> o, causal


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Of a whole text: q (B, H, N, d), k, v (B, H_kv, N, d) -> o (B, H, N, d)."""
    return grouped_attention(q, k, v, causal=True)


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """Each row of x divided by its root mean square, times a weight for each column.

    x: (..., D) float32 or 16 bits wide; weight: (D,) float32; eps: a small positive number.
    Returns y (..., D), dtype that of x. All is computed in float32 or wider and rounded at the
    end: in float16 the square of 300 is infinite. Rows are multiplied with themselves and with
    the weights, and not with each other.

        y_c = weight_c x_c / sqrt(mean_c(x_c^2) + eps)

    Zhang and Sennrich (2019).
    """
    ### BEGIN SOLUTION
    wide = x.float()
    root = torch.sqrt(wide.square().mean(dim=-1, keepdim=True) + eps)
    return (wide / root * weight).to(x.dtype)
    ### END SOLUTION


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    """Rotary position embedding: pairs of a row's numbers turned by position times frequency.

    x: (..., N, d) float32 or 16 bits wide, d even; positions: (N,) int64, at least 0;
    frequencies: (d/2,) float32, in radians per token.
    Returns y (..., N, d), same dtype. Column c < d/2 and column c + d/2 make pair c. Angles are
    computed in float32 or wider, whatever the dtype of x is; their sines and cosines and what
    follows may be rounded to it. A pair is multiplied with sines and cosines of its own
    position alone: two products for each number of x, and half as many again.
    Memory: y, and a few numbers for each number of x and each angle p f_c; so no table of all
    positions up to the last where that lies far behind the N-th.

        y_c       = x_c cos(p f_c) - x_{c + d/2} sin(p f_c)        p: the row's position
        y_{c+d/2} = x_{c + d/2} cos(p f_c) + x_c sin(p f_c)        f: frequencies

    Su et al. (2021), with the pairs of Llama's checkpoints.
    """
    ### BEGIN SOLUTION
    angle = positions[:, None] * frequencies
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second = x.float().chunk(2, dim=-1)
    turned = [first * cos - second * sin, second * cos + first * sin]
    return torch.cat(turned, dim=-1).to(x.dtype)
    ### END SOLUTION


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    """The layer of a Llama model that treats every token for itself.

    x: (..., D); w_gate, w_up: (F, D), w_down: (D, F); all float32. As in every checkpoint a
    matrix has a row for each number that it returns, so that W x of a row is x @ W.T.
    Returns y (..., D), same dtype. Products: each token with each matrix, once, and a 32nd more
    at the most.

        y = W_down (silu(W_gate x) * (W_up x)),  elementwise *,  silu(z) = z / (1 + e^-z)

    What a nearly shut gate lets pass, z >= -80, is as exact, relative to its size, as all else.
    Shazeer (2020).
    """
    ### BEGIN SOLUTION
    gate = x @ w_gate.T
    return (gate * torch.sigmoid(gate) * (x @ w_up.T)) @ w_down.T
    ### END SOLUTION


def attention_layer(
    x: Tensor,
    weights: Sequence[Tensor],
    d: int,
    positions: Tensor,
    frequencies: Tensor,
    biases: Sequence[Tensor] | None = None,
    attend: Attend | None = None,
) -> Tensor:
    """The attention layer of a Llama model: projections, rotation, attention, output.

    x: (B, N, D) float32. weights: W_q (H d, D), W_k and W_v (H_kv d, D), W_o (D, H d); rows h d
    to (h + 1) d - 1 of W_q make query head h. d: width of a head.
    positions: (N,) int64; frequencies: (d/2,); queries and keys are turned by `rotate`.
    biases: (H d,), (H_kv d,), (H_kv d,), added to what W_q, W_k, W_v give; None: none.
    attend: takes q (B, H, N, d), k and v (B, H_kv, N, d), which may be views, and returns o
    (B, H, N, d). It knows where earlier keys are kept, so it is called once for all heads, and
    with each KV head once; if None, `causal_attention`, for which there are no earlier keys.
    Returns y (B, N, D), same dtype: W_o of all heads' outputs, side by side in each row.
    Memory: beside what `attend` takes, queries, keys, values and outputs a few times, and one
    copy of a matrix.
    Products: the four projections once, those of `attend`, and a 32nd more at the most.
    """
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    ### BEGIN SOLUTION
    rows = [x @ w.T for w in (w_q, w_k, w_v)]
    if biases is not None:
        rows = [row + bias for row, bias in zip(rows, biases)]
    q, k, v = (row.unflatten(-1, (-1, d)).transpose(1, 2) for row in rows)
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    o = attend(q, k, v)
    return o.transpose(1, 2).flatten(2) @ w_o.T
    ### END SOLUTION


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    """How surprised a model is by each next token, on average, in nats.

    logits: (B, N, V) float32, finite, after each token one for each of V tokens; tokens: (B, N)
    int64, from 0 to V - 1; N >= 2. The logits after token i are the forecast of token i + 1;
    those after the last one forecast what is not there.
    Returns a scalar, same dtype. Memory: at most ten times the logits. Matrix products, if
    there are any, multiply at most 4 B N V pairs of numbers.

        loss = mean over b and i < N - 1 of  L(z) - z_t,   z = logits_{b,i},  t = tokens_{b,i+1}

    with L the log-sum-exp of a row: -log of the softmax at the right token, up to the rounding
    of numbers as large as the logits.
    """
    ### BEGIN SOLUTION
    z, right = logits[:, :-1], tokens[:, 1:, None]
    L = torch.logsumexp(z, dim=-1)
    return (L - z.gather(-1, right)[..., 0]).mean()
    ### END SOLUTION


# The whole model.


@dataclass(frozen=True)
class Scaling:
    """How Llama 3 stretches the slow rotations of a model that was trained on shorter texts."""

    factor: float
    low: float  # turns within `length` below which a frequency is divided by `factor`
    high: float  # turns above which it stays as it is
    length: int  # tokens, of the shorter texts


@dataclass(frozen=True)
class Config:
    """A model's sizes. d: width of a head; hidden: F of `swiglu`; theta: base of rotation."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    kv_heads: int
    d: int
    hidden: int
    theta: float = 10000.0
    eps: float = 1e-5
    tied: bool = True  # the embedding is the head's matrix too
    biased: bool = False  # queries, keys and values have biases
    scaling: Scaling | None = None

    def frequencies(self) -> Tensor:
        """f_c = theta^(-2c/d) for the pairs c < d/2, (d/2,), scaled if that is asked for."""
        f = self.theta ** (-torch.arange(0, self.d, 2) / self.d)
        if self.scaling:
            s, turns = self.scaling, self.scaling.length * f / (2 * math.pi)
            kept = ((turns - s.low) / (s.high - s.low)).clamp(0, 1)
            f = f * (kept + (1 - kept) / s.factor)
        return f

    def in_a_layer(self) -> dict[str, tuple[int, ...]]:
        """Names, within it, and shapes of a layer's weights, as checkpoints have them."""
        D, rows = self.width, {"q": self.heads * self.d}
        rows |= dict.fromkeys("kv", self.kv_heads * self.d)
        names = "input_layernorm.weight", "post_attention_layernorm.weight"
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(names, (D,))
        shapes |= {f"self_attn.{name}_proj.weight": (n, D) for name, n in rows.items()}
        shapes |= {"self_attn.o_proj.weight": (D, rows["q"])}
        if self.biased:
            shapes |= {f"self_attn.{name}_proj.bias": (n,) for name, n in rows.items()}
        shapes |= {f"mlp.{name}_proj.weight": (self.hidden, D) for name in ("gate", "up")}
        return shapes | {"mlp.down_proj.weight": (D, self.hidden)}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Names and shapes of all weights."""
        embedding = self.vocabulary, self.width
        shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": embedding}
        shapes |= {"model.norm.weight": (self.width,)}
        for layer in range(self.layers):
            inside = self.in_a_layer().items()
            shapes |= {f"model.layers.{layer}.{name}": shape for name, shape in inside}
        return shapes if self.tied else shapes | {"lm_head.weight": embedding}


def by_heads(block: Callable[..., tuple[Tensor, ...]]) -> Callable[..., Any]:
    """Causal attention and its log-sum-exp from attention of one head and block of keys.

    Returns a function of q, k, v, (B, H, N, d) each: o (B, H, N, d) and L (B, H, N).
    """

    def forward(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        heads = zip(*(x.flatten(0, 1) for x in (q, k, v)))
        with q.device:  # where masks are made
            mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril()
            o, m, l = map(torch.stack, zip(*(block(*head, mask) for head in heads)))
        return o.view_as(q), (m + l.log()).view(q.shape[:3])

    return forward


def gradients_by_heads(of_head: Callable[..., Any]) -> Callable[..., Any]:
    """Its gradients from those of one head.

    Returns a function of q, k, v, o (B, H, N, d), L (B, H, N), do (B, H, N, d): dq, dk, dv.
    """

    def gradients(*given: Tensor) -> tuple[Tensor, ...]:
        heads = zip(*(x.flatten(0, 1) for x in given))
        with given[0].device:
            found = zip(*[of_head(*head, causal=True) for head in heads])
        return tuple(torch.stack(x).view_as(given[0]) for x in found)

    return gradients


def one_token(chunk: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Attention of a chunk, (B, H, N, d), in the form of `paged_decode`: q and o (B, H, d)."""
    return lambda q, *read: chunk(q[:, :, None], *read)[:, :, 0]


_FORWARD, _GRADIENTS = by_heads(attention_block), gradients_by_heads(attention_gradients)
_DECODE = one_token(paged_gather_attention)


@dataclass(frozen=True)
class Parts:
    """What a model is put together from. The defaults are the course's, in torch.

    forward: q, k, v (B, H, N, d) -> o, L, causal; gradients: q, k, v, o, L, do -> dq, dk, dv;
    these train. prefill and decode read a paged cache, with the arguments of `paged_prefill`
    and `paged_decode`; cache is a class like `PagedCache`.
    """

    rms_norm: Callable[..., Tensor] = rms_norm
    swiglu: Callable[..., Tensor] = swiglu
    attention_layer: Callable[..., Tensor] = attention_layer
    next_token_loss: Callable[..., Tensor] = next_token_loss
    forward: Callable[..., tuple[Tensor, Tensor]] = _FORWARD
    gradients: Callable[..., tuple[Tensor, ...]] = _GRADIENTS
    prefill: Callable[..., Tensor] = paged_gather_attention
    decode: Callable[..., Tensor] = _DECODE
    cache: type[PagedCache] = PagedCache


def trainable(parts: Parts) -> Attend:
    """Attention from the parts' forward pass and gradients; KV heads are shared as in GQA."""

    class Attention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = parts.forward(q, k, v)
            ctx.save_for_backward(q, k, v, o, L)
            return o

        @staticmethod
        def backward(ctx, do):
            return parts.gradients(*ctx.saved_tensors, do)

    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        group = q.shape[1] // k.shape[1]
        k, v = (x.repeat_interleave(group, dim=1) for x in (k, v))
        return Attention.apply(q.contiguous(), k, v)

    return attend


class ModelCache:
    """A paged cache for each layer. They are alike in all but what they hold.

    layers: the caches. fork, free, counts, table: as those of `PagedCache`, for all layers.
    texts: the tokens of each sequence.
    """

    def __init__(self, layers: Sequence[PagedCache]):
        self.layers = list(layers)
        self.texts: dict[int, list[int]] = {}

    def fork(self, parent: int, child: int) -> None:
        for cache in self.layers:
            cache.fork(parent, child)
        self.texts[child] = [*self.texts[parent]]

    def free(self, sequence: int) -> None:
        for cache in self.layers:
            cache.free(sequence)
        del self.texts[sequence]

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        return self.layers[0].table(sequence)

    def tokens(self, sequence: int) -> list[int]:
        """All tokens of a sequence, in order."""
        return [*self.texts[sequence]]

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.layers[0].counts()

    def length(self, sequence: int) -> int:
        """How many tokens a sequence has; 0 if it has not begun."""
        return self.layers[0].lengths.get(sequence, 0)

    def blocks_for(self, sequences: Sequence[int], new: Sequence[int]) -> int:
        """How many blocks `new` more tokens of each sequence take, copies of shared ones too.

        All sequences are different.
        """
        cache, holders, needed = self.layers[0], self.counts().tolist(), 0
        for sequence, n in zip(sequences, new):
            table, length = cache.tables.get(sequence, []), self.length(sequence)
            needed += -(-(length + n) // cache.block_size) - len(table)
            if length % cache.block_size and holders[table[-1]] > 1:
                holders[table[-1]] -= 1  # who comes last keeps the original
                needed += 1
        return needed


class LanguageModel:
    """A model of the Llama family.

    weights: a tensor for each name of `config.shapes()`, float32, all on one device.
    """

    def __init__(self, config: Config, weights: dict[str, Tensor], parts: Parts | None = None):
        self.config, self.weights, self.parts = config, weights, parts or Parts()
        self.device = weights["model.norm.weight"].device
        self.frequencies = config.frequencies().to(self.device)

    def logits(self, tokens: Tensor, attend: Attend | None = None) -> Tensor:
        """Of whole texts, differentiable: tokens (B, N) int64 -> (B, N, vocabulary).

        attend: another attention than the parts' own.
        """
        attend = attend or trainable(self.parts)
        positions = torch.arange(tokens.shape[1], device=self.device)
        return self._head(self._layers(tokens, positions, lambda layer: attend))

    def new_cache(self, n_blocks: int, block_size: int) -> ModelCache:
        """A cache for many sequences: n_blocks of block_size tokens, for each layer."""
        c = self.config
        with self.device:  # where the pools are made
            sizes = n_blocks, block_size, c.kv_heads, c.d
            return ModelCache([self.parts.cache(*sizes) for _ in range(c.layers)])

    @torch.no_grad()
    def step(
        self, cache: ModelCache, sequences: Sequence[int], tokens: Sequence[Sequence[int]]
    ) -> Tensor:
        """Read new tokens of several sequences in one pass.

        sequences: different numbers, of old or new sequences. tokens: for each the tokens that
        come next, at least one: one in a decode step, several in a prefill or a chunk of one.
        Returns the logits after each sequence's last token, (len(sequences), vocabulary).
        Raises OutOfBlocks if they do not all fit, and then nothing has changed.
        """
        if not sequences:
            return torch.empty(0, self.config.vocabulary, device=self.device)
        new = [len(piece) for piece in tokens]
        needed, free = cache.blocks_for(sequences, new), int((cache.counts() == 0).sum())
        if needed > free:
            raise OutOfBlocks(f"{needed} blocks are wanted, {free} are free")
        starts = [cache.length(sequence) for sequence in sequences]

        def attend_of(layer: int) -> Attend:
            return lambda q, k, v: self._over(cache.layers[layer], sequences, new, q, k, v)

        with self.device:
            each = [torch.arange(start, start + n) for start, n in zip(starts, new)]
            given = torch.tensor([[token for piece in tokens for token in piece]])
            x = self._layers(given, torch.cat(each), attend_of)
            for sequence, piece in zip(sequences, tokens):
                cache.texts.setdefault(sequence, []).extend(piece)
            return self._head(x[0, torch.tensor(new).cumsum(0) - 1])

    def generate(
        self, prompt: Sequence[int], n: int, temperature: float = 0.0, stop: Sequence[int] = ()
    ) -> Iterator[int]:
        """At most n tokens after a prompt, one by one as they come, up to one of `stop`.

        temperature: what the logits are divided by before a token is drawn; 0: the likeliest.
        """
        cache, new = self.new_cache(-(-(len(prompt) + n) // 16), 16), list(prompt)
        for _ in range(n):
            z = self.step(cache, [0], [new])[0]
            p = torch.softmax(z / temperature, dim=-1) if temperature else z == z.max()
            new = [int(torch.multinomial(p.float(), 1))]
            if new[0] in stop:
                return
            yield new[0]

    def _over(
        self, cache: PagedCache, sequences: Sequence[int], new: Sequence[int],
        q: Tensor, k: Tensor, v: Tensor,
    ) -> Tensor:  # fmt: skip
        """Attention over one layer's cache, to which the new keys and values come first.

        q (1, H, T, d), k, v (1, H_kv, T, d): all sequences' new tokens, one after the other.
        """
        stops = torch.tensor(new).cumsum(0).tolist()
        pieces = [slice(stop - n, stop) for stop, n in zip(stops, new)]
        for sequence, piece in zip(sequences, pieces):
            cache.append(sequence, k[0, :, piece], v[0, :, piece])
        o = torch.empty_like(q)
        for decoding in (True, False):
            batch = [i for i, n in enumerate(new) if (n == 1) == decoding]
            if not batch:
                continue
            longest = max(new[i] for i in batch)
            rows = q.new_zeros(len(batch), q.shape[1], longest, q.shape[3])
            for row, i in zip(rows, batch):
                row[:, longest - new[i] :] = q[0, :, pieces[i]]
            found = [cache.table(sequences[i]) for i in batch]
            tables = torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=-1)
            lengths = torch.tensor([cache.lengths[sequences[i]] for i in batch]).int()
            read = cache.k, cache.v, tables, lengths
            if decoding:
                rows = self.parts.decode(rows[:, :, 0], *read)[:, :, None]
            else:
                rows = self.parts.prefill(rows, *read)
            for row, i in zip(rows, batch):
                o[0, :, pieces[i]] = row[:, longest - new[i] :]
        return o

    def _layers(
        self, tokens: Tensor, positions: Tensor, attend_of: Callable[[int], Attend]
    ) -> Tensor:
        """From tokens (B, N) to what the head reads, (B, N, width)."""
        c, parts = self.config, self.parts
        x = self.weights["model.embed_tokens.weight"][tokens]
        for layer in range(c.layers):
            w = {name: self.weights[f"model.layers.{layer}.{name}"] for name in c.in_a_layer()}
            projections = [w[f"self_attn.{name}_proj.weight"] for name in "qkvo"]
            biases = [w[f"self_attn.{name}_proj.bias"] for name in "qkv"] if c.biased else None
            h = parts.rms_norm(x, w["input_layernorm.weight"], c.eps)
            x = x + parts.attention_layer(
                h, projections, c.d, positions, self.frequencies, biases, attend_of(layer)
            )
            h = parts.rms_norm(x, w["post_attention_layernorm.weight"], c.eps)
            x = x + parts.swiglu(
                h, *(w[f"mlp.{n}_proj.weight"] for n in ("gate", "up", "down"))
            )
        return parts.rms_norm(x, self.weights["model.norm.weight"], c.eps)

    def _head(self, x: Tensor) -> Tensor:
        tied = "model.embed_tokens.weight" if self.config.tied else "lm_head.weight"
        return x @ self.weights[tied].T
