"""What the instruments of CUDA C++ see: each fault named with its line and thread, each count against one by hand."""

import contextlib
import io
import shutil

import pytest
import torch

from simt.errors import CompileError, KernelFault
from tests.simt.test_simt import launch

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler on this machine"
)


# Main memory. One warp reads what the expression says; 32-byte sectors hold 8 floats, and tensors begin with one.

READS = {
    "next to each other": ("float", "x[t]", 128, 4, 4),  # 32 floats = 4 sectors
    "backwards": ("float", "x[31 - t]", 128, 4, 4),
    "every second": ("float", "x[2 * t]", 128, 8, 4),  # 256 bytes touched, 128 asked for
    "a column of 32": ("float", "x[32 * t]", 128, 32, 4),  # 128 bytes apart: a sector for each
    "one too far": ("float", "x[t + 1]", 128, 5, 4),  # bytes 4 to 131 reach into a fifth sector
    "the same": ("float", "x[0]", 128, 1, 1),  # every thread asks for its 4 bytes, one sector holds them
    "pairs share": ("float", "x[t / 2]", 128, 2, 2),
    "halves": ("half", "x[t]", 64, 2, 2),
    "halves in a column of 16": ("half", "x[16 * t]", 64, 32, 2),
    "vectors": ("float4", "x[t]", 512, 16, 16),
    "every second vector": ("float4", "x[2 * t]", 512, 32, 16),  # 16 of every 32 bytes
    "twos": ("float2", "x[t]", 256, 8, 8),
    "doubles": ("double", "x[t]", 256, 8, 8),
}
SUM = {"float4": "v.x + v.y + v.z + v.w", "float2": "v.x + v.y", "half": "__half2float(v)"}


@pytest.mark.parametrize("what", READS)
def test_bytes_and_sectors_of_one_load(what):
    kind, index, loaded, sectors, least = READS[what]
    body = f"int t = threadIdx.x;\n{kind} v = {index};\ny[t] = {SUM.get(kind, 'v')};"
    x = torch.ones(2048, dtype={"half": torch.float16, "double": torch.float64}.get(kind, torch.float32))
    report = launch(body, f"const {kind}* x, float* y", x, torch.zeros(32))
    load, store = report.lines["k", 4], report.lines["k", 5]
    assert (load.loaded, load.stored, load.requests) == (loaded, 0, 1)
    assert (load.sectors, load.load_sectors, load.store_sectors, load.least_sectors) == (sectors, sectors, 0, least)
    assert load.wasted == sectors - least
    assert (store.stored, store.store_sectors, store.requests) == (128, 4, 1)
    assert (report.total.loaded, report.total.stored, report.total.sectors) == (loaded, 128, sectors + 4)


@pytest.mark.parametrize(
    ("stored", "scattered"),
    [
        ("y[t] = 0;", 0),
        ("y[31 - t] = 0;", 0),
        ("if (t % 3) y[t] = 0;", 0),  # a lane that stores nothing leaves its place free
        ("y[t / 8 * 16 + t % 8] = 0;", 3),  # four sectors, which lie apart
        ("y[t ^ 16] = 0;", 1),
        ("y[t * 5 % 32] = 0;", 31),
        ("y[2 * t] = 0;", 31),
        ("if (t % 2) y[t / 2] = 0; else y[16 + t / 2] = 0;", 30),  # in order, and not by their numbers
    ],
)
def test_lanes_whose_numbers_do_not_lie_next_to_each_other(stored, scattered):
    report = launch(
        f"int t = threadIdx.x;\n{stored}\nif (x[t]) return;", "const float* x, float* y", *torch.zeros(2, 64)
    )
    assert (report.total.scattered_stores, report.total.scattered_loads) == (scattered, 0)
    loaded = stored.replace("y[", "sum += x[").replace(" = 0;", ";")
    body = f"int t = threadIdx.x;\nfloat sum = 0;\n{loaded}\ny[t] = sum;"
    report = launch(body, "const float* x, float* y", *torch.zeros(2, 64))
    assert (report.total.scattered_stores, report.total.scattered_loads) == (0, scattered)


def test_a_struct_is_loaded_whole_whatever_is_done_with_its_members():
    """Also if each is named once, for which the compiler would load them one by one."""
    body = """struct alignas(4) Two { half a, b; };
    Two two = reinterpret_cast<const Two*>(x)[threadIdx.x];
    y[threadIdx.x] = __half2float(two.a) + __half2float(two.b);"""
    report = launch(body, "const half* x, float* y", torch.ones(64).half(), torch.zeros(32))
    load = report.lines["k", 4]
    assert (load.requests, load.loaded, load.sectors) == (1, 128, 4)


def test_the_threads_that_load_and_store_and_the_block_that_moves_most_bytes_of_main_memory():
    body = """__shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t < 32 ? x[t] + x[t + 32] : 0;
    if (t > 1) y[64 * blockIdx.x + t] = s[t];
    if (t == 40) y[64 * blockIdx.x] = y[64 * blockIdx.x + 1] = s[t];"""
    report = launch(body, "const float* x, float* y", torch.ones(64), torch.zeros(192), block=64, grid=3)
    assert report.most.thread_loaded == 2 * 4, "two loads of each thread of the first warp"
    assert report.most.thread_stored == 3 * 4, "three stores of thread 40: of one block, shared memory apart"
    assert report.most.block_moved == 4 * 128, "two loads of the first warp, and 64 stores"


def test_what_one_thread_reads_and_writes_in_shared_memory():
    body = """__shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i <= t; i++) sum += s[i];
    __syncthreads();
    if (t == 5) s[0] = s[1] = sum;
    y[64 * blockIdx.x + t] = sum;"""
    report = launch(body, "const float* x, float* y", torch.ones(64), torch.zeros(128), block=64, grid=2)
    assert report.most.thread_read == 64 * 4, "all numbers, by the last thread of one block"
    assert report.most.thread_taken == 63 * 4, "all but its own, by the last thread"
    assert report.most.thread_wrote == 3 * 4, "three by thread 5, main memory apart"


@pytest.mark.parametrize(
    ("kind", "number", "rounded"),
    [
        *(("half", "x[t]", 32), ("half", "1 + t", 0), ("__nv_bfloat16", "257 + 2 * t", 32)),
        *(("__nv_bfloat16", "-INFINITY", 0), ("half", "half(x[t])", 32)),
    ],
)
def test_numbers_that_conversions_to_16_bits_change_are_counted(kind, number, rounded):
    body = f"int t = threadIdx.x;\n{kind} a = {kind}(float({number}));\ny[t] = float(a);"
    report = launch(body, "const float* x, float* y", torch.full((32,), 0.1), torch.zeros(32))
    assert report.total.rounded == rounded


def test_a_number_that_is_rounded_again_before_the_next_barrier_is_one():
    again = "for (int i = 0; i < 8; ++i) y[t] += float(half(x[t]));\n"
    body = f"int t = threadIdx.x;\n{again}__syncthreads();\n{again}"
    report = launch(body, "const float* x, float* y", torch.full((32,), 0.1), torch.zeros(32))
    assert report.total.rounded == 2 * 32


@pytest.mark.parametrize("exact", ["sinf", "cosf", "expf", "logf", "log2f", "log10f", "exp10f"])
def test_fast_functions_are_as_far_off_as_a_gpus(exact):
    """So that whoever looks whether they differ from the exact ones is told the same everywhere."""
    body = f"int t = threadIdx.x;\ny[t] = __{exact}(t + 1.5f) - {exact}(t + 1.5f);"
    apart = torch.zeros(32)
    launch(body, "float* y", apart)
    assert (apart != 0).any() and apart[:4].abs().max() < 1e-2


@pytest.mark.parametrize(
    "power",
    [
        *("expf(x)", "exp2f(x)", "exp(x)", "__expf(x)", "exp10f(x)", "__powf(2, x)", "tanhf(x)", "exp(double(x))"),
        *("expm1f(x)", "ldexpf(1, x)"),
    ],
)
def test_every_power_that_a_thread_takes_is_counted(power):
    report = launch(
        f"float x = y[threadIdx.x];\nif (threadIdx.x < 9) y[threadIdx.x] = {power};", "float* y", torch.ones(32)
    )
    assert report.lines["k", 4].exponentials == 9


def test_exponentials_of_the_busiest_thread_and_those_of_a_block_that_come_out_as_0():
    body = "int t = threadIdx.x;\nfor (int i = 0; i <= t / 16; i++) y[32 * blockIdx.x + t] += expf(x[t] - i);"
    x = torch.where(torch.arange(32) < 5, -torch.inf, 0.0)
    report = launch(body, "const float* x, float* y", x, torch.zeros(64), grid=2)
    assert (report.total.exponentials, report.most.thread_exponentials) == (2 * 48, 2)
    assert (report.total.vanished, report.most.block_vanished) == (2 * 5, 5)


@pytest.mark.parametrize(
    ("power", "counted"),
    [
        *(("1 / expf(90 * x)", 32), ("expf(x / 0 * 0)", 32), ("expf(-x)", 0), ("expm1f(-90 * x)", 32)),
        *(("expm1f(-x)", 0), ("tanhf(-x * INFINITY)", 32), ("tanhf(-x)", 0), ("ldexpf(x, -90 * x)", 32)),
        ("coshf(-90 * x)", 32),
    ],
)
def test_a_power_counts_as_0_too_if_its_inverse_is_or_if_it_is_no_number(power, counted):
    body = f"float x = y[threadIdx.x];\ny[threadIdx.x] = {power};"
    assert launch(body, "float* y", torch.ones(32)).total.vanished == counted


def test_shuffles_are_counted_by_warps_in_words_of_four_bytes():
    both = "y[t] = __shfl_xor_sync(0xffffffff, y[t], 1);\ny[t] += __shfl_sync(0xffffffff, (double)y[t], 0);"
    report = launch(f"int t = threadIdx.x;\n{both}", "float* y", torch.ones(64), block=64)
    assert [report.lines["k", line].shuffles for line in (4, 5)] == [2, 4]
    assert report.most.warp_shuffles == 3


CHOOSING = "float (*f)(float) = y[0] > 0 ? one : two;\ny[threadIdx.x] = f(y[threadIdx.x]);"
VIRTUAL = "One one;\nTwo two;\nOne* f = y[0] > 0 ? &one : &two;\ny[threadIdx.x] = f->of(1);"
FUNCTIONS = "__device__ float one(float a) { return a; }\n__device__ float two(float a) { return 2 * a; }\n"
METHODS = (
    "struct One { __device__ virtual float of(float a) { return a; } };\n"
    "struct Two : One { __device__ float of(float a) { return 2 * a; } };\n"
)
TWICE = "template <class F> __device__ float twice(float a, F f) { return f(f(a)); }\n"
BY_NAME = "y[threadIdx.x] = twice(1, one) + twice(1, [](float a) { return a; }) + twice(1, Half());"
HALF = "struct Half { __device__ float operator()(float a) const { return a / 2; } };\n"


@pytest.mark.parametrize(("before", "body", "line"), [(FUNCTIONS, CHOOSING, 6), (METHODS, VIRTUAL, 8)])
def test_a_call_through_a_pointer_is_refused(before, body, line):
    with pytest.raises(CompileError, match=f"line {line}: calls a function through a pointer"):
        launch(body, "float* y", torch.ones(32), before=before)


def test_functions_structs_and_lambdas_may_be_handed_to_templates():
    y = torch.zeros(32)
    launch(BY_NAME, "float* y", y, before=FUNCTIONS + HALF + TWICE)
    assert (y == 2.25).all()


@pytest.mark.parametrize(
    ("body", "requests", "loaded", "sectors"),
    [
        ("if (t < 16) y[t] = x[t];", 1, 64, 2),  # half a warp
        ("if (t % 2) y[t] = x[t];", 1, 64, 4),  # every second thread touches every sector
        ("for (int i = 0; i < 3; i++) y[t] += x[32 * i + t];", 6, 768, 24),  # 3 times x and y of 4 sectors
        ("for (int i = 0; i <= t / 16; i++) y[t] = x[t];", 2, 192, 6),  # all lanes, then the upper half
        ("y[t] = t % 2 ? x[t] : x[32 + t];", 2, 128, 8),  # two ways of a branch, 16 lanes each
    ],
)
def test_lanes_that_come_by_together_are_one_request(body, requests, loaded, sectors):
    lines = f"int t = threadIdx.x;\nif (n) t = 0;\n{body}"
    report = launch(lines, "const float* x, float* y, int n", torch.ones(128), torch.zeros(32), 0)
    assert report.total.loaded == loaded and report.total.load_sectors == sectors
    stores = report.total.requests - requests
    assert stores == (3 if "+=" in body else 2 if "i <=" in body else 1)


def test_every_warp_of_every_block_has_its_own_request():
    body = "int i = blockIdx.x * blockDim.x + threadIdx.x;\ny[i] = x[i];"
    report = launch(body, "const float* x, float* y", torch.ones(288), torch.zeros(288), grid=3, block=96)
    assert report.lines["k", 4].requests == 2 * 9 and report.total.sectors == 2 * 36


def test_structs_are_read_word_by_word():
    """A GPU copies a struct of floats in pieces of 4 bytes: 32 words of 128 bytes apart, 32 sectors for each."""
    body = "S v = x[threadIdx.x];\ny[threadIdx.x] = v;"
    x, y = torch.randn(1024), torch.zeros(1024)
    report = launch(body, "const S* x, S* y", x, y, before="struct S { float a[32]; };\n")
    assert torch.equal(x, y)
    assert (report.total.loaded, report.total.load_sectors, report.total.store_sectors) == (4096, 1024, 1024)


def test_structs_in_shared_memory_are_copied_word_by_word():
    body = """__shared__ S t[32];
    t[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = t[31 - threadIdx.x];"""
    x, y = torch.randn(1024), torch.zeros(1024)
    report = launch(body, "const S* x, S* y", x, y, before="struct S { float a[32]; };\n")
    assert torch.equal(y.view(32, 32), x.view(32, 32).flip(0))
    assert report.total.wavefronts == 2 * 32 * 32  # a bank for all lanes, 32 words, in and out


def test_an_atomic_is_counted_as_a_load_and_a_store():
    report = launch("atomicAdd(&y[0], 1.0f);", "float* y", torch.zeros(32))
    assert (report.total.loaded, report.total.stored, report.total.sectors) == (128, 128, 1)


def test_an_atomic_reads_shared_memory_too():
    body = "__shared__ float s;\nif (threadIdx.x) return;\ns = 0;\natomicAdd(&s, 1.0f), atomicExch(&s, 2.0f);"
    report = launch(body, "float* y", torch.zeros(32))
    assert (report.most.thread_read, report.most.thread_wrote) == (8, 12)


def test_what_threads_hand_each_other_is_counted():
    body = """__shared__ float4 s[32];
    s[threadIdx.x] = make_float4(0, 1, 2, 3);
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x].x + s[threadIdx.x ^ 1].y + s[0].z;"""
    assert launch(body, "float* y", torch.zeros(32)).total.handed == 4 * (32 + 31)


def test_what_warps_pass_on_in_main_memory_is_counted():
    body = """int t = threadIdx.x;
    y[t] = t;
    __syncthreads();
    z[t] = y[(t + SHIFT) % 64] + x[0];"""
    for shift, passed in ((0, 0), (32, 4 * 64), (1, 4 * 2)):
        given = (torch.zeros(1), torch.zeros(64), torch.zeros(64))
        report = launch(body.replace("SHIFT", str(shift)), "const float* x, float* y, float* z", *given, block=64)
        assert report.total.passed == passed, shift


@pytest.mark.parametrize("remainder", ["fmodf(y[threadIdx.x], 2.0f)", "fmod(y[threadIdx.x], 2.0)"])
def test_a_remainder_is_what_a_number_is_rounded_by(remainder):
    body = f"y[threadIdx.x] -= {remainder};"
    y = torch.arange(32.0)
    report = launch(body, "float* y", y)
    assert y.tolist() == [n // 2 * 2 for n in range(32)] and report.total.rounded == 16


def test_no_order_of_warps_is_promised():
    body = """__shared__ int latest;
    if (threadIdx.x % 32 == 0) atomicExch(&latest, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = latest;"""
    orders = set()
    for number in range(3):
        y = torch.full((64,), number, dtype=torch.int32)
        launch(body, "int* y", y, block=64, grid=64)
        assert 16 < y.tolist().count(0) < 48 and y[0] == 32
        orders.add(tuple(y.tolist()))
    assert len(orders) == 3, "it depends on what the tensors hold"


def test_a_copy_to_shared_memory_is_counted_where_it_starts():
    body = """__shared__ float t[128];
    cp_async(t + 4 * threadIdx.x, x + 4 * threadIdx.x);
    cp_async_commit();
    cp_async_wait<0>();
    y[threadIdx.x] = t[4 * threadIdx.x];"""
    report = launch(body, "const float* x, float* y", torch.ones(128), torch.zeros(32))
    line = report.lines["k", 4]
    assert (line.loaded, line.sectors, line.shared_requests, line.wavefronts) == (512, 16, 1, 4)  # 32 x 16 bytes


def test_counts_do_not_depend_on_the_names_of_lines():
    """Lines renamed by the preprocessor count like all others."""
    get = "__device__ __noinline__ float get(const float* x) { return x[threadIdx.x]; }"
    before = f'#line 1 "elsewhere"\n{get}\n#line 3 "k.cu"\n'
    report = launch(
        "y[threadIdx.x] = get(x);", "const float* x, float* y", torch.ones(32), torch.zeros(32), before=before
    )
    assert report.total.loaded == 128
    report = launch("y[threadIdx.x] = get(x);", "const float* x, float* y", torch.ones(32), torch.zeros(32),
                    before=before.replace('1 "elsewhere"', "0"))  # fmt: skip
    assert report.total.loaded == 128


# Shared memory: 32 banks of 4 bytes. Passes of one read by a warp, and how few would do.

SHARED = {
    "next to each other": ("float", "s[t]", 1, 1),
    "backwards": ("float", "s[31 - t]", 1, 1),
    "every third": ("float", "s[3 * t]", 1, 1),  # 3 is prime to 32
    "every second": ("float", "s[2 * t]", 2, 1),  # t and t + 16 meet
    "every eighth": ("float", "s[8 * t]", 8, 1),
    "a column of 32": ("float", "s[32 * t]", 32, 1),
    "a padded column": ("float", "s[33 * t]", 1, 1),
    "the same": ("float", "s[5]", 1, 1),  # one word goes to all
    "two words of a bank": ("float", "s[t % 2 * 32]", 2, 1),
    "halves": ("half", "s[t]", 1, 1),  # 16 words
    "a column of 64 halves": ("half", "s[64 * t]", 32, 1),
    "a padded column of halves": ("half", "s[66 * t]", 1, 1),
    "8 bytes": ("float2", "s[t]", 2, 2),  # 16 lanes at once
    "8 bytes, every second": ("float2", "s[2 * t]", 4, 2),
    "16 bytes": ("float4", "s[t]", 4, 4),  # 8 lanes at once
    "16 bytes, every second": ("float4", "s[2 * t]", 8, 4),
    "16 bytes in a column of 32 words": ("float4", "s[8 * t]", 32, 4),
    "16 bytes in a padded column": ("float4", "s[9 * t]", 4, 4),
}


@pytest.mark.parametrize("what", SHARED)
def test_passes_over_the_banks(what):
    kind, index, passes, least = SHARED[what]
    body = f"""__shared__ {kind} s[2112];
    int t = threadIdx.x;
    for (int i = t; i < sizeof(s) / 4; i += 32) reinterpret_cast<float*>(s)[i] = 0;
    __syncthreads();
    {kind} v = {index};
    y[t] = {SUM.get(kind, "v")};"""
    line = launch(body, "float* y", torch.zeros(32)).lines["k", 7]
    assert (line.shared_requests, line.wavefronts, line.least_wavefronts) == (1, passes, least)
    assert line.conflicts == passes - least and line.moved == 0


def test_atomics_to_one_bank_go_one_behind_the_other():
    body = """__shared__ int s[64];
    int t = threadIdx.x;
    s[t] = s[t + 32] = 0;
    __syncwarp();
    atomicAdd(&s[7], 1);
    atomicAdd(&s[t], 1);
    atomicAdd(&s[t / 8], 1);"""
    lines = launch(body, "float* y", torch.zeros(32)).lines
    assert [lines["k", number].conflicts for number in (7, 8, 9)] == [31, 0, 7]


FILLED = """__shared__ float s[1088];
    int t = threadIdx.x;
    for (int i = t; i < 1088; i += 32) s[i] = 0;
    __syncthreads();
    float sum = 0;
"""


OF_FOUR = "for (int c = 0; c < 4; c++) sum += s[32 * i + 32 * c];"  # one word for all lanes in each


@pytest.mark.parametrize(
    ("body", "conflicts"),
    [
        ("for (int c = 0; c < 4; c++) for (int j = 0; j < 8; j++) sum += s[32 * t + j];", 31 * 32),
        # Of an inner loop that ends apart: in the ninth round the 16 odd lanes meet.
        ("for (int c = 0; c < 4; c++) for (int j = 0; j < 8 + t % 2; j++) sum += s[32 * t + j];", 31 * 32 + 15 * 4),
        ("for (int c = 0; c < 4; c++) for (int j = 0; j < t % 9; j++) sum += s[33 * t + j];", 0),
        ("for (int j = 0; j < 8; j++) if (j < t) sum += s[33 * t + j];", 0),
        ("for (int i = 0; i <= (31 - t) / 31; i++) sum += s[32 * t];", 31),  # one lane comes once more
        ("for (int i = 0; i < 32; i++) if (i == t) sum += s[32 * t];", 31),  # one lane behind the other
        ("int i = 0; for (;;) { if (i++ == 32) break; if (i != t + 1) continue; sum += s[32 * t]; }", 31),
        # Lanes that leave out rounds are together in the others, in whichever order they do.
        ("int i = 0; for (;;) { if (++i == 32) break; if ((i + t) % 3 == 0) continue; sum += s[32 * i]; }", 0),
        (f"int i = 0; while (true) {{ if (++i == 9) break; if ((i + t) % 3) {{ {OF_FOUR} }} }}", 0),
        (f"int i = 0; for (;;) {{ if (++i == 9) break; if ((i + t) % 3 == 0) continue; {OF_FOUR} }}", 0),
    ],
)
def test_conflicts_are_those_of_lanes_that_come_by_in_the_same_rounds(body, conflicts):
    assert launch(f"{FILLED}{body}\ny[t] = sum;", "float* y", torch.zeros(32)).lines["k", 8].conflicts == conflicts


LONG_APART = """for (int i = 0; i < 700; i++) {
    if (t < 16) sum += x[(i + 1) % 64];
    sum += x[i % 64];
}
y[t] = sum;"""


@pytest.mark.parametrize(
    ("body", "sectors"),
    [
        ("for (int i = 0; i < 32; i++) if (i == t) y[t] = x[t];", 64),  # one lane behind the other
        ("for (int i = 0; i < 32; i++) if (i == t) { y[t] = x[t]; break; }", 64),
        ("for (int i = 0; i < t % 5; i++) sum += x[t + 8 * i];\ny[t] = sum;", 4 * 4 + 4),  # together after a loop
        ("for (int i = 0; i < 4; i++) if (i >= t % 4) y[t] = x[t];", 4 * 8),
        ("for (int i = t; i < 40; i += 32) y[i] = x[i];", 2 * 5),  # a ragged end
        ("for (int i = 0; i < 2; i++) { if (t == i) sum += x[t]; __syncwarp(); }\ny[t] = sum + x[t];", 2 + 8),
        (LONG_APART, 2 * 700 + 4),  # both halves, though one makes twice as many requests
    ],
)
def test_lanes_make_a_request_together_in_the_same_rounds_alone(body, sectors):
    lines = f"int t = threadIdx.x;\nfloat sum = 0;\n{body}"
    report = launch(lines, "const float* x, float* y", torch.ones(64), torch.zeros(64))
    assert report.total.sectors == sectors


def test_a_part_of_a_warp_takes_only_its_own_passes():
    body = """__shared__ float4 s[32];
    s[threadIdx.x] = make_float4(0, 0, 0, 0);
    __syncthreads();
    if (threadIdx.x < 8) y[threadIdx.x] = s[threadIdx.x].x;"""
    report = launch(body, "float* y", torch.zeros(32))
    assert report.lines["k", 4].wavefronts == 4
    assert report.lines["k", 6].wavefronts == 1  # 8 words, 4 apart


@pytest.mark.parametrize(
    ("columns", "place", "passes"),
    [
        (64, "lane % 16 * 64 + lane / 16 * 8", 32),  # rows of 128 bytes: 8 rows of a matrix in the same 4 banks
        (72, "lane % 16 * 72 + lane / 16 * 8", 4),  # 16 bytes of padding
        (64, "lane % 16 * 64 + (lane / 16 ^ lane % 8) * 8", 4),  # the chunk of 8 elements swapped by the row
    ],
    ids=["plain", "padded", "swizzled"],
)
@pytest.mark.parametrize("trans", ["", "_trans"])
def test_ldmatrix_reads_four_times_eight_rows(columns, place, passes, trans):
    body = f"""__shared__ __align__(16) element s[16 * {columns}];
    int lane = threadIdx.x;
    for (int i = lane; i < 16 * {columns}; i += 32) s[i] = to_element(0);
    __syncthreads();
    unsigned r[4];
    ldmatrix_x4{trans}(r, s + {place});
    y[lane] = r[0];"""
    line = launch(body, "float* y", torch.zeros(32)).lines["k", 8]
    assert (line.shared_requests, line.wavefronts, line.least_wavefronts) == (1, passes, 4)


def test_what_mma_is_given_by_reference_is_read_and_written_where_it_lies():
    body = """unsigned a[4] = {}, b[2] = {};
    mma_m16n8k16(*(float(*)[4])(y + 4 * threadIdx.x), a, *(const unsigned(*)[2])(x + 2 * threadIdx.x));
    float d[4] = {};
    mma_m16n8k16(d, a, b);"""
    report = launch(body, "const float* x, float* y", torch.zeros(64), torch.zeros(128))
    assert (report.total.loaded, report.total.stored) == (32 * (2 + 4) * 4, 32 * 4 * 4)


@pytest.mark.parametrize(
    ("a", "b", "used"),
    [
        ("pack(threadIdx.x, 1.0f)", "pack(1.0f, threadIdx.x)", 32),
        ("pack(1.0f, 1.0f)", "pack(1.0f, threadIdx.x)", 32),  # equal probabilities
        ("pack(threadIdx.x, 1.0f)", "pack(1.0f, 1.0f)", 32),  # sums of rows
        ("pack(0.0625f, 0.0625f)", "pack(1.0f, 1.0f)", 0),  # which make one number, whatever the inputs
        ("pack(threadIdx.x, 1.0f)", "0", 0),  # padding
    ],
)
def test_products_count_that_say_something(a, b, used):
    body = f"""const unsigned left = {a}, right = {b};
    float d[4] = {{}};
    mma_m16n8k16(d, {{left, left, left, left}}, {{right, right}});
    y[threadIdx.x] = d[0];"""
    assert launch(body, "float* y", torch.zeros(32)).total.multiplied == used


def test_ldmatrix_writes_where_its_result_lies():
    body = """__shared__ __align__(16) element s[16 * 16];
    for (int i = threadIdx.x; i < 256; i += 32) s[i] = to_element(0);
    __syncthreads();
    ldmatrix_x4(*(unsigned(*)[4])(y + 4 * threadIdx.x), s + 8 * threadIdx.x);"""
    assert launch(body, "float* y", torch.zeros(128)).total.stored == 32 * 4 * 4


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("ldmatrix_x4(r, own)", "ldmatrix"),
        ("ldmatrix_x4_trans(r, x)", "ldmatrix"),
        ("cp_async(own, x)", "cp_async"),
        ("cp_async(y, x)", "cp_async"),
    ],
)
def test_what_a_gpu_takes_for_an_address_in_shared_memory_lies_there(call, name):
    body = f"alignas(16) float own[4] = {{}};\nunsigned r[4] = {{}};\n{call};\ny[0] = r[0] + own[0];"
    with pytest.raises(KernelFault, match=f"gives {name} an address that does not lie in shared memory") as found:
        launch(body, "const float* x, float* y", torch.zeros(4), torch.zeros(4))
    assert found.value.line == 5


def test_a_mask_of_those_that_come_by_is_a_vote_and_fragments_of_a_product_are_shuffled():
    body = """y[threadIdx.x] = threadIdx.x < 9 ? __activemask() : __activemask();
    float d[4] = {};
    mma_m16n8k16(d, {1, 1, 1, 1}, {1, 1});
    y[threadIdx.x] += d[0];"""
    report = launch(body, "float* y", torch.zeros(32))
    assert (report.total.shared_requests, report.total.shuffles) == (2, 2 + 6)


def test_a_vote_is_a_request_of_its_warp_and_one_at_a_barrier_a_request_of_each_lane():
    body = """unsigned all = __ballot_sync(~0u, y[threadIdx.x] > 0);
    all += __any_sync(~0u, all) + __syncthreads_count(all);
    y[threadIdx.x] = all;"""
    report = launch(body, "float* y", torch.ones(64), block=64)
    assert [report.lines["k", n].shared_requests for n in (3, 4)] == [2, 2 + 2 * 32]


def test_a_ballot_is_a_shuffle_and_other_votes_count_with_those_of_a_warp():
    body = """unsigned all = __ballot_sync(~0u, y[threadIdx.x] > 0);
    for (int i = 0; i < 5; i++) all += __any_sync(~0u, all) + __all_sync(~0u, all);
    y[threadIdx.x] = all + __shfl_sync(~0u, all, 0);"""
    report = launch(body, "float* y", torch.ones(64), block=64)
    assert (report.total.shuffles, report.most.warp_shuffles) == (2 * 2, 1 + 10 + 1)


def test_a_stretch_of_a_loop_that_the_compiler_lays_aside_is_in_the_loop():
    """Where the larger of two pairs is taken, one way goes past the loop's end and back into its middle."""
    body = """float2 v = {-INFINITY, 0.0f};
    for (int j = threadIdx.x; j < 1000; j += 64) {
        const float2 a = {x[j], 1.0f};
        const float2 big = a.x >= v.x ? a : v, small = a.x >= v.x ? v : a;
        v = small.x == -INFINITY ? big : make_float2(big.x, big.y + small.y * expf(small.x - big.x));
    }
    y[threadIdx.x] = v.x + logf(v.y);"""
    x = torch.randn(1000)
    report = launch(body, "const float* x, float* y", x, y := torch.zeros(64), block=64)
    assert report.lines["k", 5].sectors == 1000 // 8
    torch.testing.assert_close(y.logsumexp(0), x.logsumexp(0))


@pytest.mark.parametrize(
    ("source", "products", "counted"), [("x", 16, (32 * 16, 32 * 16)), ("x", 15, (0, 32 * 15)), ("t + 128", 16, (0, 0))]
)
def test_a_copy_counts_from_main_memory_and_beside_products(source, products, counted):
    body = f"""__shared__ __align__(16) float t[256];
    float d[4] = {{}};
    const unsigned a[4] = {{threadIdx.x + 1, 1, 1, 1}}, b[2] = {{threadIdx.x + 1, 1}};
    for (int i = threadIdx.x; i < 256; i += 32) t[i] = 1;
    __syncthreads();
    cp_async(t + 4 * threadIdx.x, {source} + 4 * threadIdx.x);
    cp_async_commit();
    for (int i = 0; i < {products}; i++) mma_m16n8k16(d, a, b);
    cp_async_wait<0>();
    y[threadIdx.x] = d[0];"""
    total = launch(body, "const float* x, float* y", torch.ones(128), torch.zeros(32)).total
    assert (total.copied, total.overlapped) == counted


def test_an_array_of_its_own_has_a_length_that_is_known_and_no_more_room_than_variables():
    body = "float v[{}];\nfor (int i = 0; i < n; i++) v[i] = x[i % 32];\ny[threadIdx.x] = v[n - 1];"
    given = "const float* x, float* y, int n", torch.ones(32), torch.ones(32)
    launch(body.format(9), *given, 9)
    with pytest.raises(CompileError, match="variables of a thread take 20,032 bytes, and may take 8,192"):
        launch(body.format(5000), *given, 5000)
    with pytest.raises(CompileError, match="length of v is no constant"):
        launch(body.format("n"), *given, 9)


APART = """#define APART 16), noinline, aligned(16
struct One { float at; };
__align__(APART) __device__ float value(One x) { return x.at; }
"""
DEEP = """__device__ float summed(const float* x, int n) {
    return n ? summed(x, n - 1) + x[n % 32] : 0;
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="clang++ loads what calls take where it is watched")
@pytest.mark.parametrize(("before", "body"), [(APART, "y[0] = value(*(const One*)x);"), (DEEP, "y[0] = summed(x, n);")])
def test_a_call_that_is_not_put_in_its_place_is_refused(before, body):
    with pytest.raises(CompileError, match="calls a function that calls itself, or is kept apart"):
        launch(body, "const float* x, float* y, int n", torch.ones(32), torch.ones(32), 9, before=before)


SLOT = """struct Four { float at[4]; };
inline __device__ void* operator new(size_t, void* where) { return where; }
__noinline__ __device__ Four twice(Four x) {
    for (float& each : x.at) each *= 2;
    return x;
}
"""
RECURSIVE = """template <int N> __device__ float summed(const float* x) {
    if constexpr (N > 0) return summed<N - 1>(x) + x[N - 1];
    else return 0;
}
"""


@pytest.mark.parametrize(
    ("before", "body", "loaded", "stored"),
    [(SLOT, "new (y) Four(twice(*(const Four*)x));", 16, 16), (RECURSIVE, "y[0] = summed<9>(x);", 36, 4)],
)
def test_what_calls_take_and_return_by_value_is_counted(before, body, loaded, stored):
    total = launch(body, "const float* x, float* y", torch.ones(32), torch.ones(32), before=before, block=1).total
    assert (total.loaded, total.stored) == (loaded, stored)


@pytest.mark.parametrize(
    ("before", "body", "name"),
    [
        ('typedef void F(float, float*, float*);\nextern "C" { F sincosf; }', "sincosf(x[0], y, y + 1);", "sincosf"),
        ('extern "C" { int puts(const char*); }', "y[0] = puts((const char*)x);", "puts"),
        ('namespace a { extern "C" float exp10f(float); }', "y[0] = a::exp10f(x[0]);", "exp10f"),
    ],
)
def test_a_librarys_function_that_no_header_declares_is_refused(before, body, name):
    with pytest.raises(CompileError, match=f"uses {name}, which no kernel has"):
        launch(body, "const float* x, float* y", torch.ones(32), torch.ones(32), before=f"{before}\n")


def test_sines_and_cosines_of_one_number_are_not_made_by_one_function():
    y = torch.zeros(32)
    launch("y[threadIdx.x] = sinf(x[0]) + cosf(x[0]);", "const float* x, float* y", torch.ones(32), y)
    assert torch.allclose(y, torch.ones(32).sin() + torch.ones(32).cos())


def test_printf_returns_the_number_of_its_arguments():
    body = 'y[0] = printf("%*d%% of %s\\n", n, 5, "all");\ny[1] = printf("\\n");'
    y = torch.zeros(32)
    launch(body, "float* y, int n", y, 9, block=1)
    assert y[:2].tolist() == [3, 0]


def test_printf_writes_where_python_prints_and_not_without_end(capfd):
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard):
        launch('printf("thread %d\\n", threadIdx.x);', "float* y", torch.zeros(32), block=2)
        assert heard.getvalue() == "thread 0\nthread 1\n"
        launch('for (int i = 0; i < 100000; i++) printf("on and on\\n");', "float* y", torch.zeros(32), block=1)
    said = heard.getvalue()
    assert len(said) < 70_000 and said.endswith(" more calls of printf\n") and capfd.readouterr().out == ""


def test_what_a_kernel_printed_before_its_fault_is_printed():
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard), pytest.raises(KernelFault):
        launch('printf("here\\n"); y[1000] = 1;', "float* y", torch.zeros(32), block=1)
    assert heard.getvalue() == "here\n"


def test_printf_stores_nothing():
    launch('printf("%5.2f %d%% of %s, %llu\\n", y[0], n, "all", 3ull);', "float* y, int n", torch.zeros(32), 3)
    body = 'const char* how = "%*s%hhn";\nprintf(how, n, "", (signed char*)y);'
    with pytest.raises(KernelFault, match="line 4: thread 0 prints with %n, which a GPU's printf does not have"):
        launch(body, "float* y, int n", torch.zeros(32), 3)


def test_bytes_of_shared_memory_and_barriers():
    body = """__shared__ float s[32];
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = i;
        __syncthreads();
    }
    if (threadIdx.x < 8) y[threadIdx.x] = s[threadIdx.x + 8];"""
    report = launch(body, "float* y", torch.zeros(32))
    assert report.lines["k", 5].shared_bytes == 3 * 32 * 4
    assert report.lines["k", 8].shared_bytes == 8 * 4
    assert (report.total.barriers, report.lines["k", 6].barriers) == (3, 3)


def test_barriers_of_a_thread_are_those_of_its_block_and_of_its_warp():
    body = """int t = threadIdx.x;
    for (int i = 0; i < 5; i++) __syncwarp();
    if (t < 4) __syncwarp(0xf);
    else if (t < 32) __syncwarp(0xfffffff0);
    __syncthreads();
    if (t >= 32) __syncwarp();
    y[64 * blockIdx.x + t] = t;"""
    report = launch(body, "float* y", torch.zeros(128), block=64, grid=2)
    assert report.most.thread_barriers == 5 + 1 + 1, "of one block; of a warp's halves each has passed one"


def test_a_number_of_others_that_a_thread_reads_again_is_one_unless_it_has_been_written_anew():
    body = """volatile __shared__ float s[32], one;
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        if (t == 0) one = i;
        s[t] = i;
        __syncwarp();
        for (int j = 0; j < 8; j++) sum += one + s[31];
        __syncwarp();
    }
    y[t] = sum;"""
    report = launch(body, "float* y", torch.zeros(32))
    assert report.most.thread_taken == 3 * 2 * 4
    assert report.most.thread_read == 3 * 8 * 2 * 4


def test_what_atomics_return_of_others_counts_as_read():
    body = """__shared__ float s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    y[threadIdx.x] = threadIdx.x == 7 ? atomicAdd(&s, 1.0f) : 0;"""
    assert launch(body, "float* y", torch.zeros(32)).most.thread_taken == 4


def test_bytes_that_are_loaded_more_than_once_and_of_these_the_block_with_most():
    body = """int t = threadIdx.x, first = x[t] > 0;
    const volatile float* again = x;
    if (blockIdx.x == 1 && t < 5) first += again[t] + again[t];
    if (t == 9) first += again[40];
    y[32 * blockIdx.x + t] = first;"""
    report = launch(body, "const float* x, float* y", torch.ones(64), torch.zeros(64), grid=2)
    assert report.total.repeated == (32 + 1) * 4, "all of the first block's by the second one"
    assert report.most.block_again == 5 * 4, "five by the second block, three times each"


def test_products_that_are_added_to_sums_which_all_end_in_zeros():
    body = """float d[4] = {%s, 0.25f, 0, 0};
    const unsigned two[4] = {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00}, ones[2] = {0x3c003c00, 0x3c003c00};
    mma_m16n8k16(d, two, ones);
    y[threadIdx.x] = d[0];"""
    for first, coarse in (("1.5f", 1), ("threadIdx.x ? 1.5f : 1.1f", 0), ("0", 1), ("y[threadIdx.x] / 0", 1)):
        assert launch(body % first, "float* y", torch.ones(32)).total.coarse == coarse, first
    assert launch(body.replace("0.25f", "0") % "0", "float* y", torch.ones(32)).total.coarse == 0, "nothing yet"


def test_a_product_of_zeros_is_one_too_but_not_of_those_that_have_to_be():
    body = """float d[4] = {};
    const unsigned half[4] = {0x3c003d00, 0x3c003e00, 0, 0}, ones[2] = {0x3c003c00, 0x3c003c00}, none[4] = {};
    for (int i = 0; i < 3; i++) mma_m16n8k16(d, i ? half : none, ones);
    y[threadIdx.x] = d[0];"""
    total = launch(body, "float* y", torch.ones(32)).total
    assert (total.issued, total.multiplied) == (3, 32)


def test_bytes_of_shared_memory_that_the_block_wrote_that_wrote_most():
    body = """__shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (blockIdx.x == 1 && t < 5) s[32 + t] = t;
    y[32 * blockIdx.x + t] = s[t];"""
    assert launch(body, "float* y", torch.ones(64), grid=2).most.block_wrote == (32 + 5) * 4


def test_threads_that_take_hardly_an_exponential_beside_others_of_their_block():
    body = """int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < (t < 16 ? 32 : t < 24 ? 4 : 3); i++) sum += expf(y[t] * i);
    y[t] = blockIdx.x == 0 ? sum : 0;"""
    assert launch(body, "float* y", torch.ones(32)).most.idle_threads == 8


# Faults. The body begins in line 3; x has 64 elements, y 128.

PAIRS = "int t = threadIdx.x;\n__shared__ float s[64];\n"
WAITED = "cp_async(s[0] + 4 * t, x);\ncp_async_commit();\ncp_async_wait<0>();\n"
ASYNC = "int t = threadIdx.x;\n__shared__ float s[2][128];\n"
DOUBLE = """int t = threadIdx.x;
__shared__ float s[%d][32];
float sum = 0;
for (int i = 0; i < 4; i++) {
    s[i %% %d][t] = x[t] + i;
    __syncthreads();
    sum += s[i %% %d][31 - t];
}
y[t] = sum;"""
STAGES = """int t = threadIdx.x;
__shared__ float s[2][256];
cp_async(s[0] + 4 * t, x);
cp_async_commit();
for (int i = 0; i < 3; i++) {
    %scp_async(s[(i + 1) %% 2] + 4 * t, x);
    cp_async_commit();
    cp_async_wait<1>();
    __syncthreads();
    y[t] = s[i %% 2][4 * (t ^ 32)];%s
}"""
DYNAMIC = "int t = threadIdx.x;\nextern __shared__ float s[];\n"
ORDER = ", with nothing in between that orders them"
FAULTS = {
    # Races: who did what where, and who else.
    "all write one": (
        ("__shared__ float s[1];\ns[0] = threadIdx.x;\n__syncthreads();\ny[threadIdx.x] = s[0];", 2),
        ("Race", 4, f"thread 0 writes s[0] in line 4 and thread 1 writes it in line 4{ORDER}"),
        ("__shared__ float s[1];\nif (threadIdx.x == 0) s[0] = 1;\n__syncthreads();\ny[threadIdx.x] = s[0];", 2),
    ),
    "no barrier between warps": (
        (PAIRS + "s[t] = x[t];\ny[t] = s[63 - t];", 64),
        ("Race", 5, f"thread 31 reads s[32] in line 6 and thread 32 writes it in line 5{ORDER}"),
        (PAIRS + "s[t] = x[t];\n__syncthreads();\ny[t] = s[63 - t];", 64),
    ),
    "no barrier within a warp": (
        (PAIRS + "s[t] = x[t];\ny[t] = s[t ^ 1];", 32),
        ("Race", 5, f"thread 0 reads s[1] in line 6 and thread 1 writes it in line 5{ORDER}"),
        (PAIRS + "s[t] = x[t];\n__syncwarp();\ny[t] = s[t ^ 1];", 32),
    ),
    "a shuffle orders nothing": (
        (PAIRS + "s[t] = x[t];\n__shfl_sync(0xffffffffu, t, 0);\ny[t] = s[t ^ 1];", 32),
        ("Race", 7, f"thread 1 writes s[1] in line 5 and thread 0 reads it in line 7{ORDER}"),
        (PAIRS + "s[t] = x[t];\n__syncwarp();\n__shfl_sync(0xffffffffu, t, 0);\ny[t] = s[t ^ 1];", 32),
    ),
    "a warp's barrier between warps": (
        (PAIRS + "s[t] = x[t];\n__syncwarp();\ny[t] = s[t ^ 32];", 64),
        ("Race", 5, f"thread 0 reads s[32] in line 7 and thread 32 writes it in line 5{ORDER}"),
        (PAIRS + "s[t] = x[t];\n__syncthreads();\ny[t] = s[t ^ 32];", 64),
    ),
    "written again too early": (
        (PAIRS + "s[t] = x[t];\n__syncthreads();\nfloat v = s[63 - t];\ns[t] = v;", 64),
        ("Race", 7, f"thread 31 writes s[31] in line 8 and thread 32 reads it in line 7{ORDER}"),
        (PAIRS + "s[t] = x[t];\n__syncthreads();\nfloat v = s[63 - t];\n__syncthreads();\ns[t] = v;", 64),
    ),
    "blocks write one": (
        ("y[0] = blockIdx.x;", 1, 2),
        ("Race", 3, "thread 0 of block 0 writes y[0] in line 3 and thread 0 of block 1 writes it in line 3"),
        ("y[blockIdx.x] = blockIdx.x;", 1, 2),
    ),
    "a block reads another's": (
        ("y[blockIdx.x] = 1;\ny[2 + blockIdx.x] = y[0];", 1, 2),
        ("Race", 4, "thread 0 of block 0 writes y[0] in line 3 and thread 0 of block 1 reads it in line 4"),
        ("y[blockIdx.x] = 1;\ny[2 + blockIdx.x] = y[blockIdx.x];", 1, 2),
    ),
    "threads add to one": (
        ("y[0] += 1;", 2),
        ("Race", 3, f"thread 0 writes y[0] in line 3 and thread 1 reads it in line 3{ORDER}"),
        ("atomicAdd(&y[0], 1.0f);", 2, 2),
    ),
    "an atomic beside a plain write": (
        ("if (threadIdx.x) atomicAdd(&y[0], 1.0f);\nelse y[0] = 1;", 2),
        ("Race", 3, f"thread 0 writes y[0] in line 4 and thread 1 writes it in line 3{ORDER}"),
        ("if (threadIdx.x) atomicAdd(&y[0], 1.0f);\nelse y[1] = 1;", 2),
    ),
    "an atomic after one's own plain write": (
        ("if (threadIdx.x == 0) y[0] = 1;\natomicAdd(&y[0], 1.0f);", 2),
        ("Race", 4, f"thread 0 writes y[0] in line 3 and thread 1 writes it in line 4{ORDER}"),
        ("if (threadIdx.x == 0) y[0] = 1;\n__syncthreads();\natomicAdd(&y[0], 1.0f);", 2),
    ),
    "one buffer for two": (
        (DOUBLE % (1, 1, 1), 32),
        ("Race", 9, f"thread 15 writes element 15 of s in line 7 and thread 16 reads it in line 9{ORDER}"),
        (DOUBLE % (2, 2, 2), 32),
    ),
    "a stage that is still read": (
        (STAGES % ("", ""), 64),
        ("Race", 12, f"thread 0 writes element 0 of s in line 8 and thread 32 reads it in line 12{ORDER}"),
        (STAGES % ("", "\n__syncthreads();"), 64),
    ),
    "copied but not for all": (
        (ASYNC + "cp_async(s[0] + 4 * t, x);\ncp_async_commit();\ncp_async_wait<0>();\ny[t] = s[0][4 * (t ^ 1)];", 32),
        ("Race", 5, f"thread 0 reads element 4 of s in line 8 and thread 1 writes it in line 5{ORDER}"),
        (
            ASYNC + WAITED + "__syncthreads();\ny[t] = s[0][4 * (t ^ 1)];",
            32,
        ),
    ),
    # Memory that nobody has written.
    "copied but not waited for": (
        (ASYNC + "cp_async(s[0] + 4 * t, x);\ncp_async_commit();\ny[t] = s[0][4 * t];", 32),
        ("Uninitialised", 7, "thread 0 reads element 0 of s while cp_async may still be copying to it"),
        (ASYNC + "cp_async(s[0] + 4 * t, x);\ncp_async_commit();\ncp_async_wait<0>();\ny[t] = s[0][4 * t];", 32),
    ),
    "a wait for too few": (
        (ASYNC + "cp_async(s[1] + 4 * t, x);\ncp_async_commit();\ncp_async_wait<1>();\ny[t] = s[1][4 * t];", 32),
        ("Uninitialised", 8, "thread 0 reads element 128 of s while cp_async may still be copying to it"),
        (ASYNC + "cp_async(s[1] + 4 * t, x);\ncp_async_commit();\ncp_async_wait<0>();\ny[t] = s[1][4 * t];", 32),
    ),
    "never written": (
        (PAIRS + "y[t] = s[t];", 32),
        ("Uninitialised", 5, "thread 0 reads s[0], which nobody has written"),
        (PAIRS + "s[t] = 0;\ny[t] = s[t];", 32),
    ),
    "written in part": (
        (PAIRS + "if (t < 30) s[t] = 1;\n__syncthreads();\ny[t] = s[t];", 32),
        ("Uninitialised", 7, "thread 30 reads s[30], which nobody has written"),
        (PAIRS + "s[t] = t < 30 ? 1 : 0;\n__syncthreads();\ny[t] = s[t];", 32),
    ),
    "left by another block": (
        (PAIRS + "if (blockIdx.x == 0) s[t] = 1;\n__syncthreads();\ny[32 * blockIdx.x + t] = s[t];", 32, 2),
        ("Uninitialised", 7, "thread 0 of block 1 reads s[0], which nobody has written"),
        (PAIRS + "s[t] = 1;\n__syncthreads();\ny[32 * blockIdx.x + t] = s[t];", 32, 2),
    ),
    "added to, and never written": (
        (PAIRS + "atomicAdd(&s[t], 1);", 32),
        ("Uninitialised", 5, "thread 0 reads s[0], which nobody has written"),
        (PAIRS + "atomicExch(&s[t], 1), atomicAdd(&s[t], 1);", 32),
    ),
    # Beyond the end, before the beginning.
    "reads past the end": (
        ("y[threadIdx.x] = x[threadIdx.x + 40];", 32),
        ("OutOfBounds", 3, "thread 24 reads x[64], which has 64 elements"),
        ("y[threadIdx.x] = x[threadIdx.x + 32];", 32),
    ),
    "writes past the end": (
        ("int i = blockIdx.x * 48 + threadIdx.x;\ny[i] = 1;", 48, 3),
        ("OutOfBounds", 4, "thread 32 of block 2 writes y[128], which has 128 elements"),
        ("int i = blockIdx.x * 48 + threadIdx.x;\nif (i < 128) y[i] = 1;", 48, 3),
    ),
    "reads before the beginning": (
        ("int t = threadIdx.x;\ny[t] = x[t - 1];", 32),
        ("OutOfBounds", 4, "thread 0 reads x[-1], which has 64 elements"),
        ("int t = threadIdx.x;\ny[t] = t ? x[t - 1] : 0;", 32),
    ),
    "writes before the beginning": (
        ("int t = threadIdx.x;\ny[t - 3] = x[t];", 32),
        ("OutOfBounds", 4, "thread 0 writes y[-3], which has 128 elements"),
        ("int t = threadIdx.x;\nif (t >= 3) y[t - 3] = x[t];", 32),
    ),
    "a row too many": (
        ("y[threadIdx.y * 16 + threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];", (16, 5)),
        ("OutOfBounds", 3, "thread (0, 4) reads x[64], which has 64 elements"),
        ("y[threadIdx.y * 16 + threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];", (16, 4)),
    ),
    "past the end of shared memory": (
        (PAIRS + "s[t + 40] = 1;", 32),
        ("OutOfBounds", 5, "thread 24 writes s[64], which has 64 elements"),
        (PAIRS + "s[t + 32] = 1;", 32),
    ),
    "before the beginning of shared memory": (
        (PAIRS + "s[t] = 1;\ny[t] = s[t - 2];", 32),
        ("OutOfBounds", 6, "thread 0 reads s[-2], which has 64 elements"),
        (PAIRS + "s[t] = 1;\n__syncwarp();\ny[t] = t < 2 ? 0 : s[t - 2];", 32),
    ),
    "past the end of dynamic shared memory": (
        (DYNAMIC + "s[t] = 1;\ny[t] = s[t + 64];", 32, 1, 256),
        ("OutOfBounds", 6, "thread 0 reads s[64], which has 64 elements"),
        (DYNAMIC + "s[t + 32] = 1;\ny[t] = s[t + 32];", 32, 1, 256),
    ),
    "dynamic shared memory that nobody asked for": (
        (DYNAMIC + "s[t] = 1;", 32),
        ("OutOfBounds", 5, "thread 0 writes "),
        (DYNAMIC + "s[t] = 1;", 32, 1, 128),
    ),
    "a vector that straddles the end": (
        ("float4 v = reinterpret_cast<const float4*>(x)[threadIdx.x + 1];\ny[threadIdx.x] = v.x + v.w;", 16),
        ("OutOfBounds", 3, "thread 15 reads x[6"),
        ("float4 v = reinterpret_cast<const float4*>(x)[threadIdx.x];\ny[threadIdx.x] = v.x + v.w;", 16),
    ),
    "an address of nobody": (
        ("y[0] = *reinterpret_cast<const float*>(blockDim.x);", 1),
        ("OutOfBounds", 3, "thread 0 reads an address that belongs to no tensor"),
        ("y[0] = *(x + blockDim.x);", 1),
    ),
    # Addresses that are no multiple of what is moved at once.
    "a row that is not aligned": (
        (ASYNC + "cp_async(s[0] + 4 * t + 1, x);", 1),
        ("Misaligned", 5, "thread 0 moves 16 bytes at once, from element 1 of s on, whose address is not a multiple"),
        (ASYNC + "cp_async(s[0] + 4 * t, x);", 1),
    ),
    "a vector that is not aligned": (
        ("float4 v = *reinterpret_cast<const float4*>(x + 3 * threadIdx.x);\ny[threadIdx.x] = v.x;", 2),
        ("Misaligned", 3, "thread 1 moves 16 bytes at once, from x[3] on, whose address is not a multiple of 16"),
        ("float4 v = *reinterpret_cast<const float4*>(x + 4 * threadIdx.x);\ny[threadIdx.x] = v.x;", 2),
    ),
    "a pair that is not aligned": (
        ("reinterpret_cast<float2*>(y + 1)[threadIdx.x] = make_float2(1, 2);", 2),
        ("Misaligned", 3, "thread 0 moves 8 bytes at once, from y[1] on"),
        ("reinterpret_cast<float2*>(y + 2)[threadIdx.x] = make_float2(1, 2);", 2),
    ),
    "vectors in rows of an odd length": (
        (
            "__shared__ __align__(16) float s[4][9];\n*reinterpret_cast<float4*>(s[threadIdx.x]) = float4{1};",
            4,
        ),
        ("Misaligned", 4, "thread 1 moves 16 bytes at once, from element 9 of s on"),
        (
            "__shared__ __align__(16) float s[4][12];\n*reinterpret_cast<float4*>(s[threadIdx.x]) = float4{1};",
            4,
        ),
    ),
    "two halves as one word": (
        ("y[0] = reinterpret_cast<const unsigned*>(reinterpret_cast<const half*>(x) + 1)[0];", 1),
        ("Misaligned", 3, "thread 0 moves 4 bytes at once, from x[0] on"),
        ("y[0] = reinterpret_cast<const unsigned*>(reinterpret_cast<const half*>(x) + 2)[0];", 1),
    ),
    # A thread's own variables.
    "a sum that begins with nothing": (
        ("float sum;\nfor (int i = 0; i < 8; i++)\n    sum += x[i];\ny[threadIdx.x] = sum;", 1),
        ("Uninitialised", 5, "sum is read, and nothing has been written to it"),
        ("float sum = 0;\nfor (int i = 0; i < 8; i++)\n    sum += x[i];\ny[threadIdx.x] = sum;", 1),
    ),
    "a factor of a loop that is never set": (
        ("for (int i = 0; i < blockDim.x; i++) {\nfloat factor;\ny[i] = factor * x[i];\n}", 1),
        ("Uninitialised", 5, "factor is read, and nothing has been written to it"),
        ("float factor;\nfor (int i = 0; i < blockDim.x; i++) {\nif (!i) factor = 2;\ny[i] = factor * x[i];\n}", 1),
    ),
    # Threads that wait in vain.
    "a barrier in a branch": (
        ("if (threadIdx.x < 16)\n__syncthreads();", 40),
        ("DivergentBarrier", 4, "threads 0 to 15 wait at __syncthreads for threads 16 to 39, which have returned"),
        ("if (blockIdx.x < 16)\n__syncthreads();", 40),
    ),
    "two barriers": (
        ("if (threadIdx.x % 2)\n__syncthreads();\nelse\n__syncthreads();", 2),
        ("DivergentBarrier", 6, "thread 0 waits at __syncthreads for thread 1, which waits in line 4"),
        ("if (blockIdx.x % 2)\n__syncthreads();\nelse\n__syncthreads();", 2),
    ),
    "an early return": (
        ("if (threadIdx.x == 7) return;\n__syncthreads();", 8),
        ("DivergentBarrier", 4, "threads 0 to 6 wait at __syncthreads for thread 7, which has returned"),
        ("if (threadIdx.x == 7) y[0] = 1;\n__syncthreads();", 8),
    ),
    "loops of different length": (
        ("for (int i = 0; i < threadIdx.x; i++)\n__syncthreads();", 2),
        ("DivergentBarrier", 4, "thread 1 waits at __syncthreads for thread 0, which has returned"),
        ("for (int i = 0; i < blockDim.x; i++)\n__syncthreads();", 2),
    ),
    "a shuffle in a branch": (
        ("if (threadIdx.x < 30)\ny[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 1.0f, 1);", 32),
        ("DivergentWarp", 4, "threads 0 to 29 wait at __shfl_xor_sync for threads 30 to 31, which have returned"),
        ("if (threadIdx.x < 30)\ny[threadIdx.x] = __shfl_xor_sync(0x3fffffffu, 1.0f, 1);", 32),
    ),
    "a mask without oneself": (
        ("if (threadIdx.x > 3)\n__syncwarp(0xffu);", 32),
        ("DivergentWarp", 4, "thread 8 calls __syncwarp with a mask that leaves itself out"),
        ("if (threadIdx.x > 3)\n__syncwarp(0xfffffff0u);", 32),
    ),
    "lanes that there are not": (
        ("y[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 1.0f, 1);", 16),
        ("DivergentWarp", 3, "wait at __shfl_xor_sync for lanes that the block does not have"),
        ("y[threadIdx.x] = __shfl_xor_sync(0xffffu, 1.0f, 1);", 16),
    ),
    "two ways to wait": (
        ("if (threadIdx.x < 16)\n__syncthreads();\nelse\n__syncwarp();", 32),
        ("DivergentWarp", 6, "threads 16 to 31 wait at __syncwarp for threads 0 to 15, which wait in line 4"),
        ("__syncwarp();\n__syncthreads();", 32),
    ),
}


def run(body, block, grid=1, shared=0):
    x, y = torch.ones(64), torch.zeros(128)
    return launch(body, "const float* x, float* y", x, y, grid=grid, block=block, shared=shared)


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_named_with_its_line_and_threads(what):
    wrong, (kind, line, said), right = FAULTS[what]
    with pytest.raises(KernelFault) as fault:
        run(*wrong)
    assert (fault.value.kind, fault.value.line) == (kind, line), str(fault.value)
    assert said in str(fault.value) and fault.value.text == wrong[0].split("\n")[line - 3].strip()
    run(*right)


UNSURE = {
    "the first time is told apart": (
        "float best;\nfor (int i = 0; i < 64; i++) if (i == 0 || x[i] > best) best = x[i];\ny[0] = best;"
    ),
    "loads run ahead of their use": (
        "float4 next, now;\nfor (int i = 0; i < 4; i++) {\n    now = next;\n"
        "    next = reinterpret_cast<const float4*>(x)[i];\n    if (i) y[0] += now.x;\n}"
    ),
    "filled where it is used": (
        "float row[8];\nint n = min(int(blockDim.x), 8);\nfor (int i = 0; i < n; i++) row[i] = x[i];\n"
        "for (int i = 0; i < n; i++) y[i] = row[i];"
    ),
    "half of a vector": "float4 v;\nv.x = 1;\nfloat4 w = v;\ny[0] = w.x;",
    "one way only": "float l;\nif (x[0] > 0) l = x[0];\nif (x[0] > 0) y[0] = l;",
}


@pytest.mark.parametrize("what", UNSURE)
def test_a_variable_that_has_a_value_where_it_counts_is_no_fault(what):
    run(UNSURE[what], 1)


@pytest.mark.parametrize("body", ["float a[8];\nfor (int i = 0; i < n; i++)\n    a[i % 8] += x[i];\ny[0] = a[3];",
                                  "float4 a;\nfor (int i = 0; i < n; i++) a.y += x[i];\ny[0] = a.y;",
                                  "half a[8];\ny[0] = __half2float(a[n % 8]);"])  # fmt: skip
def test_what_a_variable_holds_without_a_value_shows(body):
    x, y = torch.ones(64), torch.zeros(1)
    launch(body, "const float* x, float* y, int n", x, y, 64, block=1)
    assert not y.abs().item() < 1000


def test_structs_without_a_vectors_alignment_are_moved_in_pieces():
    """Of two numbers in a struct each is loaded by itself, wherever it lies."""
    before = "struct Two { float a, b; };\nstruct Four { half a[4]; };\n"
    body = """Two v = *reinterpret_cast<const Two*>(x + 1);
    Four w = *reinterpret_cast<const Four*>(reinterpret_cast<const half*>(x) + 1);
    y[0] = v.b + __half2float(w.a[3]);"""
    launch(body, "const float* x, float* y", torch.ones(8), torch.zeros(1), block=1, before=before)


def test_what_was_seen_before_a_fault_is_still_counted():
    import simt
    from simt import cpu

    text = '#include "tilewise.cuh"\nextern "C" __global__ void k(float* y) {\ny[threadIdx.x] = 1;\ny[99] = 1;\n}\n'
    with simt.using("k", text), cpu.watch() as report, pytest.raises(KernelFault):
        simt.kernel("k")[1, 32](torch.zeros(32))
    assert report.kernels == ["k"]


def test_a_race_explains_more_than_a_missing_value():
    """A thread that reads too early reads what nobody has written yet; the missing barrier is what to say."""
    with pytest.raises(KernelFault) as fault:
        run(PAIRS + "s[t] = x[t];\ny[t] = s[63 - t];", 64)
    assert fault.value.kind == "Race"
