"""The grader against hostile CUDA kernels: while they are read, compiled, loaded and run."""

import json
import shutil

import nbformat
import pytest

from autograder.grading.grade import grade_submission
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.grading.screening import kernel_reaches_for
from autograder.spec import notebook
from autograder.spec.folders import ROOT
from simt import compiler
from simt.source import Source
from tests.grading.hostile.cuda import TABLE, kernel
from tests.grading.hostile.limits import LIMITS, limits_for
from tests.walls import attempts, behind

# Whole systems, in which coverage would take as long again; tests of their parts cover them.
pytestmark = [
    pytest.mark.no_cover,
    pytest.mark.skipif(not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler on this machine"),
]

ATTEMPTS = attempts(TABLE, but=[hostile for hostile in TABLE if not hostile.everywhere])
SECRET = "what only the grader knows"


def graded(data, level=None, name="scale_vector.cu", limits=LIMITS):
    (result,) = grade_submission(
        read_answers(Files("somebody", ((name, data),))), ["scale_vector"], "a seed", limits, level
    )["exercises"]
    return result


@pytest.fixture(scope="module")
def level(request):
    with behind(request.param) as level:
        yield level


@pytest.mark.parametrize(("level", "hostile"), ATTEMPTS, indirect=["level"], scope="module")
def test_every_kernel_gets_the_honest_score_and_is_told_why(level, hostile, tmp_path, monkeypatch):
    monkeypatch.setattr(compiler, "SECONDS", hostile.seconds)
    secret = tmp_path / "secret"
    secret.write_text(f"#error {SECRET}\n")
    source = hostile.source.replace("SECRET", str(secret))
    result = graded(source.encode(), level, limits=limits_for(hostile.status))
    said = json.dumps(result, allow_nan=False)
    assert result["status"] == hostile.status, said[:2000]
    assert (result["points"] == result["max_points"]) == (hostile.status == "pass")
    assert result["points"] == 0 or hostile.status in ("pass", "partial")
    assert hostile.said in said and SECRET not in said and " at 0x" not in said, said[:2000]
    assert len(said) < 20_000


def test_text_that_cannot_be_written_is_the_answers_own_fault():
    cell = nbformat.v4.new_code_cell(f"%%cuda scale_vector\n// \ud800\n{kernel()}")
    data = json.dumps(nbformat.v4.new_notebook(cells=[cell])).encode()
    assert graded(data, name="lesson.ipynb")["status"] == "error"


def test_a_wide_file_is_read_in_one_go():
    """Each of these took time with the square of its length: minutes for these."""
    many = 100_000
    assert not notebook.defines("__global__ " * many, "warp_softmax")
    assert "defines no kernel" in str(compiler._refused(Source("k", "__global__ " * many)))
    assert compiler.parameter_names(Source("k", f'"{"/* " * many}"')) == ()
    assert compiler._declared(Source("k", "__shared__ a " * many), "b") == (4, False)
    assert kernel_reaches_for("\n" * 5 * many) is None
    right = kernel()
    for before in (
        "int f()" + " " * many + "x",
        "int f() " + "const " * many + "!",
        "#define " + "A" * many,
        ":" * many,
    ):
        assert compiler._refused(Source("scale_vector", f"{before};\n{right}")) is None
    for before in ("__shared__ " + "a" * many, "__shared__ " * many, "struct A {" * many, "(" * many + "{"):
        compiler._refused(Source("scale_vector", f"{before}\n{right}"))


@pytest.mark.parametrize(
    "line",
    [
        *('_Pragma("GCC optimize")', '_Pragma("unroll") _Pragma(A)', '// _Pragma("unroll")\n_Pragma("weak a")'),
        *("__attribute__((unused))", "__attribute ((unused))", "[[gnu::cold]]", "[[__gnu__::__cold__]]"),
        *("#line 3", "# 3", "# /**/ line 3", "%:define A", '/*//*/ asm("")', 'R"(//)"', "a \\ ", "a \\  "),
        *("__builtin_memcpy(a, b, 4);", "__asm__()", "simt_launch()", "#pragma GCC optimize", "__COUNTER__"),
        *("#ifdef __SANITIZE_THREAD__\n#endif", "#if defined(__GNUG__) && 1\n#endif", "int a = __OPTIMIZE__;"),
        *("#if __cplusplus > 1\n#endif", "#ifdef mma_m16n8k16\n#endif", "#ifndef __ldg\n#endif", "int a = _LP64;"),
        *('R"(\n/* )";', 'const auto a = u8R"(/*)";', "#if 0\ndon't /*\n#endif", "// so \\ \n/*", "/* so \\ \n*/"),
        *(
            "#define A 16), noinline, aligned(16",
            "#define A /*\n*/ 16), aligned(16",
            "#define A(x) x) (",
            "#define A (",
        ),
        *("#define inline", "#define __always_inline__ noinline", "#undef __shared__", "#define A defined(threadIdx)"),
        *("__atomic_load_n(a, 7);", "__sync_synchronize();", "__extension__ 1;", "_Complex float a;", "typeof(1) a;"),
        *("[[likely]];", "[ [maybe_unused]] int a;", "__volatile__ int a;", "__int128 a;", "#import <a>", "#include A"),
        *('extern "C" { int strlen(const char*); }', 'extern "C" int strlen(const char*), b(__global__);'),
        *('extern "C" {\n__global__ void b() {}\nint strlen(const char*);\n}', 'extern "C" {\n__global__ void b() {}'),
        *("auto b() -> decltype(T(1.0f)) {}", "constexpr bool b(...) { return 0; }", "bool b = noexcept(T(1.0f));"),
        *("template <class T, int N = sizeof(T{1.0f})> int b();", "int b( ... );"),
        *("#ifdef TILEWISE_TYPE\n#endif", "#ifndef NULL\n#define NULL 0\n#endif", "#if CUDA_VERSION\n#endif"),
        *("#ifdef DEBUG_2\n#endif", "#ifdef linux\n#endif", "#define DEBUG defined(threadIdx)"),
        *("#ifdef SOMETHING\n#endif", "#if 1\n#elif defined(SOMETHING)\n#endif"),
        *("#define J(a_, b) a_##b", "#define T(x) thread_##x", "#define A(x) x##_a", "#define A(x) a_##x##b"),
        *("#\\\nline 3", 'as\\\nm("");', "int a = __\\\nbuiltin_b;", "/\\\n* *\\\n/ asm(1);", "#define A \\\n ) ("),
        *("memmove(a, b, c);", "mempcpy(a, b, c);", "dlsym(0, a);", "register int a;", "thread_local int a;"),
    ],
)
def test_reaching_past_the_instruments_is_named(line):
    assert kernel_reaches_for(kernel(before=f"int a;\n{line}\n"))


@pytest.mark.parametrize(
    "line",
    [
        *("// the system's memory: asm, __attribute__, simt", "/* a weak alias \\ of a register */", "#pragma unroll"),
        *(
            "#pragma unroll 4",
            '#define EACH(i, n) _Pragma("unroll") for (int i = 0; i < n; i++)\n#define OTHERS _Pragma("nounroll")',
            '#include "tilewise.cuh"',
            "#define TILE 3",
            "#define N 3\n#if N > 2\n#endif",
            '#include <cfloat>\n#ifdef DEBUG\nconst char* s = "asm";\n#endif',
            "int line, member;",
        ),
        *("__forceinline__ __device__ float* __restrict__ a;", "#ifndef WARP\n#define WARP 32\n#endif"),
        *("float a = __half2float(b) + __expf(c);", "__nv_bfloat162 a; __half2 b;", 'printf("%d", __LINE__);'),
        *(
            "int a = 1'024; // '",
            "#define AT(x, e) (x)[(e) / 4][(e) % 4]",
            "#define EACH(i, n) for (i = 0; i < n; i++) {",
        ),
        *(
            "#define FOUR /* of them,\n in a row :) */ 4",
            '#define SAID "1) and (2"',
            "__align__(4 * FOUR) struct A {};",
        ),
        *("extern __shared__ float4 memory[];", "extern __align__(16) __shared__ char a[];", "int _a = 1, a__b = 2;"),
        *('extern "C" __launch_bounds__(32 * (2)) __global__ void b(int);', 'extern "C" void __global__ b(int);'),
        *('extern "C" {\n__global__ void b(int) {\n    if (1) {}\n}\n__global__ void c() {}\n}', "#pragma nounroll"),
        *("__syncwarp(); __ldg(a); __shfl_xor_sync(~0u, a, 1);", "int a = b[c[0]], d = b[ c[0] ];"),
        *("int a = sizeof(float4) / sizeof(x[0]) * (b - 1), c = sizeof x;", "template <typename T> void f() noexcept;"),
        *("#define EACH(i, n) \\\n    for (int i = 0, end_##i = n; \\\n i < end_ ## i; i++)\nint a;", "// a \\\nasm('"),
        *("__shared__ __align__(16) float memory[4];", "float lineno = 3, remember = 2;", 'const char* s = "asm";'),
    ],
)
def test_what_kernels_are_made_of_is_not(line):
    assert not kernel_reaches_for(kernel(before=f"{line}\n"))


MACROS = [{"D": 64, "TILE_N": 32}, {"D": 128, "TILE_N": 32}]


@pytest.mark.parametrize("line", ["#undef TILE_N", "#define TILE_N 16", "#define D", "#define D(x) x"])
def test_no_kernel_changes_the_macros_that_it_is_compiled_with(line):
    assert kernel_reaches_for(kernel(before=f"{line}\n"), MACROS)


@pytest.mark.parametrize(
    "line", ["#if D == 64\n#endif", "#ifndef TILE_N\n#define TILE_N 32\n#endif", "#define TILE 16"]
)
def test_it_may_ask_for_them(line):
    assert not kernel_reaches_for(kernel(before=f"{line}\n"), MACROS)


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "kernels" / "cuda").glob("*.cu")),
    ids=lambda path: path.stem,
)
def test_no_kernel_of_the_course_is_suspicious(path):
    assert not kernel_reaches_for(path.read_text())
    assert not compiler._refused(Source(path.stem, path.read_text()))
