"""What most accesses take a short cut through is noted as without it: the runtime says both in words of its own."""

import shutil

import numpy as np
import pytest
import torch

from simt.errors import KernelFault
from tests.simt.test_simt import launch

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler on this machine"
)

# Two warps write a number each, read some, and one thread may write once more, which may be a race.
BODY = """__shared__ KIND s[64];
int t = threadIdx.x;
SMALLER
s[to[t]] = x[t];
__syncthreads();
KIND sum = x[t];
for (int k = 0; k < 4; k++) sum = ADD(sum, s[from[64 * k + t]]);
APART
if (again[t] >= 0) s[again[t]] = sum;
y[t] = sum;"""
READ = 9  # the line
PLUS = "[](KIND a, KIND b) { a.x += b.x, a.w += b.w; return a; }"
SHORT_CUTS = {
    "as it is": {},
    "memory is known by smaller pieces": {"SMALLER": "if (to[t] == 0) *reinterpret_cast<short*>(s) = 0;"},
    "one lane asks for more": {"APART": "if (t % 32 == 0) y[t] = x[t];"},
}


def seen(kind, around, given):
    body = BODY.replace("ADD", PLUS if kind == "float4" else "[](KIND a, KIND b) { return a + b; }")
    for word, text in ({"SMALLER": "", "APART": ""} | around | {"KIND": kind}).items():
        body = body.replace(word, text)
    parameters = f"const int* to, const int* from, const int* again, const {kind}* x, {kind}* y"
    try:
        report = launch(body, parameters, *map(torch.clone, given), block=64)
    except KernelFault as fault:
        return str(fault)
    return report.lines["k", READ], report.most.thread_read


def drawn(seed, kind):
    """Reads of all numbers, or of some that lie in 32 banks; in every third no number is written again."""
    rng, words = np.random.default_rng(seed), 4 if kind == "float4" else 1
    least, most = (0, 64) if rng.integers(2) else (16, 16 + 32 // words)
    again = np.full(64, -1)
    if seed % 3:
        again[rng.integers(64)] = rng.integers(64)
    indices = rng.permutation(64), rng.integers(least, most, 256), again
    x = torch.ones(64 * words)
    return *(torch.tensor(i, dtype=torch.int32) for i in indices), x, torch.zeros_like(x)


@pytest.mark.parametrize("kind", ["float", "float4"])
def test_short_cuts_change_nothing(kind):
    found = set()
    for seed in range(12):
        given = drawn(seed, kind)
        noted, *others = [seen(kind, around, given) for around in SHORT_CUTS.values()]
        assert all(other == noted for other in others), (seed, noted, others)
        found.add(type(noted))
    assert found == {str, tuple}
