"""The problems of softmax and of attention over whole sequences: inputs, work, and the right outputs.

Work is counted as the FlashAttention repository counts it: the forward pass is 4 B H N^2 d floating-point operations,
half of that if causal, the backward pass 2.5 times as many (five matrix products for two), however often a kernel
computes something again. A softmax moves every element in once and out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from kernels import reference

Inputs = dict[str, Tensor]

SAMPLED_ROWS, SAMPLED_HEADS = 256, 4  # of the output, compared with the truth
CHUNK = 1024  # queries whose scores are in memory at once when the truth is computed


@dataclass(frozen=True)
class Rows:
    """Softmax of each row of a (rows, columns) matrix, float32."""

    rows: int
    columns: int

    kind = "softmax"
    unit = "TB/s"
    dtype = torch.float32
    names: ClassVar[tuple[str, ...]] = ("y",)  # of the outputs
    factors: ClassVar[tuple[float, ...]] = (2.0,)  # of the plain error, see `gate`

    @property
    def label(self) -> str:
        return f"{self.rows} x {self.columns}"

    @property
    def shape(self) -> dict[str, int]:
        return {"rows": self.rows, "columns": self.columns}

    @property
    def work(self) -> float:
        """Bytes: x in, y out."""
        return 2.0 * self.rows * self.columns * self.dtype.itemsize

    @property
    def outputs(self) -> list[tuple[tuple[int, ...], torch.dtype]]:
        return [((self.rows, self.columns), self.dtype)]

    def empty(self, device: torch.device) -> Inputs:
        return {"x": torch.empty(self.rows, self.columns, device=device, dtype=self.dtype)}

    def fill(self, inputs: Inputs, generator: torch.Generator, wild: bool = False) -> None:
        """Fill with normal numbers, in place. Wild: spread by 30 around 1000, masked tails, and a fully masked row."""
        x = inputs["x"].normal_(generator=generator)
        if wild:
            x.mul_(30).add_(1000)
            x[::3, self.columns - self.columns // 5 :] = -torch.inf
            x[1] = -torch.inf

    def call(self, function: Callable[..., Any], inputs: Inputs) -> Any:
        return function(inputs["x"])

    def sample(self, generator: torch.Generator) -> Tensor:
        """Which rows are compared; the first two always, where wild inputs are wildest."""
        drawn = torch.randperm(self.rows, generator=generator)[:SAMPLED_ROWS]
        drawn[: min(2, len(drawn))] = torch.arange(min(2, len(drawn)))
        return drawn

    def pick(self, outputs: Sequence[Tensor], sample: Tensor) -> list[Tensor]:
        return [y[sample.to(y.device)] for y in outputs]

    def truth(self, inputs: Inputs, sample: Tensor, dtype: torch.dtype) -> list[Tensor]:
        x = inputs["x"]
        return [reference.softmax(x[sample.to(x.device)].to(dtype))]


@dataclass(frozen=True)
class Attention:
    """Attention forward, (q, k, v) -> (o, L), of `batch` sequences of n tokens with `heads` heads, bfloat16."""

    n: int
    d: int
    causal: bool
    batch: int
    heads: int

    kind = "forward"
    unit = "TFLOP/s"
    dtype = torch.bfloat16
    names: ClassVar[tuple[str, ...]] = ("o", "L")
    factors: ClassVar[tuple[float, ...]] = (2.0, 2.0)
    products = 2  # matrix products over all scores
    passes = 1  # each of which takes the exponential of every score

    @property
    def label(self) -> str:
        return f"D={self.d} N={self.n} {self.mask}"

    @property
    def mask(self) -> str:
        return "causal" if self.causal else "full"

    @property
    def shape(self) -> dict[str, int | bool]:
        return {"batch": self.batch, "heads": self.heads, "n": self.n, "d": self.d, "causal": self.causal}

    @property
    def exponentials(self) -> float:
        """The exponentials that cannot be avoided; for half of the scores if causal."""
        return self.passes * self._scores

    @property
    def work(self) -> float:
        """Floating-point operations."""
        return 2.0 * self.products * self.d * self._scores

    @property
    def _scores(self) -> float:
        return self.batch * self.heads * self.n**2 * (0.5 if self.causal else 1.0)

    @property
    def outputs(self) -> list[tuple[tuple[int, ...], torch.dtype]]:
        return [(self._size, self.dtype), (self._size[:3], torch.float32)]

    @property
    def _size(self) -> tuple[int, int, int, int]:
        return self.batch, self.heads, self.n, self.d

    def empty(self, device: torch.device) -> Inputs:
        return {name: torch.empty(self._size, device=device, dtype=self.dtype) for name in ("q", "k", "v")}

    def fill(self, inputs: Inputs, generator: torch.Generator, wild: bool = False) -> None:
        """Fill with normal numbers, in place. Wild: scores up to hundreds, a max rising along the keys, an outlier."""
        for x in inputs.values():
            x.normal_(generator=generator)
        if wild:
            q, k = inputs["q"], inputs["k"]
            q[:, ::2] *= 8
            k *= torch.linspace(0.25, 2, self.n, device=k.device)[:, None].to(k.dtype)
            k[:, :, self.n * 5 // 8] *= 10

    def call(self, function: Callable[..., Any], inputs: Inputs) -> Any:
        return function(*inputs.values(), causal=self.causal)

    def sample(self, generator: torch.Generator) -> Tensor:
        """Which heads are compared, counted through the batch; an even and an odd one among them."""
        count = self.batch * self.heads
        drawn = torch.randperm(count, generator=generator)
        even, odd = drawn[drawn % 2 == 0], drawn[drawn % 2 == 1]
        return torch.cat([even[: SAMPLED_HEADS // 2], odd[: SAMPLED_HEADS // 2]])

    def pick(self, outputs: Sequence[Tensor], sample: Tensor) -> list[Tensor]:
        return [x.flatten(0, 1)[sample.to(x.device)] for x in outputs]

    def truth(self, inputs: Inputs, sample: Tensor, dtype: torch.dtype) -> list[Tensor]:
        picked = [x.to(dtype) for x in self.pick(list(inputs.values()), sample)]
        return [torch.stack(heads) for heads in zip(*(self._one_head(*head) for head in zip(*picked)))]

    def _one_head(self, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, ...]:
        parts = [(p @ v[: p.shape[1]], L) for _, p, L in probabilities(q, k, self.causal)]
        return tuple(torch.cat(x) for x in zip(*parts))


@dataclass(frozen=True)
class Gradients(Attention):
    """Attention backward, (q, k, v, o, L, do) -> (dq, dk, dv); o and L are those of the forward pass."""

    kind = "backward"
    names: ClassVar[tuple[str, ...]] = ("dq", "dk", "dv")
    factors: ClassVar[tuple[float, ...]] = (3.0, 3.0, 3.0)
    products = 5

    @property
    def outputs(self) -> list[tuple[tuple[int, ...], torch.dtype]]:
        return [(self._size, self.dtype)] * 3

    def empty(self, device: torch.device) -> Inputs:
        made = {name: torch.empty(self._size, device=device, dtype=self.dtype) for name in ("q", "k", "v", "o", "do")}
        L = torch.empty(self._size[:3], device=device)
        return {name: made[name] for name in ("q", "k", "v", "o")} | {"L": L, "do": made["do"]}

    def fill(self, inputs: Inputs, generator: torch.Generator, wild: bool = False) -> None:

        super().fill({name: inputs[name] for name in ("q", "k", "v", "do")}, generator, wild)
        o, L = output_and_lse(inputs["q"], inputs["k"], inputs["v"], self.causal)
        inputs["o"].copy_(o)
        inputs["L"].copy_(L)

    def truth(self, inputs: Inputs, sample: Tensor, dtype: torch.dtype) -> list[Tensor]:
        return super().truth({name: inputs[name] for name in ("q", "k", "v", "do")}, sample, dtype)

    def _one_head(self, q: Tensor, k: Tensor, v: Tensor, do: Tensor | None = None) -> tuple[Tensor, ...]:
        """Gradients by autograd. What the chunks add to dk and dv is summed in fp64 whatever the dtype."""
        assert do is not None
        o, dq = torch.empty_like(q), torch.empty_like(q)
        dk, dv = (torch.zeros_like(x, dtype=torch.float64) for x in (k, v))
        with torch.enable_grad():
            q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
            for rows, p, _ in probabilities(q, k, self.causal):
                o_rows = p @ v[: p.shape[1]]
                part = torch.autograd.grad(o_rows, (q, k, v), do[rows])
                o[rows], dq[rows] = o_rows.detach(), part[0][rows]
                dk += part[1]
                dv += part[2]
        found = {"o": o, "dq": dq, "dk": dk.to(k.dtype), "dv": dv.to(v.dtype)}
        return tuple(found[name] for name in self.names)


@dataclass(frozen=True)
class Training(Gradients):
    """Attention forward and backward in one call, (q, k, v, do) -> (o, dq, dk, dv)."""

    kind = "forward + backward"
    names: ClassVar[tuple[str, ...]] = ("o", "dq", "dk", "dv")
    factors: ClassVar[tuple[float, ...]] = (2.0, 3.0, 3.0, 3.0)
    products = 7
    passes = 2

    @property
    def outputs(self) -> list[tuple[tuple[int, ...], torch.dtype]]:
        return [(self._size, self.dtype)] * 4

    def empty(self, device: torch.device) -> Inputs:
        return {name: torch.empty(self._size, device=device, dtype=self.dtype) for name in ("q", "k", "v", "do")}

    def fill(self, inputs: Inputs, generator: torch.Generator, wild: bool = False) -> None:
        Attention.fill(self, inputs, generator, wild)


def probabilities(q: Tensor, k: Tensor, causal: bool) -> Iterator[tuple[slice, Tensor, Tensor]]:
    """The softmax of several rows at a time, over the keys that the last of them sees, and its log-sum-exp.

    q, k: (n, d). Yields the rows as a slice, P (rows, keys) and L (rows,), computed in the dtype of q.
    """
    n = len(q)
    for first in range(0, n, CHUNK):
        rows = slice(first, min(first + CHUNK, n))
        with torch.device(q.device):  # where the oracle makes its mask
            s = reference.scores(q[rows], k[: rows.stop] if causal else k, causal)
        yield rows, torch.softmax(s, dim=-1), torch.logsumexp(s.detach(), dim=-1)


def output_and_lse(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> tuple[Tensor, Tensor]:
    """What a forward pass hands to the backward pass: o (B, H, N, d) in q's dtype, and L (B, H, N) float32.

    On a GPU from SDPA's flash kernel, which gives both but hides L in its public form; elsewhere row by row.
    """
    if q.is_cuda:
        found = torch.ops.aten._scaled_dot_product_flash_attention(q, k, v, 0.0, causal)
        return found[0], found[1]
    o, L = torch.empty_like(q), torch.empty(q.shape[:3], dtype=torch.float32)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            for rows, p, part in probabilities(q[b, h].float(), k[b, h].float(), causal):
                o[b, h, rows], L[b, h, rows] = p @ v[b, h, : p.shape[1]].float(), part
    return o, L
