"""Without a GPU: g++ or clang++ compiles a kernel to a shared library, with or without the instruments."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from . import counts, errors
from .errors import CompileError, CompilerTooSlow, Fault, MissingCompiler
from .source import (
    INCLUDE,
    OWN,
    STANDARD,
    Source,
    code_of,
    included,
    of_the_host,
    with_constants,
    with_normal_numbers,
    without_directives,
)

T = TypeVar("T")
RUNTIME = Path(__file__).parent / "runtime"
MISSING = (
    "CUDA C++ without a GPU needs a C++ compiler, and there is none here: "
    "install one with `sudo apt-get install g++` (Debian, Ubuntu) or `sudo dnf install gcc-c++` (Fedora)"
)
THROUGH_A_POINTER = (
    "calls a function through a pointer, which hides what it loads: "
    "call it by its name, or hand a template a struct with operator()"
)
NOT_IN_PLACE = (
    "calls a function that calls itself, or is kept apart from its callers, which hides what it loads: "
    "write a loop, or a recursion of templates"
)
SECONDS = 30  # of a processor, for each program of the compiler: the slowest right answer takes a few
PATIENCE = 4  # times as long by the clock, since how much of that a program gets is the machine's doing
NOT_STARTED = (126, 127)  # what a shell ends with that cannot start a program
MOST_STATIC = 48 << 10  # bytes of shared memory with names of its own, on every GPU
MOST_OF_A_THREAD = 8 << 10  # bytes of variables that are its own
KEPT = 2000  # libraries in the cache
COUNTS = {"LINE_COUNTS": counts.Line, "MOST_COUNTS": counts.Most}  # the structs of runtime/launch.h
PATTERN = "-ftrivial-auto-var-init=pattern"  # a variable without a value holds that, and no chance number, often 0

# A declaration of dynamic shared memory: its type and name. The alignment stands in one of four places, or nowhere.
_ALIGNED = r"(?:(?:__align__|alignas)\s*\(\s*\d+\s*\)\s*)?"
_TYPE = r"((?:(?:unsigned|signed|volatile|const|long)\s+)*[\w:]+(?:\s*\*)?)"
_DYNAMIC = rf"{_ALIGNED}extern\s+{_ALIGNED}__shared__\s+{_ALIGNED}{_TYPE}\s+{_ALIGNED}(\w+)\s*\[\s*\]\s*;"
_SIZES = {"char": 1, "bool": 1, "uint8_t": 1, "half": 2, "__half": 2, "__nv_bfloat16": 2, "element": 2, "short": 2}
_SIZES |= {"float2": 8, "int2": 8, "uint2": 8, "double": 8, "float4": 16, "int4": 16, "uint4": 16}  # any other: 4

Wall = Callable[[str, str], list[str]]  # (program, folder) -> what to put in front of its command line


@dataclass(frozen=True)
class Library:
    """A compiled kernel: the file's bytes, and the layout of its contents. Offsets and sizes are in bytes.

    entry: the function that a launch calls. variables: (name, offset, size, size of an element, whether it has more
    than one index) of static shared memory. dynamic: name and element size of dynamic shared memory. writable: where
    data may be. end: that of the whole image. places: (offset, line) of the kernel's own lines, sorted. unset: line and
    name of a variable that is read though nothing is written to it before, if the compiler is sure of one. watched:
    whether it has the instruments; if not, it says which indices are none of their arrays.
    """

    name: str
    watched: bool
    code: bytes
    entry: int
    variables: tuple[tuple[str, int, int, int, bool], ...]
    dynamic: tuple[str, int]
    writable: tuple[int, int]
    end: int
    places: tuple[tuple[int, int], ...]
    parameters: tuple[str, ...]
    text: str
    unset: tuple[int, str] | tuple[()] = ()


@cache
def compiler() -> str:
    """The C++ compiler's path. Raises MissingCompiler."""
    found = shutil.which("g++") or shutil.which("clang++")
    if not found:
        raise MissingCompiler(MISSING)
    return found


@cache
def version() -> str:
    """What the C++ compiler says that it is. Raises MissingCompiler."""
    return subprocess.run([compiler(), "--version"], capture_output=True, text=True, errors="replace").stdout


@lru_cache(maxsize=1024)
def libraries(source: Source) -> tuple[Library, Library]:
    """The kernel with the instruments and without, as `library` has it. Raises CompileError, MissingCompiler."""
    return both(lambda watched: library(source, watched))


def library(source: Source, watched: bool) -> Library:
    """The kernel compiled on this machine, for its owner; cached on disk. Raises CompileError, MissingCompiler."""
    found = _library_or_error(source, watched)
    if isinstance(found, CompileError):
        raise found
    return found


def both(make: Callable[[bool], T]) -> tuple[T, T]:
    """What is made of a kernel with the instruments and without, at the same time."""
    with ThreadPoolExecutor(2) as pool:
        watched, unwatched = pool.map(make, (True, False))
    return watched, unwatched


@lru_cache(maxsize=2048)
def _library_or_error(source: Source, watched: bool) -> Library | CompileError:
    key = hashlib.sha256(repr((source, watched, _fingerprint())).encode()).hexdigest()[:32]
    kept = cache_folder() / f"{key}.json"
    try:
        return from_json(json.loads(kept.read_text()), kept.with_suffix(".so").read_bytes())
    except (OSError, ValueError, TypeError):
        try:
            made = build(source, watched)
        except CompileError as error:
            return error
    _write(kept.with_suffix(".so"), made.code)
    _write(kept, json.dumps(as_json(made)).encode())
    return made


def forget() -> None:
    """Forget what was compiled; what is on disk stays."""
    libraries.cache_clear()
    _library_or_error.cache_clear()


def build(source: Source, watched: bool, wall: Wall = lambda program, folder: []) -> Library:
    """Compile a kernel. wall: confines the compiler, for code that may be hostile. Raises CompileError, and
    MissingCompiler where it does not start.
    """
    refused = _refused(source)
    if refused:
        raise refused
    with tempfile.TemporaryDirectory(prefix="tilewise-") as folder:
        os.chmod(folder, 0o777)  # behind a wall another user writes here
        for header in INCLUDE.iterdir():
            shutil.copy(header, folder)
        Path(folder, "kernel.in").write_text(_prepared(source))
        script = f"ulimit -S -t {SECONDS}; {_command(source, watched, folder)}"
        # Where none is named, nm loads all plugins for other formats, LLVM's too, which takes ten times as long.
        script += f" && nm -S -C --plugin /dev/null {folder}/kernel.so > {folder}/symbols"
        script += f" && objdump --dwarf=decodedline {folder}/kernel.so > {folder}/places"
        if watched:
            script += f" && objdump -d -j .text {folder}/kernel.so | sed -nE '{_CALLS}' > {folder}/calls"
        path = f"/usr/local/bin:/usr/bin:/bin:{Path(compiler()).parent}"  # beside it may lie nm, objdump and its own
        environment = {"PATH": path, "LC_ALL": "C", "TMPDIR": folder}
        null = subprocess.DEVNULL
        done = subprocess.Popen(
            [*wall(compiler(), folder), "/bin/sh", "-c", script], env=environment,
            stdin=null, stdout=null, stderr=null, start_new_session=True,
        )  # fmt: skip
        try:
            done.wait(PATIENCE * SECONDS)
        except subprocess.TimeoutExpired:
            late = f"the compiler did not finish within {PATIENCE * SECONDS} s"
            raise CompilerTooSlow(source.name, late) from None
        finally:
            if done.poll() is None:  # too slow, or interrupted: end it with all that it has started
                os.killpg(done.pid, signal.SIGKILL)
                done.wait()
        logs = ("log", "unset", "symbols", "places", "calls")
        said = {name: _read(Path(folder, name)).decode(errors="replace") for name in logs}
        if done.returncode:
            _must_end_by_itself(source, done.returncode, said["log"])
            if done.returncode in NOT_STARTED or (done.returncode < 128 and not said["log"]):
                told = f"{compiler()}, or nm or objdump beside it, does not start here"
                raise MissingCompiler(f"{told} (status {done.returncode})")
            raise CompileError.from_log(source, said["log"].replace(f"{folder}/", ""))
        _must_be_small(source, said["log"])
        made = _library(source, watched, _read(Path(folder, "kernel.so")), said["symbols"], said["places"])
        if watched:
            _must_call_by_name(made, said["calls"])
        return replace(made, unset=_unset(source, said["unset"]))


def _must_end_by_itself(source: Source, code: int, log: str) -> None:
    """Raises CompileError if a limit has ended a program of the compiler: that it reached one is the kernel's doing."""
    for number, said in (
        (signal.SIGXCPU, f"keeps the compiler busy for more than {SECONDS} s, as templates without an end do"),
        (signal.SIGXFSZ, "is too large a file when it is compiled, as tables of millions of numbers are"),
    ):
        if code == 128 + number or f"{signal.strsignal(number)} signal terminated program" in log:
            raise CompileError(source.name, said)


def _must_be_small(source: Source, log: str) -> None:
    """Raises CompileError if the variables of a thread's own are too large."""
    said = r"(?:the frame size of (\d+) bytes|stack frame size \((\d+)\) exceeds)"
    found = re.search(rf"^(?:\S*{re.escape(source.name)}\.cu:(\d+):\d+: )warning: {said}", log, re.M)
    if found:
        size = int(found[2] or found[3])
        said = f"the variables of a thread take {size:,} bytes, and may take {MOST_OF_A_THREAD:,} here"
        raise CompileError(source.name, f"{said}: a GPU's thread has registers for 1,020", int(found[1]))


# Of the listing of a library: calls of what lies in the library itself, or in a register or a table, and jumps to where
# a function begins; each below the line with which the function that it stands in begins.
_CALLS = r"/^[0-9a-f]+ </h; /\bcallq? +\*|\bblr |\b(callq?|bl|jmpq?|b) +[0-9a-f]+ <[^+@]*>$/{x; p; x; p}"


def _must_call_by_name(made: Library, calls: str) -> None:
    """Raises CompileError at a call of a function that is not put in the call's place, or that has no name.

    What such a call takes or returns by value, g++ loads and stores where nothing is watched. clang++ does not, and
    leaves more calls as they are.
    """
    puts_all_in_place = "clang" not in compiler()
    function = ""
    for address, begins, does in re.findall(r"^\s*([0-9a-f]+)(?: <(.*)>)?:(.*)", calls, re.M):
        function = begins or function
        if begins or function.startswith(("_Z9simt_call", "_Z10simt_enter", "simt_entry")):  # which call the kernel
            continue
        through = re.search(r"\bcallq? +\*|\bblr ", does)
        loops = re.search(rf"\bj\w+ .*<{re.escape(function)}>$", does)  # to where it begins itself
        if through or (puts_all_in_place and not loops):
            number = max((place for place in made.places if place[0] <= int(address, 16)), default=(0, 0))[1]
            text = made.text.splitlines()[number - 1].strip() if number else ""
            raise CompileError(made.name, THROUGH_A_POINTER if through else NOT_IN_PLACE, number, text)


@cache
def runtime() -> Path:
    """The library that every kernel runs on, compiled once per machine. Raises MissingCompiler."""
    made = cache_folder() / f"simt-{_fingerprint()[:16]}.so"
    if not made.exists():
        with tempfile.TemporaryDirectory(prefix="tilewise-") as folder:
            out = Path(folder, "simt.so")
            flags = [
                "-std=c++20",
                "-O2",
                "-ffp-contract=off",
                "-fPIC",
                "-shared",
                "-fvisibility=hidden",
                "-w",
                f"-DFAULTS={','.join(Fault)}",
                *(f"-D{name}={','.join(f.name for f in fields(kind))}" for name, kind in COUNTS.items()),
                f"-DMOST_OF_A_THREAD={MOST_OF_A_THREAD}",
            ]
            # As one file: half of the time goes into the headers of the standard library.
            whole = "".join(f'#include "{path.name}"\n' for path in sorted(RUNTIME.glob("*.cpp")))
            command = [compiler(), *flags, "-I", str(RUNTIME), "-o", str(out), "-x", "c++", "-", "-lm"]
            done = subprocess.run(command, input=whole, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(f"the runtime for CUDA C++ does not compile here: {done.stderr[:500]}")
            _write(made, out.read_bytes())
    return made


def cache_folder() -> Path:
    """Where compiled kernels are kept."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tilewise"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"tilewise-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _command(source: Source, watched: bool, folder: str) -> str:
    """What compiles kernel.in to kernel.so, and where some variable may have no value, once more for a sure answer, for
    which the library with the instruments is enough.
    """
    flags, text = _flags(source, watched), f"-I {folder} {folder}/kernel.in"
    filled = [PATTERN] if _knows_pattern() else []
    once = " ".join(map(_quoted, [compiler(), *flags, *filled, "-o", f"{folder}/kernel.so"]))
    if not watched:
        return f"{once} {text} 2> {folder}/log"
    sure = " ".join(map(_quoted, [compiler(), *(flag for flag in flags if not flag.startswith("-fsanitize")), "-S"]))
    sure += f" -o {folder}/sure.s {text} 2> {folder}/unset"
    return f"{once} {text} 2> {folder}/log && {{ ! grep -q uninitialized {folder}/log || {sure} || true; }}"


@cache
def _knows_pattern() -> bool:
    """Whether the compiler is new enough."""
    said = subprocess.run([compiler(), "-dumpversion"], capture_output=True, text=True, errors="replace").stdout
    return int(said.split(".")[0] or 0) >= 12


def _unset(source: Source, log: str) -> tuple[int, str] | tuple[()]:
    """Line and name of the first variable of the kernel's own that is sure to be read without a value."""
    said = r"(?:'(\w+)' (is|may be) used uninitialized|variable '(\w+)' is uninitialized when used here)"
    for found in re.finditer(rf"^{re.escape(source.name)}\.cu:(\d+):\d+: warning: {said}", log, re.M):
        name = found[2] or found[4]
        if found[3] != "may be" or not _is_set(name, source.text):
            return int(found[1]), name
    return ()


def _is_set(name: str, text: str) -> bool:
    """Whether some statement may give the variable a value: if none does, a compiler that sees it read in a loop, which
    may have no round, says that it *may* have none.
    """
    assigned = rf"\b{name}\b[^;]*?(?<![-+*/%&|^<>!=])=(?!=)"
    handed_over = rf"&\s*(?:\w+\s*=\s*)?{name}\b|[(,]\s*{name}\b(?:\s*\[[^\]]*\])*\s*[,)]"
    return bool(re.search(f"{assigned}|{handed_over}", text))


def _flags(source: Source, watched: bool) -> list[str]:
    """The lowest optimisation that removes repeated loads, as every compiler for GPUs does."""
    flags = ["-x", "c++", "-std=c++17", "-g1", "-fPIC", "-shared", "-nostdinc", "-nostdlib", "-include", "cpu.h"]
    flags += ["-Wno-everything"] if "clang" in compiler() else ["-Wmaybe-uninitialized"]
    flags += ["-Werror=vla"]  # as nvcc; one that leaps over the guard of its thread's stack ends the process
    flags += ["-Wuninitialized", f"-Wframe-larger-than={MOST_OF_A_THREAD}"]
    flags += ["-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing", "-ffp-contract=off"]
    flags += ["-fstack-protector-strong", "-Wl,--wrap=__stack_chk_fail"]  # to the runtime's function
    flags += ["-Wl,-Bsymbolic"]  # its own functions, even if the system has one of the same name
    # Or a sine and a cosine become one function that stores, printf one that returns a text's length, and a remainder,
    # since g++ 13, instructions that nobody counts.
    flags += [f"-fno-builtin-{name}" for name in ("sin", "cos", "sinf", "cosf", "printf", "fmod", "fmodf")]
    if "clang" not in compiler():
        flags += ["-fno-gnu-unique"]  # shared memory of inline functions belongs to one library
    flags += ["-O1", *(["-fsanitize=thread"] if watched else [])]
    if watched or "__activemask" in source.text:  # which tells lanes apart by their rounds of loops
        flags += ["-fsanitize-coverage=trace-pc"]
        flags += ["-fno-reorder-blocks"] if "clang" not in compiler() else []  # a loop's code lies together
    if "clang" in compiler():  # which would drop endless loops
        flags += ["-fno-finite-loops", "-fno-delete-null-pointer-checks"]
    if watched and "clang" in compiler():
        flags += ["-mllvm", "-tsan-instrument-func-entry-exit=0"]
    elif watched:
        flags += ["-fno-ipa-sra", "-fno-tree-sra", "--param", "tsan-instrument-func-entry-exit=0"]
        flags += _INLINED
    elif "clang" not in compiler():  # whose bounds are traps, and pointers into rows mistakes
        flags += ["-fsanitize=bounds"]  # calls, which would change what is counted beside them
    return flags + [f"-D{name}={value}" for name, value in source.defines]


# What a call takes or returns by value, such as a struct, g++ instruments only where it is a statement of the caller.
# So every function goes into its callers, as on a GPU.
_INLINED = ["-fno-semantic-interposition", "-finline-functions", "-finline-small-functions"]
_LIMITS = "max-inline-insns-auto max-inline-insns-single early-inlining-insns large-function-growth inline-unit-growth"
_INLINED += [f"--param={limit}=100000" for limit in _LIMITS.split()]


def _prepared(source: Source) -> str:
    """The source with what only NVIDIA's compiler understands written in standard C++; lines keep their numbers."""
    text = with_normal_numbers(with_constants(source.text))
    text = re.sub(_DYNAMIC, r"\1* const \2 = static_cast<\1*>(simt_dynamic_shared());", text)
    text = re.sub(r"__shared__\s+alignas\s*\(", "__shared__ __align__(", text)  # the same, where C++ allows it
    # What is shared is static already.
    text = re.sub(rf"\bstatic(?=\s+{_ALIGNED}__shared__\b)|(?<=\b__shared__)\s+static\b", "", text)
    # Variables cannot be tagged if their type is declared in a function of C.
    text = re.sub(r'\bextern\s*"C"(?=\s*(?:__global__|\{))', 'extern "C++"', text)
    text = re.sub(r"#\s*include\s*<cuda_(?:fp|bf)16\.h>", "", text)
    return f'#line 1 "{source.name}.cu"\n{text}\n#line 1 "launch"\nSIMT_KERNEL({source.name})\n'


def _refused(source: Source) -> CompileError | None:
    """What no kernel may use, here or with NVRTC."""
    try:
        source.text.encode()
    except UnicodeEncodeError:
        return CompileError(source.name, "is not text that can be written as UTF-8")
    lines = source.text.splitlines()
    for number, line in enumerate(lines, 1):
        header = included(line)
        if header and header not in OWN | STANDARD:
            said = f"includes {header}; a kernel may include {', '.join(sorted(OWN))}, math.h and the like"
            return CompileError(source.name, said, number, line.strip())
    for number, line in enumerate(code_of(source.text).split("\n"), 1):
        if re.match(rf"\s*#\s*define\s+(?:{re.escape(source.name)}|arguments)\b", line):
            return CompileError(source.name, "a macro has the name of what launches the kernel", number, line.strip())
        if re.search(r"\b(__)?asm(__)?\b(?!\s*=)", line):
            said = "assembler runs on a GPU only; tilewise.cuh has mma, ldmatrix and cp_async for both"
            return CompileError(source.name, said, number, line.strip())
    code = without_directives(source.text)
    for found in re.finditer(r"__shared__\b([^;={}]{0,1000})[={]", code):
        words = re.findall(r"\w+", found[1].partition("[")[0])
        if words and not {"struct", "union"} & {*words}:
            number = code.count("\n", 0, found.end()) + 1
            return CompileError(source.name, errors.GIVEN_A_VALUE.format(words[-1]), number, lines[number - 1].strip())
    for number, name in of_the_host(source.text):
        said = f"{name} is a function of the CPU, which no kernel can call: write __device__ before it"
        return CompileError(source.name, said, number, lines[number - 1].strip())
    if not re.search(rf"__global__[^;{{]{{0,400}}?\b{re.escape(source.name)}\s*\(", source.text):
        return CompileError(source.name, f'defines no kernel: extern "C" __global__ void {source.name}(...)')
    return None


# What the compiler has a kernel call, and ARM64's look at.
HOOKS = (
    "__tsan_", "__ubsan_handle_out_of_bounds", "__sanitizer_cov_trace_pc", "__wrap___stack_chk_fail",
    "__stack_chk_guard",
)  # fmt: skip
SHARED = "[abi:shared]"  # behind a variable's name, where cpu.h has __shared__ put it
LINKERS = {"__dso_handle", "_DYNAMIC", "_GLOBAL_OFFSET_TABLE_", "__TMC_END__"}  # its own variables


def _library(source: Source, watched: bool, code: bytes, symbols: str, places: str) -> Library:
    found: dict[str, int] = {}
    rows = [re.match(r"([0-9a-f]+) (?:([0-9a-f]+) )?(\w) (.*)", line) for line in symbols.splitlines()]
    places_of = {row[4]: int(row[1], 16) for row in rows if row}
    # What is writable lies behind the linker's tables, of which a library that needs none has the first alone.
    data = places_of.get("_GLOBAL_OFFSET_TABLE_", places_of["_DYNAMIC"])
    variables = []
    for line in symbols.splitlines():
        wanted = re.match(r" +U ([^(<]+)", line)
        if wanted and not (wanted[1] in _provided() or wanted[1].startswith(HOOKS)):
            raise CompileError.at_name(source, wanted[1], f"uses {wanted[1]}, which no kernel has")
    for parts in filter(None, rows):
        name, offset, size = parts[4], int(parts[1], 16), int(parts[2] or "0", 16)
        if name.startswith("guard variable for") or (parts[3] == "d" and "::" in name):
            variable = name.removeprefix("guard variable for ").rsplit("::", 1)[-1].removesuffix(SHARED)
            raise CompileError.at_name(source, variable, errors.GIVEN_A_VALUE.format(variable))
        found[name] = offset
        variable = re.sub(r"<.*", "", name.rsplit("::", 1)[-1])
        if variable.endswith(SHARED):
            variable = variable.removesuffix(SHARED)
            variables.append((variable, offset, size, *_declared(source, variable)))
        elif parts[3] in "bBdDvV" and offset >= data and size and name not in LINKERS:  # weak: of inline functions
            raise CompileError.at_name(source, variable, errors.OF_THE_GRID.format(variable))
    if (static := sum(variable[2] for variable in variables)) > MOST_STATIC:
        said = f"declares {static:,} bytes of __shared__ variables; more than {MOST_STATIC:,} only a launch can ask for"
        raise CompileError.at_name(source, "__shared__", said)
    if "simt_entry" not in found:
        raise CompileError(source.name, "redefines something that its launch needs")
    end = max([len(code), *(offset + size for _, offset, size, *_ in variables)])
    own = re.compile(rf"^{re.escape(source.name)}\.cu\s+(\d+)\s+0x([0-9a-f]+)", re.M)
    lines = sorted({(int(address, 16), int(line)) for line, address in own.findall(places)})
    dynamic = re.search(_DYNAMIC, source.text)
    about = (dynamic[2], _size(dynamic[1])) if dynamic else ("shared memory", 1)
    return Library(
        source.name, watched, code, found["simt_entry"], tuple(variables), about,
        (min([end, *(v[1] for v in variables)]), end), end, tuple(lines), parameter_names(source), source.text,
    )  # fmt: skip


@cache
def _provided() -> frozenset[str]:
    """The functions that a kernel may call: those of the header, and those that compilers replace some of them by."""
    header = Path(INCLUDE, "cpu.h").read_text()

    def named(macro: str) -> list[str]:
        """Those that it declares for double and for float."""
        return [name + kind for name in re.findall(rf"\b{macro}\((\w+)\)", header) for kind in ("", "f")]

    declared = [*re.findall(r"\b(\w+) ?\(", header), *named("SIMT_OF_(?:ONE|TWO)")]
    counted = {*named("SIMT_POWERS"), *re.findall(r"\bSIMT_POWER\((\w+)", header), "exp10f", "printf"}
    runtimes = {f"simt_{name}" for name in counted}  # by which the header has them called
    return frozenset({*declared, *runtimes, "memcpy", "memset", "memmove"} - counted)


def parameter_names(source: Source) -> tuple[str, ...]:
    """Names of the kernel's parameters, in order."""
    return tuple(re.findall(r"\w+", p)[-1] for p in _parameters(source))


@lru_cache(maxsize=64)
def pointed_to(source: Source) -> tuple[str, ...]:
    """The type that each parameter points to, as it is written, "" where it is no pointer to a type of one word."""
    found = [re.fullmatch(r"\s*(?:const\s+)?(\w+)(?:\s+const)?\s*\*[^*]*", p) for p in _parameters(source)]
    return tuple(pointer[1] if pointer else "" for pointer in found)


def _parameters(source: Source) -> list[str]:
    text = code_of(source.text)
    found = re.search(rf"\b{re.escape(source.name)}\s*\(([^)]{{0,4000}})\)", text[text.find("__global__") :])
    return [p for p in found[1].split(",") if re.search(r"\w", p)] if found else []


def _declared(source: Source, variable: str) -> tuple[int, bool]:
    """Of a shared variable, from its declaration, bytes per element and whether it has more than one index."""
    rows = r"(\s*\[[^];]*\]\s*\[)?"
    found = re.search(
        rf"__shared__\s+(?:static\s+)?{_ALIGNED}{_TYPE}[^;]{{0,400}}?\b{re.escape(variable)}\b{rows}", source.text
    )
    return (_size(found[1]), bool(found[2])) if found else (4, False)


def _size(kind: str) -> int:
    return 8 if re.search(r"\*|long", kind) else _SIZES.get(kind.split()[-1], 4)


def as_json(library: Library) -> dict[str, Any]:
    """All of it except the code."""
    about = asdict(library)
    del about["code"]
    return about


def from_json(about: dict[str, Any], code: bytes) -> Library:
    """The inverse of `as_json`."""

    def tuples(x: Any) -> Any:
        return tuple(map(tuples, x)) if isinstance(x, list) else x

    return Library(code=code, **{key: tuples(value) for key, value in about.items()})


@cache
def _fingerprint() -> str:
    """Changes with the headers, the runtime, the compiler, and how a source is prepared for it."""
    digest = hashlib.sha256(version().encode())
    python = (Path(__file__).with_name(f"{name}.py") for name in ("compiler", "counts", "errors", "source"))
    for path in sorted([*INCLUDE.iterdir(), *RUNTIME.iterdir(), *python]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(path: Path, most: int = 16 << 20) -> bytes:
    """The bytes of a file that may be missing, or a trap."""
    if not path.is_file() or path.is_symlink():
        return b""
    with path.open("rb") as file:
        return file.read(most)


def _write(path: Path, data: bytes) -> None:
    """Write all of it or nothing."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(name, path)
    _prune(path.parent)


def _prune(folder: Path) -> None:
    """Delete the oldest libraries when there are too many; another process may be doing the same."""
    there = [entry for entry in os.scandir(folder) if entry.name.endswith(".json")]
    if len(there) <= KEPT:
        return
    ages = []
    for entry in there:
        with contextlib.suppress(FileNotFoundError):
            ages.append((entry.stat().st_mtime, entry.path))
    for _, path in sorted(ages)[: len(there) - KEPT // 2]:
        Path(path).unlink(missing_ok=True)
        Path(path).with_suffix(".so").unlink(missing_ok=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
