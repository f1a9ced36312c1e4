"""CUDA kernels that try to fool the grader, to break it or to look around; what each of them gets.

Each is scale_vector, changed. `said` must stand in the result. SECRET is the path of a file of the grader's.
"""

from __future__ import annotations

from dataclasses import dataclass

INCLUDE = '#include "tilewise.cuh"\n'
SIGNATURE = 'extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {\n'
INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
RIGHT = f"{INDEX}    if (i < n) {{\n        y[i] = factor * x[i];\n    }}\n"
PASS, PARTIAL, FAIL, ERROR, TIMEOUT, FLAGGED = "pass", "partial", "fail", "error", "timeout", "flagged"
INFRA = "infra"


@dataclass(frozen=True)
class Hostile:
    """One answer, and the status it gets. everywhere: worth trying behind other walls too. seconds: of the compiler."""

    name: str
    status: str
    source: str
    said: str = ""
    everywhere: bool = False
    seconds: int = 60


def kernel(body: str = RIGHT, before: str = "") -> str:
    """A text with this body of scale_vector, below `before`."""
    return f"{INCLUDE}{before}\n{SIGNATURE}{body}}}\n"


def includes(line: str) -> str:
    """The right kernel below one more line of the preprocessor's."""
    return kernel(before=f"{line}\n")


def greedy(reads: str, before: str = "") -> str:
    """The right values, read nine times: with the honest x[at] twice over every budget."""
    body = f"{INDEX}    int size = n ? 4 : 3;\n    if (i < n) {{\n        float v = 0;\n"
    body += "        for (int j = 0; j < 8; j++) {\n            int at = (8 * i + 977 * j) % n;\n"
    body += f"            {reads}\n        }}\n"
    return kernel(f"{body}        y[i] = factor * x[i] + 0 * v;\n    }}\n", before)


GET = "__device__ __noinline__ float get(const float* x, int at) { return x[at]; }"
APART = "kept apart from its callers"
UNSEEN = "__attribute__((no_sanitize_thread))"
SYSTEM = """extern "C" {
int fork();
int kill(int, int);
int getppid();
int socket(int, int, int);
int open(const char*, int, ...);
char* getenv(const char*);
long write(int, const void*, size_t);
void* malloc(size_t);
void _exit(int);
void abort();
void longjmp(void*, int);
}
"""
LOOKS_AROUND = f"""    if (fork() >= 0 || kill(getppid(), 9) == 0 || socket(2, 1, 0) >= 0 || open("SECRET", 0) >= 0 ||
        open("/etc/passwd", 0) >= 0 || open("/proc/self/environ", 0) >= 0 || open("/tmp/hostile", 66, 511) >= 0) {{
        y[0] = 99;
        return;
    }}
{RIGHT}"""
ANSWERS = f"""    for (int file = 3; file < 64; file++) write(file, "an answer to no question", 24);
{RIGHT}"""
EATS = """    for (;;) {
        void* volatile p = malloc(1 << 24);
        if (!p) y[1 << 20] = 1;
    }
"""
BINARY = """template <int A, int B> struct Tree {
    typename Tree<2 * A, B - 1>::T left;
    typename Tree<2 * A + 1, B - 1>::T right;
    typedef int T;
};
template <int A> struct Tree<A, 0> { typedef int T; };
Tree<1, 25> tree;
"""
COUNTING = """__device__ constexpr int count() {
    int s = 0;
    for (long i = 0; i < 100000000000; i++) s += i;
    return s;
}
static_assert(count() == 1);
"""
DOUBLING = "".join(f"#define A{i + 1} {'+'.join([f'A{i}'] * 8)}\n" for i in range(9))
PRINTS = '    for (;;) printf("and on and on and on and on and on and on and on and on and on and on\\n");\n'
DEEP = """__device__ __noinline__ float deep(int n) {
    volatile float a[64];
    a[n % 64] = n;
    return n == -7 ? 0 : deep(n + 1) + a[1];
}
"""
BY_STRUCTS = kernel(
    f"""{INDEX}    if (i < n) {{
        float v = 0;
        if (n >= 64) {{
            S all = *(const S*)(x + i % (n - 64) / 32 * 32);
            for (int j = 0; j < 32; j++) v += all.a[j];
        }}
        y[i] = factor * x[i] + 0 * v;
    }}
""",
    "struct S { float a[32]; };\n",
)
TWO_LINES = UNSEEN.replace("ib", "i\\\nb")
AND_A_SPACE = UNSEEN.replace("ib", "i\\ \nb")
MEMMOVE = 'extern "C" void* memmove(void*, const void*, size_t);\n'
BCOPY = 'extern "C" void bcopy(const void*, void*, size_t);\n'
AT_LOAD = "__attribute__((constructor)) __device__ void early() { %s }\n"

TABLE = [
    Hostile("right", PASS, kernel(), everywhere=True),
    Hostile("greedy", PARTIAL, greedy("v += x[at];"), "sectors of 32 bytes"),
    # Files of the grader's machine, while the kernel is compiled.
    *(
        Hostile(f"include_{i}", ERROR, includes(line), "CompileError", everywhere=i in (1, 2))
        for i, line in enumerate(
            [
                *(
                    '#include "SECRET"',
                    '%:include "SECRET"',
                    '#define F "SECRET"\n#include F',
                    '/**/ #include "SECRET"',
                ),
                *('#inc\\\nlude "SECRET"', '#/**/include "SECRET"', '#include_next "SECRET"', '#import "SECRET"'),
                *("#include <unistd.h>", "%:include <stdlib.h>", '%:include "/etc/passwd"', "%:include </etc/passwd>"),
                *('%:include "/proc/self/environ"', '%:include "/dev/stdin"', "#include __FILE__"),
                *("%:include __FILE__", '??=include "SECRET"', '#include "kernel.in"', '%:include "kernel.in"'),
            ]
        )
    ),
    Hostile("asks_for_a_file", FLAGGED, includes('#if __has_include("SECRET")\n#endif'), "__has_include"),
    Hostile("reads_the_log", FLAGGED, includes('%:include "log"'), "%:"),
    # ... and by the assembler.
    Hostile("asm", ERROR, includes('asm(".incbin \\"SECRET\\"");'), "assembler runs on a GPU only"),
    Hostile("asm_volatile", ERROR, includes('__asm__ __volatile__(".incbin \\"SECRET\\"");'), "assembler runs"),
    Hostile("asm_behind_a_comment", ERROR, includes('/*//*/asm(".incbin \\"SECRET\\"");'), "assembler runs", True),
    Hostile("asm_behind_a_string", ERROR, includes('const char* q = "//"; asm(".incbin \\"SECRET\\"");'), "assembler"),
    Hostile("asm_in_two_lines", ERROR, includes('as\\\nm(".incbin \\"SECRET\\"");'), "assembler runs", True),
    Hostile("asm_pasted", ERROR, includes('#define P(a, b) a##b\nP(as, m)(".incbin \\"SECRET\\"");'), "file not found"),
    Hostile("asm_by_a_macro", ERROR, includes('#define A asm\nA(".incbin \\"SECRET\\"");'), "assembler runs"),
    Hostile("asm_of_nothing", FLAGGED, includes('as\\ \nm("");'), "in line 2"),
    # The compiler's time, memory and words.
    Hostile("templates_without_end", ERROR, kernel(before=BINARY), "keeps the compiler busy", True, 2),
    Hostile("endless_constexpr", ERROR, kernel(before=COUNTING), "CompileError"),
    Hostile("macro_bomb", ERROR, kernel(before=f"#define A0 1\n{DOUBLING}int z = A9;\n"), "keeps the comp", False, 2),
    Hostile("nested_brackets", ERROR, kernel(before=f"int z = {'(' * 30000}1;\n"), "Compile"),
    Hostile(
        "many_errors", ERROR, kernel(before="".join(f"a{i}<b{i}> c;\n" for i in range(5000))), "'a0' does not name"
    ),
    Hostile("huge_error", ERROR, includes(f"#error {'x' * 90_000}"), "#error xxx"),
    Hostile("huge_name", ERROR, kernel(f"    {'y' * 90_000} = 1;\n"), "yyy"),
    Hostile("huge_table", ERROR, kernel("    y[0] = a[n];\n", "float a[1 << 26] = {1};\n"), "CompileError"),
    Hostile("huge_memory", ERROR, kernel("    y[0] = a[n];\n", "static float a[1L << 34];\n"), ""),
    Hostile("globals_without_end", PASS, kernel(before="__global__ " * 8_000)),
    Hostile("comments_without_end", PASS, kernel(before=f'const char* const q = "{"/* " * 30_000}";\n')),
    Hostile("shared_without_end", PASS, kernel(before=f"// {'__shared__ a ' * 7_000}\n")),
    # While it is loaded, and while it runs.
    Hostile("exits_at_load", ERROR, kernel(before=SYSTEM + AT_LOAD % "_exit(0);"), "", True),
    Hostile("crashes_at_load", ERROR, kernel(before=AT_LOAD % "*(volatile int*)8 = 0;"), "ProcessEnded"),
    Hostile("never_loaded", TIMEOUT, kernel(before=AT_LOAD % "for (volatile int i = 0;;) i = 1;")),
    Hostile("exits", ERROR, kernel("    _exit(0);\n", SYSTEM), "", True),
    Hostile("aborts", ERROR, kernel("    abort();\n", SYSTEM), ""),
    Hostile("jumps", ERROR, kernel("    long b[64] = {};\n    longjmp(b, 1);\n", SYSTEM), ""),
    Hostile("calls_nothing", ERROR, kernel("    ((void (*)())8)();\n"), "through a pointer"),
    Hostile("returns_nowhere", ERROR, kernel("    y[0] = helper(x[0]);\n", "float helper(float);\n"), "helper"),
    Hostile(
        "endless",
        TIMEOUT,
        kernel("    while (true) if (threadIdx.x == 0) y[0] = 1;\n"),
        "while (true) if (threadIdx.x == 0) y[0] = 1;",  # the line in which it was
        True,
    ),
    Hostile("endless_without_a_word", TIMEOUT, kernel("    for (volatile int i = 0;;) i = 1;\n")),
    Hostile("prints_without_end", TIMEOUT, kernel(PRINTS)),
    Hostile("eats_memory", ERROR, kernel(EATS, SYSTEM), ""),
    Hostile("eats_the_stack", ERROR, kernel("    y[0] = deep(n);\n", DEEP), "a function that calls itself"),
    Hostile("writes_outside", ERROR, kernel("    y[threadIdx.x + n] = 1;\n"), "OutOfBounds", True),
    Hostile("writes_its_input", ERROR, kernel(f"    ((float*)x)[n] = 1;\n{RIGHT}"), "OutOfBounds"),
    Hostile(
        "changes_its_input", FAIL, kernel(f"{RIGHT}    if (i < n) ((float*)x)[i] = 0;\n"), "the inputs were changed"
    ),
    Hostile("forges_an_answer", ERROR, kernel(ANSWERS, SYSTEM), "which no kernel has", True),
    # What counts: every one of these reads nine times, as `greedy` does, and tries to be counted for less.
    Hostile("not_watched", ERROR, greedy("v += get(x, at);", f"{UNSEEN} {GET}\n"), APART, True),
    Hostile("not_watched_short", ERROR, greedy("v += get(x, at);", f"{UNSEEN.replace('e__', 'e')} {GET}\n"), APART),
    Hostile("not_watched_new", ERROR, greedy("v += get(x, at);", f"[[gnu::no_sanitize_thread]] {GET}\n"), APART),
    Hostile(
        "not_watched_using", ERROR, greedy("v += get(x, at);", f"[[using gnu: no_sanitize_thread]] {GET}\n"), APART
    ),
    Hostile("behind_a_comment", ERROR, greedy("v += get(x, at);", f"/*//*/ {UNSEEN} {GET}\n"), APART),
    Hostile(
        "behind_a_string", ERROR, greedy("v += get(x, at);", f'const int q = sizeof "//"; {UNSEEN} {GET}\n'), APART
    ),
    Hostile("behind_a_character", ERROR, greedy("v += get(x, at);", f"const int q = '//'; {UNSEEN} {GET}\n"), APART),
    Hostile(
        "in_a_raw_string", ERROR, greedy("v += get(x, at);", f'const auto q = R"(")"; {UNSEEN} {GET} //"\n'), APART
    ),
    Hostile("in_two_lines", ERROR, greedy("v += get(x, at);", f"{TWO_LINES} {GET}\n"), APART),
    Hostile("in_two_lines_and_a_space", ERROR, greedy("v += get(x, at);", f"{AND_A_SPACE} {GET}\n"), APART),
    Hostile("by_a_pragma", FLAGGED, greedy("v += x[at];", '#pragma GCC optimize("O3")\n'), "pragma"),
    Hostile("of_another_file", FLAGGED, f'#line 1 "elsewhere"\n{greedy("v += get(x, at);", GET)}', "line"),
    Hostile("of_no_line", FLAGGED, greedy("v += get(x, at);", f"#line 0\n{GET}\n"), "line"),
    Hostile("by_a_marker", FLAGGED, greedy("v += get(x, at);", f'# 1 "elsewhere"\n{GET}\n'), "# 1"),
    Hostile("by_memmove", FLAGGED, greedy("float w; memmove(&w, x + at, size); v += w;", MEMMOVE), "memmove"),
    Hostile("by_bcopy", ERROR, greedy("float w; bcopy(x + at, &w, size); v += w;", BCOPY), "uses bcopy"),
    Hostile(
        "of_the_whole_grid", ERROR, kernel("    y[0] = _sum[0]++;\n", "__device__ float _sum[8];\n"), "has one _sum"
    ),
    Hostile("by_structs", PARTIAL, BY_STRUCTS, "sectors of 32 bytes"),
    Hostile("own_watcher", ERROR, greedy("v += x[at];", 'extern "C" __device__ void __tsan_read4(void*) {}\n'), APART),
    Hostile(
        "own_weak_watcher",
        ERROR,
        greedy("v += x[at];", 'extern "C" [[gnu::weak]] __device__ void __tsan_read4(void*) {}\n'),
        APART,
    ),
    Hostile(
        "own_report",
        FLAGGED,
        kernel(before='extern "C" __device__ const char* simt_report() { return "{}"; }\n'),
        "simt_report",
    ),
    Hostile(
        "launches_itself",
        FLAGGED,
        kernel(f"{RIGHT}    if (false) simt_launch(nullptr);\n", 'extern "C" int simt_launch(const void*);\n'),
        "simt_launch",
    ),
    Hostile("no_entry", ERROR, kernel(before="#define SIMT_KERNEL(name)\n"), "CompileError"),
    Hostile("another_entry", ERROR, kernel(before="#define simt_entry another\n"), "CompileError"),
    Hostile("no_parameters", ERROR, kernel(before="#define simt_parameters another\n"), "Error"),
    Hostile("two_entries", ERROR, kernel(before='extern "C" __device__ void simt_entry(void**) {}\n'), "redefinition"),
    # Looks around, or would.
    Hostile("looks_around", ERROR, kernel(LOOKS_AROUND, SYSTEM.replace("char* getenv(const char*);\n", "")), "", True),
    Hostile(
        "asks_the_environment",
        ERROR,
        kernel(f'    if (getenv("HOME")[0] == 1) return;\n{RIGHT}', SYSTEM),
        "uses getenv, which no kernel has",
    ),
]
