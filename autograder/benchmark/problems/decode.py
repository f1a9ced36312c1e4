"""The decoding problems: one new query per sequence against its cache, contiguous or in pages.

The work is the fewest bytes that have to move: each key and value once, the queries in, the outputs out. Lengths and
block tables that a kernel also reads, and the outputs of its splits that it writes and reads, are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from kernels import reference

from .attention import Inputs

SAMPLED_SEQUENCES = 4  # of the output, compared with the truth
BEHIND = 1e4  # how many times larger the wild inputs are past a sequence's last token


@dataclass(frozen=True)
class Decode:
    """Attention of one query per sequence over a contiguous cache, (q, k, v, lengths) -> (o, L), bfloat16.

    batch sequences of `context` tokens; 64 query heads of 128 numbers on `kv_heads` KV heads.
    """

    batch: int
    context: int
    kv_heads: int

    kind = "decode"
    unit = "TB/s"
    dtype = torch.bfloat16
    heads = 64
    d = 128
    names: ClassVar[tuple[str, ...]] = ("o", "L")  # of the outputs
    factors: ClassVar[tuple[float, ...]] = (2.0, 2.0)  # of the plain error, see `gate`
    caches: ClassVar[tuple[str, str]] = ("k", "v")

    @property
    def label(self) -> str:
        return f"{self.batch} x {self.context} on {self.kv_heads} KV heads"

    @property
    def shape(self) -> dict[str, int | bool]:
        return {"batch": self.batch, "context": self.context, "kv_heads": self.kv_heads}

    @property
    def cached(self) -> int:
        """Bytes of keys and values."""
        return 2 * self.batch * self.context * self.kv_heads * self.d * self.dtype.itemsize

    @property
    def work(self) -> float:
        """Bytes: keys, values and q in, o out."""
        return float(self.cached + 2 * self.batch * self.heads * self.d * self.dtype.itemsize)

    @property
    def outputs(self) -> list[tuple[tuple[int, ...], torch.dtype]]:
        return [((self.batch, self.heads, self.d), self.dtype), ((self.batch, self.heads), torch.float32)]

    def empty(self, device: torch.device) -> Inputs:
        made = {"q": torch.empty(self.batch, self.heads, self.d, device=device, dtype=self.dtype)}
        made |= {name: torch.empty(self._stored, device=device, dtype=self.dtype) for name in self.caches}
        return made | {"lengths": torch.empty(self.batch, device=device, dtype=torch.int32)}

    @property
    def _stored(self) -> tuple[int, ...]:
        """The shape of the keys in memory, and of the values."""
        return self.batch, self.kv_heads, self.context, self.d

    def fill(self, inputs: Inputs, generator: torch.Generator, wild: bool = False) -> None:
        """Fill with normal numbers, full caches. Wild: ragged lengths, large scores, larger numbers past the ends."""
        lengths = inputs["lengths"].fill_(self.context)
        for name in ("q", *self.caches):
            inputs[name].normal_(generator=generator)
        if wild:
            lengths.random_(1, self.context, generator=generator)
            lengths[0] = self.context - 1
            lengths[1:2] = 1
            inputs["q"][:, ::2] *= 8
            behind = torch.arange(self.context, device=lengths.device) >= lengths[:, None]
            self._spoil(inputs, torch.where(behind, BEHIND, 1).to(self.dtype))

    def call(self, function: Callable[..., Any], inputs: Inputs) -> Any:
        return function(*inputs.values())

    def sample(self, generator: torch.Generator) -> Tensor:
        """Which sequences are compared; the first two always, the longest and the shortest."""
        drawn = torch.randperm(self.batch, generator=generator)
        return torch.cat([torch.arange(min(2, self.batch)), drawn[drawn >= 2]])[:SAMPLED_SEQUENCES]

    def pick(self, outputs: Sequence[Tensor], sample: Tensor) -> list[Tensor]:
        return [x[sample.to(x.device)] for x in outputs]

    def truth(self, inputs: Inputs, sample: Tensor, dtype: torch.dtype) -> list[Tensor]:
        found = [self._one_sequence(inputs, b, dtype) for b in sample.tolist()]
        return [torch.stack(x) for x in zip(*found)]

    def _one_sequence(self, inputs: Inputs, b: int, dtype: torch.dtype) -> list[Tensor]:
        q = inputs["q"][b].unflatten(0, (self.kv_heads, -1)).to(dtype)  # (KV heads, group, d)
        k, v = (x[:, : inputs["lengths"][b]].to(dtype) for x in self.cache(inputs, b))
        s = reference.scores(q, k)
        o, L = torch.softmax(s, dim=-1) @ v, torch.logsumexp(s, dim=-1)
        return [o.flatten(0, 1), L.flatten(0, 1)][: len(self.names)]

    def cache(self, inputs: Inputs, b: int | slice) -> list[Tensor]:
        """Keys and values in order, (..., KV heads, context, d), of one sequence or several."""
        return [inputs[name][b] for name in self.caches]

    def _spoil(self, inputs: Inputs, factors: Tensor) -> None:
        """Multiply the keys and values by a factor for each sequence and token, in place."""
        for name in self.caches:
            inputs[name].mul_(factors[:, None, :, None])


@dataclass(frozen=True)
class PagedDecode(Decode):
    """The same over a pool of blocks of `page` tokens in any order, (q, k_pool, v_pool, tables, lengths) -> o."""

    page: int

    names: ClassVar[tuple[str, ...]] = ("o",)
    factors: ClassVar[tuple[float, ...]] = (2.0,)
    caches: ClassVar[tuple[str, str]] = ("k_pool", "v_pool")

    @property
    def label(self) -> str:
        return f"{super().label} in pages of {self.page}"

    @property
    def shape(self) -> dict[str, int | bool]:
        return super().shape | {"page": self.page}

    @property
    def outputs(self) -> list[tuple[tuple[int, ...], torch.dtype]]:
        return super().outputs[:1]

    def empty(self, device: torch.device) -> Inputs:
        made = super().empty(device)
        lengths = made.pop("lengths")  # they come last
        tables = torch.empty(self.batch, self.context // self.page, device=device, dtype=torch.int32)
        return made | {"tables": tables, "lengths": lengths}

    @property
    def _stored(self) -> tuple[int, ...]:
        return self.batch * self.context // self.page, self.kv_heads, self.page, self.d

    def fill(self, inputs: Inputs, generator: torch.Generator, wild: bool = False) -> None:
        """Fill, with blocks in random order. Wild: also -1 in the tables past a sequence's last block."""
        tables = inputs["tables"]
        order = torch.randperm(tables.numel(), generator=generator, device=tables.device)
        tables.copy_(order.view(tables.shape))
        super().fill(inputs, generator, wild)
        if wild:
            first = torch.arange(0, self.context, self.page, device=tables.device)
            tables[first >= inputs["lengths"][:, None]] = -1

    def cache(self, inputs: Inputs, b: int | slice) -> list[Tensor]:
        blocks = inputs["tables"][b].clamp(min=0)
        return [inputs[name][blocks].transpose(-4, -3).flatten(-3, -2) for name in self.caches]

    def _spoil(self, inputs: Inputs, factors: Tensor) -> None:
        for name in self.caches:
            inputs[name][inputs["tables"].flatten()] *= factors.view(-1, 1, self.page, 1)
