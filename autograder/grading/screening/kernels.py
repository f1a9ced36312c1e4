"""Does a CUDA kernel reach for the instruments that run beside it?"""

from __future__ import annotations

import re
from itertools import accumulate

from simt.source import code_of

# The parts of the runtime and the instruments, ways out of C++, and code that is not watched.
WORDS = (
    r"\b(?:simt\w*|SIMT\w*|__tsan\w*|__attribute\w*|gnu\w*|__gnu__|clang|no_sanitize\w*|__asm\w*|asm|__builtin\w*|constructor|"
    r"dlsym|dlopen|syscall|w?mem(?:p?cpy|move|set|ccpy)|bcopy|strn?cpy|mmap|getenv|fopen|system|weak|alias|goto|register|thread_local|_Pragma|__has_\w+|"
    r"__FILE__|__COUNTER__|__CUDACC\w*|__CUDA_ARCH\w*|__NVCC\w*)\b|##|#\s*pragma\s+(?!unroll\b)|#\s*line\b|#\s*\d|%:|\?\?"
)

# Where this reader and the compiler might not agree on what is a comment or a literal: raw strings, quotes without a
# partner, and, in the text as it was written, lines that go on in the next one.
UNSURE = r"\bR\"|\b(?:u8?|U|L)R\"|'|(?<!\")\"(?:\"\")*(?!\")|\\"
GOES_ON = r"\\[\s\0]*$"

# Macros of a compiler tell a kernel which one compiles it, and so whether it is watched. These words between double
# underscores are all that kernels need; CUDA's functions have two in front only, and small letters behind them.
CUDAS = (
    "global device host shared constant forceinline noinline inline launch_bounds align restrict grid_constant managed "
    "cluster_dims maxnreg volatile func FUNCTION LINE VA_ARGS VA_OPT"
)
MACROS = (
    rf"\b__(?!(?:{'|'.join(CUDAS.split())})__\b)\w+__\b|\b__(?:[A-Z](?!\w*__\b)|cpp_|cplusplus|unix|linux|amd64|x86_64|k8)\w*|"
    r"\b_(?:LP64|ILP32|GNU_SOURCE|STDC_PREDEF_H)\b|"
    r"^\s*#\s*(?:el)?if.*?\b(?:__\w+|threadIdx|blockIdx|blockDim|gridDim|warpSize|mma_m16n8k16)\b|"  # macros here alone
    r"^\s*#\s*define\b.*\bdefined\b"
)

# A function of the host's libraries, which is not watched, declared by hand.
DECLARED = r"\bextern\b(?![^;{]*__(?:shared|global)__|\s*\"[^\"]*\"\s*\{)"

# A macro that means something else by what all kernels are made of.
KEYWORDS = (
    "alignas alignof auto bool break case char class const const_cast constexpr continue decltype default delete do "
    "double else enum explicit extern false float for friend if inline int long mutable namespace new noexcept "
    "operator private protected public reinterpret_cast return short signed sizeof static static_assert static_cast "
    "struct switch template this true typedef typename union unsigned using virtual void volatile while"
)
RENAMES = rf"^\s*#\s*(?:define|undef)\s+(?:__\w+__|{'|'.join(KEYWORDS.split())})\b"


def kernel_reaches_for(source: str) -> str | None:
    """The first word with which a CUDA kernel could reach what watches it, and its line; None if there is none."""
    code = code_of(source)
    for number, (line, written) in enumerate(zip(code.split("\n"), source.split("\n"), strict=True), 1):
        found = re.search(f"{WORDS}|{MACROS}|{RENAMES}|{UNSURE}", line) or re.search(GOES_ON, written)
        if found:
            return f"{found[0].strip()} in line {number}"
        if closes_what_it_does_not_open(line):
            return f"a macro with an odd bracket in line {number}"
    found = re.search(DECLARED, code)
    return f"extern in line {code.count(chr(10), 0, found.start()) + 1}" if found else None


def closes_what_it_does_not_open(line: str) -> bool:
    """Whether a macro ends what stands around it, such as an attribute's list, or begins what others have to end."""
    macro = re.match(r"\s*#\s*define\b(.*)", line)
    if not macro:
        return False
    depths = list(accumulate({"(": 1, ")": -1}[bracket] for bracket in re.findall(r"[()]", macro[1])))
    return bool(depths) and (min(depths) < 0 or depths[-1] != 0)
