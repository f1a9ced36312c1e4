"""Answers with Triton kernels that try to fool the grader, to break it, or work on this machine only; what each gets.

Each is a module with the exercise's solution, changed. `said` must stand in the result.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograder.spec.catalogue import exercise_named

HEAD = (
    "import torch\nimport triton\nimport triton.language as tl\nfrom torch import Tensor\n"
    "from triton.tools.tensor_descriptor import TensorDescriptor\n\n\n"
)
LAUNCH = "    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)\n"
TINY_LAUNCH = "    vector_add_kernel[(1,)](x, y, out, 0, TILE=tile)\n"
MASK = "    mask = offsets < n\n"
HOLE = "    ### BEGIN SOLUTION\n"
PASS, HALF, FAIL, ERROR, TIMEOUT, FLAGGED, INFRA = (
    ("pass", 1), ("partial", 0.5), ("fail", 0), ("error", 0), ("timeout", 0), ("flagged", 0), ("infra", 0)
)  # fmt: skip


@dataclass(frozen=True)
class Hostile:
    """One answer to `exercise`. everywhere: worth trying behind other walls too. seconds: of the compiler,
    by the clock. of_processor: the same of a processor.
    """

    name: str
    outcome: tuple[str, float]  # status and points
    source: str
    said: str = ""
    exercise: str = "vector_add"
    everywhere: bool = False
    seconds: int = 60
    of_processor: float = 30


def changed(*edits: tuple[str, str], before: str = "", after: str = "", of: str = "vector_add") -> str:
    """The solution of an exercise with edits, between the texts `before` and `after`."""
    source = exercise_named(of).source
    for old, new in edits:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return f"{HEAD}{before}\n\n{source}\n\n{after}"


def launched(body: str, before: str = "", after: str = "") -> str:
    """vector_add with `body` in place of the launch."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return changed((LAUNCH, lines), before=before, after=after)


def kernel(line: str) -> str:
    """vector_add with one line more in its kernel."""
    return changed((MASK, f"{MASK}    {line}\n"))


ADD_LISTS = "for i in range(n):\n    out[i].fill_(a[i] + b[i])"

BY_ADDRESS = """
import numpy as np
class At:
    def __init__(self, x):
        about = {"shape": tuple(x.shape), "typestr": f"<f{x.element_size()}", "version": 3}
        self.__array_interface__ = about | {"data": (x.data_ptr(), False)}
"""

WIDE_LOAD = """
    if n >= 64:
        wide = tl.arange(0, 2)
        tl.load(x_ptr.to(tl.pointer_type(tl.int64)) + wide, mask=tl.program_id(0) + wide < 1)
"""

FAKE_KERNEL = """
class Kernel:
    def __getitem__(self, grid):
        return lambda x, y, out, n, TILE: torch.add(x, y, out=out)
"""

SCORES_IN_MEMORY = (
    HEAD
    + """
@triton.jit
def scores_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr
):
    head = tl.program_id(1)
    i, c = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M), tl.arange(0, D)
    q = tl.load(q_ptr + head * n_q * D + i[:, None] * D + c)
    for start in range(0, n_k, TILE_N):
        j = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + head * n_k * D + j[:, None] * D + c)
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        tl.store(s_ptr + head * n_q * n_k + i[:, None] * n_k + j, s)


@triton.jit
def values_kernel(s_ptr, v_ptr, o_ptr, n_q, n_k, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr):
    head = tl.program_id(1)
    i, c = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M), tl.arange(0, D)
    s_ptr += head * n_q * n_k + i[:, None] * n_k
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    for start in range(0, n_k, TILE_N):
        m = tl.maximum(m, tl.max(tl.load(s_ptr + start + tl.arange(0, TILE_N)), axis=1))
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        j = start + tl.arange(0, TILE_N)
        p = tl.exp(tl.load(s_ptr + j) - m[:, None])
        v = tl.load(v_ptr + head * n_k * D + j[:, None] * D + c)
        l += tl.sum(p, axis=1)
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
    tl.store(o_ptr + head * n_q * D + i[:, None] * D + c, acc / l[:, None])


def flash_full(q, k, v, scale=None, tile_m=64, tile_n=64):
    b, h, n_q, d = q.shape
    n_k = k.shape[2]
    s = torch.empty(b, h, n_q, n_k, device=q.device)
    o = torch.empty_like(q)
    grid, scale = (n_q // tile_m, b * h), d**-0.5 if scale is None else scale
    scores_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    values_kernel[grid](s, v, o, n_q, n_k, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return o
"""
)

SDPA = "def flash_full(q, k, v, scale=None, tile_m=64, tile_n=64):\n    return f(q, k, v, scale=scale)\n"

TABLE = [
    Hostile("right", PASS, changed(), everywhere=True),
    # The launcher does the work.
    Hostile("sums_in_torch", FAIL, launched("getattr(torch, 'a' + 'dd')(x, y, out=out)"), "calls torch's add"),
    Hostile(
        "sums_in_lists",
        FAIL,
        launched(f"a, b = x.tolist(), y.tolist()\n{ADD_LISTS}\n{TINY_LAUNCH.strip()}"),
        "torch.Tensor.tolist of floating-point numbers: stay within torch",
    ),
    Hostile(
        "sums_by_address",
        FAIL,
        launched("np.asarray(At(out))[:] = np.asarray(At(x)) + np.asarray(At(y))", BY_ADDRESS),
        "no kernel was launched",
        everywhere=True,
    ),
    Hostile(
        "sums_by_address_beside_a_launch",
        FAIL,
        launched("np.asarray(At(out))[:] = np.asarray(At(x)) + np.asarray(At(y))\n" + TINY_LAUNCH.strip(), BY_ADDRESS),
        "in triton, where it is measured",
    ),
    Hostile("fake_kernel", FAIL, launched(f"vector_add_kernel = Kernel()\n{LAUNCH.strip()}", FAKE_KERNEL), "no kernel"),
    Hostile("redefined_jit", FAIL, changed(before="triton.jit = lambda f: Kernel()\n" + FAKE_KERNEL), "no kernel"),
    Hostile(
        "hook_before_the_launch",
        FAIL,
        launched(
            f"vector_add_kernel.add_pre_run_hook(lambda *a, **k: torch.add(x, y, out=out))\n{TINY_LAUNCH.strip()}"
        ),
        "calls torch's add",
    ),
    Hostile("defined_twice", FAIL, changed(after="def vector_add(x, y, tile):\n    return x + y\n"), "torch's add"),
    Hostile(
        "sdpa",
        FAIL,
        HEAD + "f = torch.nn.functional.scaled_dot_product_attention\n" + SDPA,
        "this exercise forbids scaled_dot_product",
        "flash_full",
    ),
    # The kernel works in Python, or on this machine only.
    Hostile(
        "torch_in_the_kernel",
        ("error", 0),
        changed(
            (LAUNCH, f"    global G\n    G = x, y, out\n{LAUNCH}"), (HOLE, "    torch.add(G[0], G[1], out=G[2])\n")
        ),
        "uses G, a tuple from outside, which a kernel cannot",
    ),
    Hostile(
        "numpy_in_the_kernel",
        FLAGGED,
        changed(
            ("x + y, mask", "tl.tensor(type(x.handle)(x.handle.data + y.handle.data, x.handle.dtype), x.type), mask")
        ),
        "names type(x.handle)",
    ),
    Hostile("imports_in_the_kernel", HALF, kernel("import math"), "sm_80 refuses vector_add_kernel"),
    Hostile(
        "imports_in_the_kernel_and_asks_for_the_interpreter",
        HALF,
        kernel("import math").replace(HEAD, f"{HEAD}import os\nos.environ['TRITON_INTERPRET'] = '1'\n"),
        "sm_80 refuses vector_add_kernel",
        everywhere=True,
    ),
    Hostile("nothing_at_real_size", HALF, launched(f"if n < 80_000:\n    {LAUNCH.strip()}"), "no kernel is launched"),
    Hostile(
        "another_kernel_at_real_size",
        HALF,
        launched(
            f"if n < 80_000:\n    {LAUNCH.strip()}\nelse:\n    other[(1,)](out)",
            after="@triton.jit\ndef other(p):\n    tl.store(p, 1.0)\n",
        ),
        "it launches other kernels than in the cases (other)",
    ),
    Hostile(
        "sleeps_at_real_size",
        INFRA,
        launched(f"import time\nif n > 80_000:\n    time.sleep(1000)\n{LAUNCH.strip()}"),
        "did not finish within 2 s",
        seconds=2,
    ),
    Hostile(
        "hangs_the_compiler",
        INFRA,
        kernel("if TILE == 1024:\n        for i in tl.static_range(10**9):\n            n += 0").replace(
            "= 1024)", "= 512)"
        ),
        "did not finish within 2 s",
        everywhere=True,
        seconds=2,
    ),
    Hostile(
        "keeps_the_compiler_busy",
        HALF,
        kernel("if TILE == 1024:\n        for i in tl.static_range(10**9):\n            n += 0").replace(
            "= 1024)", "= 512)"
        ),
        "keep Triton's compiler busy for more than 0.1 s",
        everywhere=True,
        seconds=3,
        of_processor=0.1,
    ),
    Hostile(
        "ends_the_compiler",
        FLAGGED,
        launched(f"import os\nif n > 80_000:\n    os._exit(0)\n{LAUNCH.strip()}"),
        "the process ended before the compiler gave an answer",
    ),
    # The kernel reaches where it should not, or never ends.
    Hostile("endless", TIMEOUT, kernel("while True:\n        n += 0"), "did not finish in time", everywhere=True),
    Hostile("huge_grid", TIMEOUT, launched(LAUNCH.strip().replace("triton.cdiv(n, tile)", "10**9"))),
    Hostile("huge_tile", ERROR, launched(LAUNCH.strip().replace("TILE=tile", "TILE=2**30")), "maximum tensor numel"),
    Hostile(
        "smuggled_address",
        ERROR,
        launched(
            f"{LAUNCH.strip()}\nfar[(1,)](out, id(x))",
            after="@triton.jit\ndef far(p, a):\n    tl.store(a.to(tl.pointer_type(tl.float32)), 1.0)\n",
        ),
        "OutOfBounds",
        everywhere=True,
    ),
    Hostile(
        "address_without_a_tensor",
        ERROR,
        launched(
            f"{LAUNCH.strip()}\nfar[(1,)](1 << 40)",
            after="@triton.jit\ndef far(a):\n    tl.store(a.to(tl.pointer_type(tl.float32)), 1.0)\n",
        ),
        "it was given no tensor",
    ),
    Hostile(
        "writes_its_inputs",
        FAIL,
        kernel("tl.store(x_ptr + offsets, 0.0 * tl.load(y_ptr + offsets, mask), mask)"),
        "out[0] is",
    ),
    # More is moved than has to be.
    Hostile("reads_eight_bytes_at_a_time", HALF, kernel(WIDE_LOAD), "loaded 33,608 B, allowed 33,600 B"),
    Hostile("scores_in_memory", ("partial", 0.75), SCORES_IN_MEMORY, "loaded", "flash_full"),
    # What the lesson provides, and what it does not.
    Hostile(
        "imports_an_earlier_lesson",
        PASS,
        changed(before="from kernels import causal_flash", of="row_delta"),
        "",
        "row_delta",
    ),
    Hostile(
        "imports_the_solution",
        ERROR,
        changed(of="row_delta") + "\n\nfrom kernels.flash_backward import row_delta\n",
        "No module named 'kernels.flash_backward'",
        "row_delta",
    ),
]
