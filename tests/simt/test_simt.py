"""CUDA C++ without a GPU: what a launch computes, with and without the instruments, and what it says when it cannot."""

import contextlib
import os
import platform
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
import torch

from simt import cdiv, compiler, cpu, kernel, using
from simt.errors import CompileError, KernelFault, MissingCompiler
from simt.source import STANDARD, Source, without_switched_off

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler on this machine"
)


def text_of(body: str, parameters: str = "float* y", before: str = "", name: str = "k") -> str:
    """A kernel whose body begins in line 3, if nothing stands before it."""
    return f'#include "tilewise.cuh"\n{before}extern "C" __global__ void {name}({parameters}) {{\n{body}\n}}\n'


def launch(body, parameters, *arguments, grid=1, block=32, shared=0, before="", **defines):
    """Run a kernel of this body on the arguments; what the instruments counted."""
    with using("k", text_of(body, parameters, before)), cpu.watch() as report:
        kernel("k", **defines)[grid, block, shared](*arguments)
    return report


@pytest.fixture(params=["watched", "unwatched"])
def both_ways(request):
    """What a kernel computes does not depend on who looks."""
    with cpu.unwatched() if request.param == "unwatched" else contextlib.nullcontext():
        yield


both = pytest.mark.usefixtures("both_ways")


# Launches.


@both
@pytest.mark.parametrize(
    ("grid", "block"),
    [(1, 1), (3, 40), ((2, 3), (4, 5)), ((2, 1, 3), (3, 4, 5)), ((1,), [1024]), ((2, 2, 2), (1, 1, 64)), (5, (7, 3))],
)
def test_every_thread_knows_where_it_is(grid, block):
    def axes(given):
        return (*((given,) if isinstance(given, int) else tuple(given)), 1, 1)[:3]

    (gx, gy, gz), (bx, by, bz) = axes(grid), axes(block)
    blocks, threads = gx * gy * gz, bx * by * bz
    y = torch.zeros(blocks, threads, 12, dtype=torch.int32)
    body = """
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int* mine = y + 12 * (block * blockDim.x * blockDim.y * blockDim.z + thread);
    dim3 all[] = {threadIdx, blockIdx, blockDim, gridDim};
    for (int i = 0; i < 4; i++) {
        mine[3 * i] = all[i].x, mine[3 * i + 1] = all[i].y, mine[3 * i + 2] = all[i].z;
    }"""
    launch(body, "int* y", y, grid=grid, block=block)
    for b in range(blocks):
        for t in range(threads):
            thread = [t % bx, t // bx % by, t // bx // by]
            where = [b % gx, b // gx % gy, b // gx // gy]
            assert y[b, t].tolist() == [*thread, *where, bx, by, bz, gx, gy, gz]


REVERSED = "t[threadIdx.x] = x[threadIdx.x];\n__syncthreads();\ny[threadIdx.x] = t[blockDim.x - 1 - threadIdx.x];"
HELPER = """float reversed(float v) {
    __shared__ float t[96];
    t[threadIdx.x] = v;
    __syncthreads();
    return t[95 - threadIdx.x];
}
"""


@both
@pytest.mark.parametrize(
    ("before", "body", "shared"),
    [
        ("", f"__shared__ float t[96];\n{REVERSED}", 0),
        ("", f"extern __shared__ float t[];\n{REVERSED}", 384),
        ("", f"extern __shared__ __align__(16) float t[];\n{REVERSED}", 384),
        ("", f"__shared__ float _t[3][32];\nfloat* t = _t[0];\n{REVERSED}", 0),
        ("struct Tile { float a[96]; };\n", f"__shared__ Tile tile;\nfloat (&t)[96] = tile.a;\n{REVERSED}", 0),
        (
            "",
            f"if (threadIdx.x == 0) {{ __shared__ float t[32]; t[0] = 0; }}\n__shared__ float t[96];\n{REVERSED}",
            0,
        ),
        (f"__device__ {HELPER}", "y[threadIdx.x] = reversed(x[threadIdx.x]);", 0),
        (f"__device__ __forceinline__ {HELPER}", "y[threadIdx.x] = reversed(x[threadIdx.x]);", 0),
        (f"template <int N> __device__ {HELPER}", "y[threadIdx.x] = reversed<96>(x[threadIdx.x]);", 0),
        (f"static __device__ __noinline__ {HELPER}", "y[threadIdx.x] = reversed(x[threadIdx.x]);", 0),
        ("", f"static __shared__ float t[96];\n{REVERSED}", 0),
        ("", f"__shared__ static float t[96];\n{REVERSED}", 0),
        ("", f"static __align__(16) __shared__ float t[96];\n{REVERSED}", 0),
    ],
    ids=[
        *("plain", "dynamic", "aligned", "rows", "struct", "scopes", "device", "inline", "template", "noinline"),
        *("static", "static 2", "static aligned"),
    ],
)
def test_shared_memory_lies_wherever_it_is_declared(before, body, shared):
    x, y = torch.randn(96), torch.zeros(96)
    launch(body, "const float* x, float* y", x, y, block=96, shared=shared, before=before)
    assert torch.equal(y, x.flip(0))


def test_two_kernels_with_the_same_helper_do_not_share_its_memory():
    for n in (96, 64):
        x, y = torch.randn(n), torch.zeros(n)
        before = f"__device__ inline {HELPER}".replace("96", str(n)).replace("95", str(n - 1))
        body = "y[threadIdx.x] = reversed(x[threadIdx.x]);"
        launch(body, "const float* x, float* y", x, y, block=n, before=before)
        assert torch.equal(y, x.flip(0))


@both
def test_an_empty_tensor_and_dynamic_shared_memory_are_told_apart():
    x, y = torch.zeros(0), torch.zeros(32)
    body = "extern __shared__ float t[];\nt[threadIdx.x] = threadIdx.x;\ny[threadIdx.x] = t[threadIdx.x];"
    launch(body, "const float* x, float* y", x, y, shared=128)
    assert torch.equal(y, torch.arange(32.0))


LANGUAGE = {
    "a template": ("template <int N> __device__ float times(float v) { return N * v; }\n", "y[i] = times<3>(x[i]);"),
    "a lambda": ("", "auto times = [&](int j) { return 3 * x[j]; };\ny[i] = times(i);"),
    "unrolling": ("", "float sum = 0;\n#pragma unroll\nfor (int j = 0; j < 3; j++) sum += x[i];\ny[i] = sum;"),
    "a macro of the launch": ("", "y[i] = FACTOR * x[i];"),
    "a constant table": ("__constant__ float table[4] = {3, 3, 3, 3};\n", "y[i] = table[i % 4] * x[i];"),
    "constexpr": ("constexpr float THREE = 3;\n", "y[i] = THREE * x[i];"),
    "a macro of its own for functions": (
        "#define DEVICE __device__ __forceinline__\ntemplate <class T> DEVICE T times(T v) { return 3 * v; }\n",
        "y[i] = times(x[i]);",
    ),
    "functions of both": ("__host__ __device__ float times(float v) { return 3 * v; }\n", "y[i] = times(x[i]);"),
    "a struct with a default constructor": (
        "struct alignas(8) A {\n    float v{3};\n    A() = default;\n"
        "    __device__ operator float() const noexcept { if (v) return v; return 0; }\n};\n"
        "template <class T> __device__ auto of(T a) -> float { for (;;) { return a; } }\n",
        "y[i] = of(A()) * x[i];",
    ),
    "a struct": (
        "struct Three { float v = 3; __device__ float of(float a) { return v * a; } };\n",
        "y[i] = Three().of(x[i]);",
    ),
    "a cached load": ("", "y[i] = 3 * __ldg(x + i);"),
    "a switch": ("", "float f; switch (i % 2) { case 0: f = 3; break; default: f = 1 + 2; }\ny[i] = f * x[i];"),
    "min and max": ("", "y[i] = max(min(3, 5), 1) * fmaxf(x[i], -INFINITY);"),
    "min and max of unlike numbers": ("", "y[i] = max(min(3u, 5), 1) * min(x[i], INFINITY) + max(0.0, 0.0f);"),
    "fast arithmetic": ("", "y[i] = __fmaf_rn(x[i], 3, __logf(1)) * __expf(0) * __frcp_rn(1) * rsqrtf(1);"),
    "streaming loads and stores": ("", "__stcs(y + i, 3 * __ldcs(x + i));\n__stcg(&y[i], __ldcg(&y[i]));"),
    "bits": ("", "y[i] = (__popc(7) + __clz(1) - 31 + __ffs(2) - 2 + __popcll(0)) * x[i];"),
    "warp sums of ints": ("", "y[i] = __reduce_max_sync(~0u, i % 4) * x[i];"),
    "three numbers": ("", "float3 v = make_float3(1, 2, 3);\nint3 w = {1, 2, 3};\ny[i] = (v.z + w.x - 1) * x[i];"),
    "a grid's size": ("", "dim3 g = gridDim;\nuint3 at = threadIdx;\ny[at.x] = 3 * g.x * x[i];"),
    "bytes of shared memory": ("", "extern __shared__ __align__(16) unsigned char raw[];\ny[i] = 3 * x[i];"),
    "aligned shared memory": ("", "__shared__ alignas(16) float s[32];\ns[i] = x[i];\ny[i] = 3 * s[i];"),
    "vectors in shared memory": ("", "__shared__ float4 s[32];\ns[i] = {x[i], 0, 0, 0};\ny[i] = 3 * s[i].x;"),
    "other mathematics": ("", "y[i] = truncf(3.5f) * x[i] * log10f(10) * cosf(0) * exp(0.0f) * abs(-1.0f);"),
}  # fmt: skip


@both
@pytest.mark.parametrize("what", LANGUAGE)
def test_a_kernel_may_use(what):
    before, body = LANGUAGE[what]
    x, y = torch.randn(32), torch.zeros(32)
    launch(f"int i = threadIdx.x;\n{body}", "const float* x, float* y", x, y, before=before, FACTOR=3)
    assert torch.allclose(y, 3 * x, rtol=1e-6)


@both
@pytest.mark.parametrize(
    ("kind", "number", "dtype"), [("half", "half", torch.half), ("nv_bfloat16", "bfloat16", torch.bfloat16)]
)
def test_pairs_of_short_numbers(kind, number, dtype):
    """Under the names that CUDA's own headers have."""
    x, y = torch.arange(1, 129).to(dtype), torch.zeros(128, dtype=dtype)
    body = f"""
    const int i = threadIdx.x;
    __{kind}2 v = reinterpret_cast<const {kind}2*>(x)[i];
    float2 f = __{number}22float2(v);
    v = __hadd2(__float22{number}2_rn(make_float2(f.x, f.y)), __floats2{number}2_rn(0, 0));
    v = __hfma2(v, __float2{number}2_rn(2), __halves2{number}2(__low2{number}(v), __high2{number}(v)));
    v = __shfl_xor_sync(0xffffffff, v, 1);
    {kind} low = __shfl_xor_sync(0xffffffff, v.x, 1);
    v = __shfl_xor_sync(0xffffffff, v, 1);
    reinterpret_cast<{kind}2*>(y)[i] = make_{number}2(low, __hmax(v.y, __float2{number}(0)));"""
    report = launch(body, f"const {kind}* x, {kind}* y", x, y, block=64)
    assert torch.equal(y, 3 * x) and all(line.requests in (0, 2) for line in report.lines.values())


@both
def test_launch_bounds_and_restrict_are_taken():
    with using(
        "k", text_of("y[threadIdx.x] = 1;", "float* __restrict__ y").replace("void k", "void __launch_bounds__(32) k")
    ):
        y = torch.zeros(32)
        kernel("k")[1, 32](y)
    assert y.all()


@both
@pytest.mark.parametrize(
    ("vector", "n"), [("float2", 2), ("float4", 4), ("int2", 2), ("int4", 4), ("uint2", 2), ("uint4", 4)]
)
def test_vectors_are_copied_and_made_whole(vector, n):
    x = torch.randint(0, 1000, (32 * n,), dtype=torch.int32)
    x = x.float() if vector.startswith("float") else x
    y, z = torch.zeros_like(x), torch.zeros_like(x)
    members = ", ".join(f"v.{m}" for m in "xyzw"[:n])
    body = f"""
    {vector} v = x[threadIdx.x];
    y[threadIdx.x] = v;
    z[threadIdx.x] = make_{vector}({members});"""
    launch(body, f"const {vector}* x, {vector}* y, {vector}* z", x, y, z)
    assert torch.equal(x, y) and torch.equal(x, z)


@both
def test_eight_halves_travel_as_one_vector():
    x, y = torch.randn(256).half(), torch.zeros(256).half()
    body = """
    uint4 eight = reinterpret_cast<const uint4*>(x)[threadIdx.x];
    element* part = reinterpret_cast<element*>(&eight);
    for (int i = 0; i < 8; i++) {
        part[i] = to_element(2 * to_float(part[i]));
    }
    reinterpret_cast<uint4*>(y)[threadIdx.x] = eight;"""
    launch(body, "const element* x, element* y", x, y)
    assert torch.equal(y, 2 * x)


@both
@pytest.mark.parametrize("name", ["index", "rindex", "add"])
def test_a_kernel_named_like_a_function_of_the_system_is_the_one_that_runs(name):
    y = torch.zeros(32)
    with using(name, text_of("y[threadIdx.x] = 5;", name=name)):
        kernel(name)[1, 32](y)
    assert torch.equal(y, torch.full((32,), 5.0))


def test_a_launch_of_no_blocks_does_nothing_and_tiles_are_counted_up():
    y = torch.zeros(1)
    launch("y[0] = 1;", "float* y", y, grid=0)
    assert y.item() == 0 and [cdiv(n, 32) for n in (0, 1, 32, 33)] == [0, 1, 1, 2]


# Threads that meet.

TYPES = {"int": torch.int32, "unsigned": torch.int32, "float": torch.float32, "double": torch.float64}
TYPES |= {"long long": torch.int64, "unsigned long long": torch.int64}


@both
@pytest.mark.parametrize("kind", TYPES)
def test_shuffles(kind):
    x = torch.randn(64, dtype=torch.float64).mul(1e6).to(TYPES[kind])
    body = """
    int i = threadIdx.x;
    y[i] = __shfl_sync(0xffffffffu, x[i], d, w);
    y[64 + i] = __shfl_up_sync(0xffffffffu, x[i], d, w);
    y[128 + i] = __shfl_down_sync(0xffffffffu, x[i], d, w);
    y[192 + i] = __shfl_xor_sync(0xffffffffu, x[i], d, w);"""
    for w in (1, 2, 8, 32):
        for d in (0, 1, 5, 16, 31):
            y = torch.zeros(4, 64, dtype=x.dtype)
            launch(body, f"const {kind}* x, {kind}* y, int d, int w", x, y, d, w, block=64)
            for i in range(64):
                at = i % w  # within the group of w lanes
                group, lane = i - at, i % 32
                from_lanes = [
                    group + d % w,
                    i - d if at - d >= 0 else i,
                    i + d if at + d < w else i,
                    i - lane + (lane ^ d) if (lane ^ d) // w <= lane // w else i,
                ]
                assert y[:, i].tolist() == x[from_lanes].tolist(), (i, d, w)


@both
def test_a_shuffle_has_a_width_of_32_and_takes_a_part_of_the_warp():
    x, y = torch.arange(32, dtype=torch.int32), torch.zeros(32, dtype=torch.int32)
    body = """
    int i = threadIdx.x;
    y[i] = i < 8 ? __shfl_xor_sync(0x000000ffu, x[i], 7) : __shfl_down_sync(0xffffff00u, x[i], 1);"""
    launch(body, "const int* x, int* y", x, y)
    assert y.tolist() == [*range(7, -1, -1), *range(9, 32), 31]


@both
def test_votes():
    y = torch.zeros(64, 4, dtype=torch.int32)
    body = """
    int i = threadIdx.x, *mine = y + 4 * i;
    unsigned mask = i % 32 < 5 ? 0x1fu : 0xffffffe0u;
    mine[0] = __ballot_sync(0xffffffffu, i % 3 == 0);
    if (i % 32 < 5) {
        mine[1] = __any_sync(mask, i == 2), mine[2] = __all_sync(mask, i < 5);
    } else {
        mine[1] = __any_sync(mask, i == 2), mine[2] = __all_sync(mask, i >= 5);
    }
    mine[3] = __activemask();"""
    launch(body, "int* y", y, block=64)
    for i in range(64):
        warp = range(i // 32 * 32, i // 32 * 32 + 32)
        group = [j for j in warp if (j % 32 < 5) == (i % 32 < 5)]
        ballot = sum(1 << j % 32 for j in warp if j % 3 == 0)
        every = all(j < 5 for j in group) if i % 32 < 5 else all(j >= 5 for j in group)
        assert y[i].tolist() == [np.int32(np.uint32(ballot)), 2 in group, every, -1]


@pytest.mark.parametrize("kind", ["half", "nv_bfloat16", "element"])
def test_templates_find_no_member_of_a_number_that_cudas_have_not(kind):
    asked = """template <class T> __device__ constexpr int asked(decltype(T::bits)*) { return 1; }
template <class T> __device__ constexpr int asked(...) { return 0; }
"""
    y = torch.ones(1)
    launch(f"y[0] = asked<{kind}>(nullptr);", "float* y", y, block=1, before=asked)
    assert y.item() == 0


def test_the_active_mask_has_the_lanes_that_come_by_together():
    y = torch.zeros(40, 3, dtype=torch.int32)
    body = """
    int i = threadIdx.x, *mine = y + 3 * i;
    if (i % 2) mine[0] = __activemask();
    else mine[0] = __activemask();
    for (int round = 0; round <= i % 3; ++round) mine[1] = __activemask();
    if (i % 32 < 4) __syncwarp(0xf);
    mine[2] = __activemask();"""
    launch(body, "int* y", y, block=40)
    for i in range(40):
        warp = range(i // 32 * 32, min(40, i // 32 * 32 + 32))
        groups = [j for j in warp if j % 2 == i % 2], [j for j in warp if j % 3 >= i % 3], warp
        assert y[i].tolist() == [np.int32(np.uint32(sum(1 << j % 32 for j in group))) for group in groups]


@both
@pytest.mark.parametrize("threads", [1, 40, 96])
def test_a_barrier_counts_its_threads(threads):
    y = torch.zeros(threads, 5, dtype=torch.int32)
    body = """
    int i = threadIdx.x, *mine = y + 5 * i;
    mine[0] = __syncthreads_count(i % 3 == 0);
    mine[1] = __syncthreads_or(i == 7);
    mine[2] = __syncthreads_or(0);
    mine[3] = __syncthreads_and(i < 96);
    mine[4] = __syncthreads_and(i != 39);"""
    launch(body, "int* y", y, block=threads)
    wanted = [cdiv(threads, 3), threads > 7, 0, 1, threads < 40]
    assert y.bool()[:, 1:].tolist() == [[bool(w) for w in wanted[1:]]] * threads
    assert y[:, 0].tolist() == [wanted[0]] * threads


@both
def test_parts_of_a_warp_wait_for_themselves_only():
    y = torch.zeros(40)
    body = """
    __shared__ float t[40];
    int i = threadIdx.x;
    if (i % 32 < 8) {
        t[i] = i;
        __syncwarp(0x000000ffu);
        y[i] = t[i ^ 7];
    } else {
        t[i] = i;
        __syncwarp(0xffffff00u);
        y[i] = t[i ^ 7];
    }"""
    launch(body, "float* y", y, block=40)
    assert y.tolist() == [i ^ 7 for i in range(40)]


@both
def test_the_last_warp_may_be_a_part_of_one():
    y = torch.zeros(40)
    body = """
    __shared__ float t[40];
    t[threadIdx.x] = threadIdx.x;
    __syncwarp();
    y[threadIdx.x] = t[threadIdx.x ^ 1];"""
    launch(body, "float* y", y, block=40)
    assert y.tolist() == [i ^ 1 for i in range(40)]


@both
@pytest.mark.parametrize("kind", ["int", "unsigned"])
def test_atomics_of_bits(kind):
    y = torch.tensor([100, 7, 0, 0, 0, 3], dtype=torch.int32)
    body = f"""{kind}* z = reinterpret_cast<{kind}*>(y);
    atomicSub(z, {kind}(1)), atomicAnd(z + 1, {kind}(5)), atomicOr(z + 2, {kind}(4)), atomicXor(z + 3, {kind}(1));
    atomicInc(reinterpret_cast<unsigned*>(y) + 4, 2), atomicDec(reinterpret_cast<unsigned*>(y) + 5, 9);"""
    launch(body, "int* y", y, block=5)
    assert y.tolist() == [95, 5, 4, 1, 2, 8]


@both
@pytest.mark.parametrize("kind", ["int", "unsigned", "float", "double"])
def test_atomics(kind):
    n = 2 * 96
    y = torch.zeros(8, dtype=TYPES[kind])
    y[2], y[4] = 1000, 7
    before, got = torch.zeros(n, dtype=y.dtype), torch.zeros(n, dtype=y.dtype)
    body = """
    T i = T(blockIdx.x * blockDim.x + threadIdx.x);
    before[int(i)] = atomicAdd(&y[0], T(1));
    atomicMax(&y[1], i);
    atomicMin(&y[2], i + 3);
    got[int(i)] = atomicExch(&y[3], i);
    atomicCAS(&y[4], T(7), T(9));
    atomicCAS(&y[4], T(8), T(1));
    T was = y_at(&y[5]);
    while (true) {
        T found = atomicCAS(&y[5], was, was + i);
        if (found == was) break;
        was = found;
    }""".replace("T was = y_at(&y[5]);", "T was = atomicAdd(&y[5], T(0));")
    parameters = f"{kind}* y, {kind}* before, {kind}* got"
    launch(body, parameters, y, before, got, grid=2, block=96, before=f"typedef {kind} T;\n")
    assert y[:3].tolist() == [n, n - 1, 3] and y[4:6].tolist() == [9, n * (n - 1) / 2]
    assert sorted(before.tolist()) == list(range(n))
    assert sorted([*got.tolist(), y[3].item()]) == sorted([0, *range(n)]), "every value is handed on once"


@both
def test_atomics_in_shared_memory():
    y = torch.zeros(4, dtype=torch.int32)
    body = """
    __shared__ int counts[4];
    if (threadIdx.x < 4) counts[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counts[threadIdx.x % 3], 1);
    __syncthreads();
    if (threadIdx.x < 4) y[threadIdx.x] = counts[threadIdx.x];"""
    launch(body, "int* y", y, block=100)
    assert y.tolist() == [34, 33, 33, 0]


# 16-bit numbers.

SHORT = [("half", torch.float16, {}), ("bf16", torch.bfloat16, {"BF16": 1})]


def same_numbers(a, b):
    """Bit for bit, but for the bits of a NaN."""
    nan = a.isnan()
    bits = torch.int16 if a.element_size() == 2 else torch.int32
    return torch.equal(nan, b.isnan()) and torch.equal(a.view(bits)[~nan], b.view(bits)[~nan])


@both
@pytest.mark.parametrize(("name", "dtype", "macro"), SHORT, ids=[s[0] for s in SHORT])
def test_every_short_number_becomes_its_float(name, dtype, macro):
    x = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16).view(dtype)
    y, z = torch.zeros(1 << 16), torch.zeros(1 << 16, dtype=dtype)
    body = "int i = blockIdx.x * 256 + threadIdx.x;\ny[i] = to_float(x[i]);\nz[i] = to_element(y[i]);"
    launch(body, "const element* x, float* y, element* z", x, y, z, grid=256, block=256, **macro)
    assert same_numbers(y, x.float())
    assert same_numbers(z, x)


@both
@pytest.mark.parametrize(("name", "dtype", "macro"), SHORT, ids=[s[0] for s in SHORT])
def test_floats_are_rounded_to_the_nearest_short_number_and_ties_to_even(name, dtype, macro):
    all_bits = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16)
    each = all_bits.view(dtype).double()
    each = each[each.isfinite()].sort().values
    ties = ((each[1:] + each[:-1]) / 2).float().numpy()
    least = torch.tensor([0.0, -0.0, 65504, 65519.996, 65520, 65536, 3.4e38, torch.inf, torch.nan, 1e-45, 2.0**-25])
    rng = np.random.default_rng(0)
    anything = rng.integers(0, 1 << 32, 1 << 12, dtype=np.uint32).view(np.float32)
    parts = [ties, np.nextafter(ties, np.float32(np.inf)), np.nextafter(ties, np.float32(-np.inf)), anything]
    x = torch.from_numpy(np.concatenate([*parts, least.numpy(), -least.numpy()]))
    y, n = torch.zeros(len(x), dtype=dtype), len(x)
    body = "int i = blockIdx.x * 256 + threadIdx.x;\nif (i < n) y[i] = to_element(x[i]);"
    launch(body, "const float* x, element* y, int n", x, y, n, grid=cdiv(n, 256), block=256, **macro)
    assert same_numbers(y, x.to(dtype))


@both
@pytest.mark.parametrize(("name", "dtype", "macro"), SHORT, ids=[s[0] for s in SHORT])
def test_arithmetic_of_short_numbers_is_rounded_after_every_step(name, dtype, macro):
    a, b = torch.randn(256).to(dtype), torch.randn(256).to(dtype)
    y = torch.zeros(6, 256, dtype=dtype)
    packed = torch.zeros(256, 2, dtype=dtype)
    body = """
    int i = threadIdx.x;
    y[i] = a[i] + b[i], y[256 + i] = a[i] - b[i], y[512 + i] = a[i] * b[i], y[768 + i] = a[i] / b[i];
    y[1024 + i] = -a[i];
    element sum = a[i];
    sum += b[i];
    y[1280 + i] = sum;
    reinterpret_cast<unsigned*>(packed)[i] = pack(to_float(a[i]), to_float(b[i]));"""
    parameters = "const element* a, const element* b, element* y, element* packed"
    launch(body, parameters, a, b, y, packed, block=256, **macro)
    assert torch.equal(y, torch.stack([a + b, a - b, a * b, a / b, -a, a + b]))
    assert torch.equal(packed, torch.stack([a, b], dim=1))


@both
def test_cudas_own_names_of_the_conversions():
    x, y, z = torch.randn(32), torch.zeros(32).half(), torch.zeros(32).bfloat16()
    body = """
    int i = threadIdx.x;
    y[i] = __float2half(__half2float(__float2half_rn(x[i])));
    z[i] = __float2bfloat16(__bfloat162float(__float2bfloat16_rn(x[i])));"""
    launch(body, "const float* x, __half* y, __nv_bfloat16* z", x, y, z)
    assert torch.equal(y, x.half()) and torch.equal(z, x.bfloat16())


# Tensor cores.

FRAGMENTS = """
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    unsigned a[4], b[2];
    for (int r = 0; r < 4; r++) {
        const element* p = A + (g + r % 2 * 8) * 16 + 2 * t + r / 2 * 8;
        a[r] = pack(to_float(p[0]), to_float(p[1]));
    }
    for (int r = 0; r < 2; r++) {
        const element* p = B + (2 * t + r * 8) * 8 + g;
        b[r] = pack(to_float(p[0]), to_float(p[8]));
    }
    float d[4];
    for (int r = 0; r < 4; r++) d[r] = D[(g + r / 2 * 8) * 8 + 2 * t + r % 2];
    mma_m16n8k16(d, a, b);
    for (int r = 0; r < 4; r++) D[(g + r / 2 * 8) * 8 + 2 * t + r % 2] = d[r];"""


@both
@pytest.mark.parametrize(("name", "dtype", "macro"), SHORT, ids=[s[0] for s in SHORT])
def test_mma_adds_a_product_of_matrices(name, dtype, macro):
    A, B = (torch.randint(-9, 10, shape).to(dtype) for shape in ((16, 16), (16, 8)))
    D = torch.randint(-99, 100, (16, 8)).float()  # whole numbers: every order of adding gives the same
    wanted = D + A.float() @ B.float()
    launch(FRAGMENTS, "const element* A, const element* B, float* D", A, B, D, **macro)
    assert torch.equal(D, wanted)


@both
@pytest.mark.parametrize("trans", [False, True])
def test_ldmatrix_hands_out_four_matrices(trans):
    x = torch.arange(256, dtype=torch.float16)
    y = torch.zeros(32, 4, 2, dtype=torch.float16)
    body = f"""
    __shared__ __align__(16) element t[256];
    int lane = threadIdx.x;
    reinterpret_cast<uint4*>(t)[lane] = reinterpret_cast<const uint4*>(x)[lane];
    __syncwarp();
    unsigned r[4];
    ldmatrix_x4{"_trans" if trans else ""}(r, t + 8 * lane);
    for (int m = 0; m < 4; m++) reinterpret_cast<unsigned*>(y)[4 * lane + m] = r[m];"""
    launch(body, "const element* x, element* y", x, y)
    matrices = x.reshape(4, 8, 8)
    matrices = matrices.mT if trans else matrices
    for lane in range(32):
        g, t = lane // 4, lane % 4
        assert torch.equal(y[lane], matrices[:, g, 2 * t : 2 * t + 2])


@both
def test_cp_async_copies_what_is_valid_and_zeros_otherwise():
    x, y = torch.randn(128), torch.full((128,), torch.nan)
    body = """
    __shared__ float t[128];
    cp_async(t + 4 * threadIdx.x, x + 4 * threadIdx.x, threadIdx.x % 3 != 0);
    cp_async_commit();
    cp_async_wait<0>();
    for (int i = 4 * threadIdx.x; i < 4 * threadIdx.x + 4; i++) y[i] = t[i];"""
    launch(body, "const float* x, float* y", x, y)
    valid = torch.arange(128) // 4 % 3 != 0
    assert torch.equal(y, torch.where(valid, x, 0.0))


def test_a_copy_is_under_way_until_its_group_is_waited_for():
    x, y = torch.arange(12.0), torch.zeros(2, 12)
    body = """
    __shared__ float t[12];
    for (int group = 0; group < 3; group++) {
        cp_async(t + 4 * group, x + 4 * group);
        cp_async_commit();
    }
    cp_async_wait<1>();
    for (int i = 0; i < 12; i++) y[i] = t[i];
    cp_async_wait<0>();
    for (int i = 0; i < 12; i++) y[12 + i] = t[i];"""
    with cpu.unwatched():
        launch(body, "const float* x, float* y", x, y, block=1)
    assert y[0, :8].tolist() == list(range(8)) and y[0, 8:].isnan().all()
    assert torch.equal(y[1], x)


# What cannot be launched.

SIGNATURE = "const float* x, int n, float f"


@both
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((torch.zeros(1), 1), "takes 3 parameters, and the launch gives 2"),
        ((torch.zeros(1), 1, 1.0, 1), "takes 3 parameters, and the launch gives 4"),
        ((1, 1, 1.0), "its parameter x is a tensor, and the launch gives 1"),
        ((torch.zeros(1), torch.zeros(1), 1.0), "its parameter n is an int, and the launch gives a tensor"),
        ((torch.zeros(1), 1.5, 1.0), "its parameter n is an int, and the launch gives 1.5"),
        ((torch.zeros(1), 1 << 40, 1.0), "its parameter n is an int, and the launch gives 1099511627776"),
        ((torch.zeros(1), 1, 1), "its parameter f is a float, and the launch gives 1"),
        ((torch.zeros(1), 1, None), "its parameter f is a float, and the launch gives None"),
    ],
)
def test_an_argument_that_does_not_fit_is_named(arguments, said):
    with pytest.raises(KernelFault) as fault:
        launch("", SIGNATURE, *arguments)
    assert said in str(fault.value) and fault.value.kind == "LaunchError"


@both
@pytest.mark.parametrize(
    ("word", "dtype", "given"),
    [("double", torch.float32, "float32"), ("float", torch.float16, "float16"), ("int64_t", torch.int32, "int32")],
)
def test_a_pointer_to_numbers_of_another_size_is_named(word, dtype, given):
    with pytest.raises(KernelFault) as fault:
        launch("", f"const {word}* x", torch.zeros(1, dtype=dtype))
    assert f"its parameter x points to {word}, and the launch gives a tensor of {given}" in str(fault.value)


def test_a_parameter_that_no_launch_can_give_is_named():
    with pytest.raises(KernelFault, match="its parameter n is of a type that cannot be passed"):
        launch("", "long long n", 1)


@pytest.mark.parametrize("block", [0, 1025, (32, 33), (-1, -32)])
def test_a_block_has_one_to_1024_threads(block):
    with pytest.raises(KernelFault, match="a block has 1 to 1024"):
        launch("", "float* y", torch.zeros(1), block=block)


def test_a_grid_has_no_negative_number_of_blocks():
    with pytest.raises(KernelFault, match="grid"):
        launch("", "float* y", torch.zeros(1), grid=-1)


OF_THE_CPU = "twice is a function of the CPU, which no kernel can call: write __device__ before it"
OF_THE_HOST = [
    ("float twice(float a) { return 2 * a; }\n", 2),
    ("constexpr int twice(int a) { return 2 * a; }\n", 2),
    ("template <class T>\nT twice(T a) {\n    return 2 * a;\n}\n", 2),
    ("struct A {\n    float a;\n    float twice() const { return 2 * a; }\n};\n", 4),
    ("struct twice {\n    float a;\n    twice(float b) : a(2 * b) {}\n};\n", 4),
    ("namespace n {\n__device__ int once() { return 1; }\ninline int twice() noexcept { return 2; }\n}\n", 4),
    ('extern "C" {\nfloat twice(float a) { return a; }\n}\n', 3),
]
SWAP = "__syncthreads();\ny[0] = t[threadIdx.x ^ 1];"


@both
@pytest.mark.parametrize(
    ("body", "shared", "used"),
    [
        ("extern __shared__ float t[];\ny[0] = t[0];", (227 << 10) + 4, "232,452"),
        (f"__shared__ float a[10000];\nextern __shared__ float t[];\na[1] = t[0];\n{SWAP}", 200_000, "240,000"),
    ],
)  # fmt: skip
def test_a_block_has_as_much_shared_memory_as_on_an_h100(body, shared, used):
    with pytest.raises(KernelFault, match=f"asks for {used} bytes of shared memory") as fault:
        launch(body, "float* y", torch.zeros(1), shared=shared)
    assert fault.value.kind == "LaunchError"


# What does not compile.


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("int a = ;", 3, "expected primary-expression"),
        ("\n\n  y[0] = b;", 5, "'b' was not declared"),
        ("y[0] = 1", 3, "expected ';'"),
        ('#error "this part is not written yet"', 3, "this part is not written yet"),
        ("float4 v = y;", 3, "conversion from 'float*' to non-scalar type 'float4'"),
        ("\ny[0] = __nanosleep(3);", 4, "the CPU runner lacks __nanosleep"),
        ("y[0] = __expg(3);", 3, "the CPU runner lacks __expg; did you mean __expf?"),
        ("wmma::fragment f;", 3, "the CPU runner lacks wmma"),
        ("    for (int i = 0; i < 3; i++) {\n        y[i] = 1;", 3, "this { is never closed"),
        (
            "    if (y) {\n        y[0] = 1;\n        if (y) {\n            y[1] = 1;\n    }",
            5,
            "this { is never closed",
        ),
        ("y[0] = (1;", 3, "this ( is never closed"),
        ('const char* s = "{";  // (\ny[0] = s[0] + z;', 4, "'z' was not declared"),
        ("auto v = __ldg(y[0]);", 3, "no matching function for call to '__ldg(float&)'"),
        ("__shared__ float s = y[0];", 3, "gives s a value where it is declared"),
        ("float a[blockDim.x];\na[0] = y[0];\ny[0] = a[0];", 3, "the length of a is no constant"),
        ("__shared__ float s[2] = {1, 2};\ny[0] = s[0];", 3, "gives s a value where it is declared"),
        ("__shared__ float s[2] = {};\ny[0] = s[0];", 3, "gives s a value where it is declared"),
        ("__shared__ float4 s{};\ny[0] = s.x;", 3, "gives s a value where it is declared"),
        (
            f"__shared__ float t[12289];\nt[threadIdx.x] = y[0];\n{SWAP}",
            3,
            "declares 49,156 bytes of __shared__ variables",
        ),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(body, line, said):
    with pytest.raises(CompileError) as error:
        launch(body, "float* y", torch.zeros(1))
    assert f"k.cu, line {line}: " in str(error.value) and said in str(error.value)
    assert error.value.line == line and error.value.text == text_of(body).splitlines()[line - 1].strip()
    assert "/tmp" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (text_of("", name="other"), 'defines no kernel: extern "C" __global__ void k(...)'),
        (f"#include <vector>\n{text_of('')}", "k.cu, line 1: includes vector; a kernel may include "),
        (f"/*\n#include <math.h> /*\n*/\n#error seen\n{text_of('')}", "k.cu, line 4: #error seen"),
        (text_of('asm("nop");'), "k.cu, line 3: assembler runs on a GPU only"),
        (text_of("y[0] = helper();", before="float helper();\n"), "k.cu, line 2: uses helper, which no kernel has"),
        *((text_of("", before=before), f"k.cu, line {line}: {OF_THE_CPU}") for before, line in OF_THE_HOST),
        (text_of("return 1;").replace("void k", "int k"), "k.cu, line 2: cannot be launched: it has to be extern"),
        (text_of("y[0] = 1;\n}"), "k.cu, line 5: this } closes nothing"),
    ],
)
def test_what_no_kernel_may_do_is_said_before_it_runs(text, said):
    with using("k", text), pytest.raises(CompileError) as error:
        kernel("k")[1, 1](torch.zeros(1))
    assert said in str(error.value) and len(str(error.value)) < 200


@pytest.mark.parametrize("header", sorted(STANDARD))
def test_standard_headers_of_constants_and_arithmetic_may_be_included(header):
    y = torch.zeros(6, dtype=torch.float64)
    values = ("FLT_MAX", "FLT_MIN", "-INFINITY", "INT_MIN", "UINT32_MAX", "M_LOG2E * uint8_t(1)")
    body = " ".join(f"y[{i}] = {value};" for i, value in enumerate(values))
    text = f"#include <{header}> /* and\n#error nothing else */\n{text_of(body, 'double* y')}"
    with using("k", text):
        kernel("k")[1, 1](y)
    limits = np.finfo(np.float32)
    assert y.tolist() == [limits.max, limits.tiny, -np.inf, -(2**31), 2**32 - 1, float(np.log2(np.e))]


def test_a_kernel_that_the_course_does_not_have_is_missed():
    with pytest.raises(FileNotFoundError, match=r"no_such_kernel\.cu"):
        kernel("no_such_kernel")


def test_the_same_macros_in_another_order_are_the_same_kernel():
    one, other = Source("k", "", (("D", 64), ("BF16", 1))), Source("k", "", (("BF16", 1), ("D", 64)))
    assert one == other != Source("k", "", (("BF16", 64), ("D", 1)))


@pytest.mark.parametrize("wall", [["/bin/false"], ["/bin/sh", "-c", "exec /nothing/here"]], ids=["refused", "absent"])
def test_a_compiler_that_does_not_start_is_not_the_kernels_fault(wall):
    with pytest.raises(MissingCompiler, match="does not start here"):
        compiler.build(Source("k", 'extern "C" __global__ void k() {}'), True, lambda program, folder: wall)


def test_without_a_compiler_one_sentence_says_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiler.compiler.cache_clear()
    try:
        with pytest.raises(MissingCompiler) as error:
            launch("y[0] = 4711;", "float* y", torch.zeros(1))
    finally:
        compiler.compiler.cache_clear()
    assert "`sudo apt-get install g++`" in str(error.value) and "\n" not in str(error.value)


# What fails on its way.

CRASHES = {
    "division": ("if (threadIdx.x == 3) y[0] = 7 / n;", "thread 3 divides a whole number by zero"),
    "trap": ("if (threadIdx.x == 3) __builtin_trap();", "thread 3 runs into a trap"),
}


@both
@pytest.mark.parametrize("what", CRASHES)
def test_a_crash_is_named_and_the_next_launch_works(what):
    body, said = CRASHES[what]
    with pytest.raises(KernelFault) as fault:
        launch(body, "float* y, int n", torch.zeros(1), 0)
    assert fault.value.kind == "Crash" and said in str(fault.value)
    assert fault.value.line == 3 and fault.value.text == body
    y = torch.zeros(1)
    launch("y[0] = 1;", "float* y", y, block=1)
    assert y.item() == 1


RECURSION = """__device__ __noinline__ float deep(int n) {
    volatile float a[64];
    a[n % 64] = n;
    return n == -7 ? 0 : deep(n + 1) + a[1];
}
"""


def test_a_stack_that_overflows_is_named():
    with cpu.unwatched(), pytest.raises(KernelFault, match="or overflows its stack"):
        launch("y[0] = deep(n);", "float* y, int n", torch.zeros(1), 0, before=RECURSION)


PAST_THE_END = "float a[16]; for (int i = 0; i < n; i++) a[i] = y[0] + i;\nfor (int i = 0; i < n; i++) y[0] += a[i];"


@pytest.mark.parametrize(
    ("n", "said"), [(20, "writes past the end of an array of its own"), (99_999, "belongs to nothing")]
)
def test_an_array_of_a_thread_has_an_end(n, said):
    with pytest.raises(KernelFault, match=f"thread 0 .*{said}"):
        launch(PAST_THE_END, "float* y, int n", torch.zeros(1), n, block=1)


def test_an_address_of_nobody_is_named_even_if_nobody_looks():
    with cpu.unwatched(), pytest.raises(KernelFault, match="line 3: thread 0 uses an address that belongs to nothing"):
        launch("reinterpret_cast<float*>(8)[0] = n;", "int n", 1)


@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize(("by", "error"), [("SIGINT", "Interrupted"), ("SIGALRM", "OutOfTime")])
def test_the_stop_button_or_an_alarm_ends_an_endless_kernel_and_the_next_one_runs(by, error, watched):
    code = f"""
import contextlib, signal, threading, torch
from simt import cpu, kernel
from simt.source import define
define("k", {text_of("if (n) while (true) y[0] = 1;" + chr(10) + "y[1] = 2;", "volatile float* y, int n")!r})
y, main = torch.zeros(2), threading.get_ident()
def stop():
    while y[0] == 0:
        pass
    signal.pthread_kill(main, signal.{by})
with contextlib.nullcontext() if {watched} else cpu.unwatched():
    kernel("k")[1, 1](y, 0)
    threading.Thread(target=stop).start()
    try:
        kernel("k")[1, 1](y, 1)
    except KeyboardInterrupt as stop:
        y.zero_()
        kernel("k")[1, 1](y, 0)
        print(type(stop).__name__, "in", stop.text, "and", y.tolist())
"""
    root = str(compiler.RUNTIME.parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": root}
    )
    line = r"(if \(n\) while \(true\) y\[0\] = 1;)?"
    assert re.fullmatch(rf"{error} in {line} and \[0.0, 2.0\]", done.stdout.strip()), done.stderr


# Reports.


def test_each_kernel_has_its_own_lines_in_a_report_that_grows():
    x, y = torch.randn(32), torch.zeros(32)
    first, second = (text_of(f"{line}y[threadIdx.x] = x[threadIdx.x];", "const float* x, float* y", name=name)
                     for name, line in (("one", ""), ("two", "\n")))  # fmt: skip
    with using("one", first), using("two", second), cpu.watch() as outer:
        kernel("one")[1, 32](x, y)
        with cpu.watch() as inner:
            kernel("two")[1, 32](x, y)
            kernel("two")[1, 32](x, y)
    assert outer.kernels == ["one", "two", "two"] and inner.kernels == ["two", "two"]
    assert set(outer.lines) == {("one", 3), ("two", 4)} and set(inner.lines) == {("two", 4)}
    assert outer.lines["one", 3].loaded == 128 and outer.lines["two", 4].loaded == 256
    assert outer.total.moved == 768 and inner.total.moved == 512
    assert outer.busiest("loaded") == 4 and outer.busiest("conflicts") == 0
    assert outer.texts == {"one": first, "two": second}


def test_of_reports_that_count_the_same_each_ends_its_own_watch():
    y = torch.zeros(32)
    with using("k", text_of("y[threadIdx.x] = 1;", "float* y")), cpu.watch() as outer:
        with cpu.watch() as inner:
            kernel("k")[1, 32](y)
        kernel("k")[1, 32](y)
    assert len(outer.kernels) == 2 and len(inner.kernels) == 1


@both
@pytest.mark.skipif(platform.machine() != "x86_64", reason="another register says how numbers are rounded")
def test_no_number_loses_bits_by_two_factors():
    y = torch.rand(32) + 0.5
    right = y.clone()
    there_and_back = "const int i = threadIdx.x;\ny[i] = y[i] * small / small;"
    launch(there_and_back, "float* y, float small", y, 2.0**-100)
    assert torch.equal(y, right)
    launch(there_and_back, "float* y, float small", y, 2.0**-140)
    assert not y.any() and (right * 2.0**-140).all(), "outside of a kernel they are what they are"
    launch("y[threadIdx.x] = fmaxf(y[threadIdx.x], 1e-38f);", "float* y", y)
    assert (y > 0).all(), "a denominator may be held there"


@both
@pytest.mark.parametrize("tiny", ["1e-38f", "1.0E-3'8F", "5e-39f", "0x1p-127f", ".1e-37"])
def test_what_is_added_to_a_denominator_of_0_is_not_lost(tiny):
    y = torch.zeros(32)
    launch(f"y[threadIdx.x] = 1.0f / float(y[threadIdx.x] + {tiny});", "float* y", y)
    assert (y == 2.0**126).all()
    launch("y[threadIdx.x] = 1.0f / (y[threadIdx.x] * 0.0f + 1e-40f);", "float* y", y)
    assert y.isinf().all(), "which a GPU cannot divide by either"


def test_nobody_counts_what_is_not_watched():
    with cpu.unwatched():
        report = launch("y[threadIdx.x] = 1;", "float* y", torch.zeros(32))
    assert report.total.moved == 0 and report.kernels == ["k"]


# A thread's own memory, tensor cores and copies, as they are counted.


def test_arrays_of_a_thread_that_no_gpu_holds_in_registers_are_refused():
    few, many = "float kept[1500];", "float kept[9000];"
    fill = "for (int i = 0; i < n; i++) kept[i] = y[i % 32];\ny[32 + threadIdx.x] = kept[n / 2];"
    y = torch.ones(64)
    launch(f"{few}\n{fill}", "float* y, int n", y, 100)
    with pytest.raises(CompileError, match=r"the variables of a thread take 36,0.. bytes, and may take 8,192"):
        launch(f"{many}\n{fill}", "float* y, int n", y, 100)


def test_memory_below_a_thread_s_variables_is_not_its_own():
    body = "float here[2] = {0};\nvolatile float* below = (volatile float*)here - n;\nbelow[0] = y[0];"
    with pytest.raises(KernelFault, match=r"line 5: thread 0 uses 6.... bytes for variables of its own") as fault:
        launch(body, "float* y, int n", torch.ones(32), 16000)
    assert fault.value.kind == "LocalMemory"


def test_multiplications_and_copies_are_counted():
    few = "float d[4] = {};\nunsigned a[4] = {1, 1, 1, 1}, b[2] = {1, 1};\n" + "mma_m16n8k16(d, a, b);\n" * 3
    counts = launch(f"{few}\ny[threadIdx.x] = d[0];", "float* y", torch.ones(64), block=64).total
    assert counts.multiplied == 3 * 64 and counts.copied == 0
    copy = "__shared__ float4 to[32];\ncp_async(&to[threadIdx.x], x + 4 * threadIdx.x, threadIdx.x < 20);"
    wait = "cp_async_commit();\ncp_async_wait<0>();\ny[threadIdx.x] = to[threadIdx.x].x;"
    given = "const float* x, float* y", torch.ones(128), torch.ones(32)
    counts = launch(f"{copy}\n{wait}", *given).total
    assert counts.multiplied == 0 and counts.copied == 0 and counts.loaded == 20 * 16
    counts = launch(f"{copy}\n{few}\n{wait}", *given).total
    assert counts.multiplied == 3 * 32 and counts.copied == 0, "three products do not cover it"
    many = few + "mma_m16n8k16(d, a, b);\n" * 13
    counts = launch(f"{copy}\n{many}\n{wait}", *given).total  # it comes while much is multiplied
    assert counts.multiplied == 16 * 32 and counts.copied == 20 * 16 == counts.loaded


def test_products_count_as_overlapped_while_copies_of_the_warp_are_under_way():
    mma = "mma_m16n8k16(d, a, b);\n"
    before = "__shared__ float4 to[64];\nfloat d[4] = {};\nunsigned a[4] = {1, 1, 1, 1}, b[2] = {1, 1};\n" + mma
    copy = "cp_async(&to[threadIdx.x], x, threadIdx.x / 32);\ncp_async_commit();\n"  # zeros to the first warp
    wait = "cp_async_wait<0>();\n"
    body = f"{before}{copy}{mma}{mma}{wait}{mma}y[threadIdx.x] = d[0];"
    assert launch(body, "const float* x, float* y", torch.ones(4), torch.ones(64), block=64).total.overlapped == 2 * 32
    none = body.replace("b[2] = {1, 1}", "b[2] = {0, 0}")
    assert launch(none, "const float* x, float* y", torch.ones(4), torch.ones(64), block=64).total.overlapped == 0


@pytest.mark.parametrize(("a", "b", "quarters"), [
    ("1, 1, 1, 1", "1, 0", 2),  # nothing is taken of half of the axis that is summed over
    ("1, 0, 1, 0", "1, 1", 2),  # nor of half of the rows
    ("1, 0, 0, 0", "1, 1", 1),
    ("0, 0, 0, 0", "1, 1", 0),
    ("1, 1, 0, 0", "0, 1", 0),  # what there is meets zeros
])  # fmt: skip
def test_products_with_zeros_count_for_what_is_not_zero(a, b, quarters):
    body = (
        f"float d[4] = {{}};\nunsigned a[4] = {{{a}}}, b[2] = {{{b}}};\nmma_m16n8k16(d, a, b);\ny[threadIdx.x] = d[0];"
    )
    assert launch(body, "float* y", torch.ones(32)).total.multiplied == 8 * quarters


def test_products_can_be_altered():
    fill = "unsigned a[4], b[2];\nfor (unsigned& x : a) x = 0x3c003c00;\nfor (unsigned& x : b) x = 0x3c003c00;"
    body = f"{fill}\nfloat d[4] = {{1, 1, 1, 1}};\nmma_m16n8k16(d, a, b);\ny[threadIdx.x] = d[0];"
    for factor, y in ((1.0, torch.ones(32)), (0.5, torch.ones(32))):
        with cpu.products_times(factor):
            launch(body, "float* y", y)
        assert (y == 1 + 16 * factor).all()


OFF = {
    "switched off": "#if 0  // a test\nint main() { return gone(); }\n#endif",
    "with another switch within": "#if 0\n#ifdef A\nint main() { return gone(); }\n#else\nint gone;\n#endif\n#endif",
    "headers of the runtime": '#include <cuda_runtime.h>\n# include "device_launch_parameters.h"',
}


@pytest.mark.parametrize("before", OFF.values(), ids=list(OFF))
def test_what_is_switched_off_and_what_compilers_include_by_themselves_is_left_out(before):
    text = text_of("y[threadIdx.x] = 1;", before=before + "\n")
    left = without_switched_off(text)
    assert "gone" not in left and "include <cuda" not in left and left.count("\n") == text.count("\n")
    y = torch.zeros(32)
    launch("y[threadIdx.x] = 1;", "float* y", y, before=before + "\n")
    assert (y == 1).all()


@pytest.mark.parametrize("kept", ["#if 1\nint a;\n#endif", "#if 0\n#else\nint a;\n#endif", "/*\n#if 0\n*/\n//#endif"])
def test_what_may_be_compiled_stays(kept):
    assert without_switched_off(kept) == kept


def test_what_is_asserted_is_not_looked_at():
    y = torch.zeros(32)
    launch("assert(threadIdx.x > 90);\ny[threadIdx.x] = 1;", "float* y", y, before="#include <cassert>\n")
    assert (y == 1).all()
