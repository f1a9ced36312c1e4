"""Does a CUDA kernel reach for the instruments that run beside it?"""

from __future__ import annotations

import re

from simt.source import code_of

# The parts of the runtime and the instruments, ways out of C++, and code that is not watched.
WORDS = (
    r"\b(?:simt\w*|SIMT\w*|__tsan\w*|__attribute\w*|gnu\w*|__gnu__|clang|no_sanitize\w*|__asm\w*|asm|__builtin\w*|constructor|"
    r"dlsym|dlopen|syscall|w?mem(?:p?cpy|move|set|ccpy)|bcopy|strn?cpy|mmap|getenv|fopen|system|weak|alias|goto|register|thread_local|_Pragma|__has_\w+|"
    r"__FILE__|__COUNTER__|__CUDACC\w*|__CUDA_ARCH\w*|__NVCC\w*)\b|##|#\s*pragma\s+(?!unroll\b)|#\s*line\b|#\s*\d|%:|\?\?|R\"\"|\\\s*$"
)

# Macros of a compiler tell a kernel which one compiles it, and so whether it is watched. These words between double
# underscores are all that kernels need; CUDA's functions have two in front only, and small letters behind them.
CUDAS = (
    "global device host shared constant forceinline noinline inline launch_bounds align restrict grid_constant managed "
    "cluster_dims maxnreg volatile func FUNCTION LINE VA_ARGS VA_OPT"
)
MACROS = (
    rf"\b__(?!(?:{'|'.join(CUDAS.split())})__\b)\w+__\b|\b__(?:[A-Z](?!\w*__\b)|cpp_|cplusplus|unix|linux|amd64|x86_64|k8)\w*|"
    r"\b_(?:LP64|ILP32|GNU_SOURCE|STDC_PREDEF_H)\b|"
    r"^\s*#\s*(?:el)?if.*?\b(?:__\w+|threadIdx|blockIdx|blockDim|gridDim|warpSize|mma_m16n8k16)\b"  # macros here alone
)

# A function of the host's libraries, which is not watched, declared by hand.
DECLARED = r"\bextern\b(?![^;{]*__(?:shared|global)__|\s*\"[^\"]*\"\s*\{)"

# A conversion of printf that stores what has been printed so far.
STORES = r"printf\s*\([^;]*%[-+ #0-9.*'hljzt]*n"


def kernel_reaches_for(source: str) -> str | None:
    """The first word with which a CUDA kernel could reach what watches it, and its line; None if there is none."""
    code = code_of(source)
    for number, line in enumerate(code.split("\n"), 1):
        found = re.search(f"{WORDS}|{MACROS}", line)
        if found:
            return f"{found[0]} in line {number}"
    for word, pattern, text in (("extern", DECLARED, code), ("printf with %n", STORES, source.replace("%%", ""))):
        found = re.search(pattern, text)
        if found:
            return f"{word} in line {text.count(chr(10), 0, found.start()) + 1}"
    return None
