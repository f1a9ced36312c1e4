"""Does a CUDA kernel reach for the instruments that run beside it?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path

from simt.source import INCLUDE, code_of, with_whole_lines

# What is reserved for compilers: CUDA's own words are allowed, all others flagged. So no kernel has a compiler's
# functions, types, attributes or macros, some of which load and store where nothing is watched, or tell who compiles.
RESERVED = r"\b_[_A-Z]\w*"
KEYWORDS_OF_CUDA = (
    "global device host shared constant forceinline noinline inline launch_bounds align restrict grid_constant managed "
    "cluster_dims maxnreg func FUNCTION LINE VA_ARGS VA_OPT"
)

# The runtime, the host's libraries, ways out of C++, and g++'s own attributes, wherever their brackets stand.
WORDS = (
    r"\b(?:simt\w*|SIMT\w*|asm|typeof|dlsym|dlopen|syscall|w?mem(?:p?cpy|move|set|ccpy)|bcopy|bzero|strn?cpy|mmap|"
    r"getenv|"
    r"fopen|system|gnu|weak|alias|goto|register|thread_local)\b|##|%:|<[:%]|[:%]>|\?\?|\[\s*\[|"
    r"#\s*pragma\s+(?!(?:unroll|nounroll|once)\b)|^\s*#\s*include(?!\s*[<\"])|"
    r"^\s*#\s*(?!(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error)\b)\w+"
)

# What `#pragma unroll` is called within a macro; with another text, in any place, the word is none of a kernel's.
UNROLLS = r"\b_Pragma\s*\(\s*\"\s*(?:no)?unroll(?:\s+\w+)?\s*\"\s*\)"

# A name that a macro makes of a word of its own and what it is given, as in stop_##i: none of those above.
JOINED = r"(?<![\w#])(?<!#\s)(?!simt|thread_)([a-z]\w*_)\s*##\s*(?=[a-z]\w*\b(?!\s*##))"

# Where this reader and the compiler might not agree on what is a comment or a literal: raw strings, quotes without a
# partner, and, in the text as it was written, lines that may go on in the next one: blanks follow the backslash.
UNSURE = r"\bR\"|\b(?:u8?|U|L)R\"|'|(?<!\")\"(?:\"\")*(?!\")|\\"
GOES_ON = r"\\[\s\0]*$"

# Which macros there are tells who compiles: a kernel may ask for those that it is compiled with, for its own, for those
# that every compiler has here, and for DEBUG, which none has. No name that NVIDIA's headers, or the course's, could
# have is its own.
ASKS = r"^\s*#\s*(?:el)?if(?:n?def)?\b(.*)"
EVERYWHERE = {"defined", "true", "false", "BF16", "INFINITY", "NAN", "FLT_MAX", "DEBUG"}
NOT_ITS_OWN = r"_|CU|NV|(?i:simt|tilewise)|NULL$"
DEFINES = r"^\s*#\s*define\s+(\w+)(.*)"
HIDDEN_QUESTION = r"^\s*#\s*define\b.*\bdefined\b"

# What C++ offers to ask whether an expression compiles: the CPU's types can do what CUDA's cannot, and the reverse.
VARIADIC = r"^(\s*#\s*define\s+\w+)\((?:[\w\s,]*,)?\s*\.\.\.\s*\)"
TRIES = r"\bdecltype\b|\b(?:noexcept|sizeof)\s*\(\s*[\w:<>\s]*[({]|\(\s*\.\.\.\s*\)"

# `extern` declares dynamic shared memory, or a kernel. A function of C that returns anything may be a compiler's own.
BOUNDS = r"\b__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)"
_OF_A_KERNEL = rf"(?:\s|\b__global__\b|{BOUNDS})*"
_ALIGNED = r"\s*(?:(?:__align__|alignas)\s*\([^()]*\)\s*)?"
DECLARED = rf'\bextern\b(?!{_ALIGNED}__shared__\b|\s*""{_OF_A_KERNEL}\bvoid\b{_OF_A_KERNEL}\w+\s*\()'

# A macro that means something else by what all kernels are made of.
KEYWORDS = (
    "alignas alignof auto bool break case char class const const_cast constexpr continue decltype default delete do "
    "double else enum explicit extern false float for friend if inline int long mutable namespace new noexcept "
    "operator private protected public reinterpret_cast return short signed sizeof static static_assert static_cast "
    "struct switch template this true typedef typename union unsigned using virtual void volatile while"
)
RENAMES = rf"^\s*#\s*(?:define|undef)\s+(?:__\w+__|{'|'.join(KEYWORDS.split())})\b"


def kernel_reaches_for(source: str, builds: Sequence[Mapping[str, int]] = ()) -> str | None:
    """The first word with which a CUDA kernel could reach what watches it, and its line; None if there is none.

    builds: the macros with which it is compiled, one time or several. It may not give them other values.
    """
    source = with_whole_lines(source)
    code = code_of(source)
    if len(re.findall(UNROLLS, source)) == source.count("_Pragma"):
        code = re.sub(r"\b_Pragma\s*\(\s*\"\"\s*\)", "", code)
    given = {name: {str(macros.get(name)) for macros in builds} for macros in builds for name in macros}
    lines = code.split("\n")
    defined = (found[1] for line in lines if (found := re.match(DEFINES, line)))
    own = {name for name in defined if not re.match(NOT_ITS_OWN, name)}
    for number, (line, written) in enumerate(zip(lines, source.split("\n"), strict=True), 1):
        reserved = (word for word in re.findall(RESERVED, line) if word not in of_cuda())
        line = re.sub(VARIADIC, r"\1()", _with_joined_names(line))
        found = re.search(f"{WORDS}|{HIDDEN_QUESTION}|{TRIES}|{RENAMES}|{UNSURE}", line) or re.search(GOES_ON, written)
        word = next(reserved, found and found[0].strip()) or _of_macros(line, given, own)
        if word:
            return f"{word} in line {number}"
        if closes_what_it_does_not_open(line):
            return f"a macro with an odd bracket in line {number}"
    found = next((f for f in re.finditer(DECLARED, code) if not _is_of_kernels(code[f.end() :])), None)
    return f"extern in line {code.count(chr(10), 0, found.start()) + 1}" if found else None


def _is_of_kernels(behind: str) -> bool:
    """Whether what stands behind `extern` is "C" { and nothing but kernels up to its end."""
    begun = re.match(r'\s*""\s*\{', behind)
    if not begun:
        return False
    depth, begin = 1, begun.end()
    for brace in re.compile(r"[{}]").finditer(behind, begin):
        outside = behind[begin : brace.start()] if depth == 1 else ""
        if depth == 1 and not (_is_a_kernels_head(outside) if brace[0] == "{" else not outside.strip()):
            return False
        depth += 1 if brace[0] == "{" else -1
        begin = brace.end()
        if depth == 0:
            return True
    return False


def _is_a_kernels_head(declared: str) -> bool:
    """Whether it is a kernel's without its body: __global__ void name(...), and its launch bounds."""
    words, _, parameters = re.sub(BOUNDS, " ", declared).partition("(")
    *of_a_kernel, name = words.split() or [""]
    is_one = sorted({*of_a_kernel}) == ["__global__", "void"] and re.fullmatch(r"\w+", name)
    return bool(is_one and re.fullmatch(r"[^()]*\)\s*", parameters))


def _with_joined_names(line: str) -> str:
    """A macro's line in which the names that begin with its own words are whole."""
    macro = re.match(r"\s*#\s*define\s+\w+\(([^()]*)\)", line)
    given = re.findall(r"\w+", macro[1]) if macro else []
    return re.sub(JOINED, lambda found: found[0] if found[1] in given else found[1], line)


def _of_macros(line: str, given: Mapping[str, set[str]], own: set[str]) -> str | None:
    """A directive that asks for a macro that the kernel need not know, or that changes one that is given."""
    asked = re.match(ASKS, line)
    if asked and not {*re.findall(r"\b[A-Za-z_]\w*", asked[1])} <= EVERYWHERE | own | given.keys():
        return line.strip()
    defined = re.match(DEFINES, line)
    changed = defined and defined[1] in given and defined[2].strip() not in given[defined[1]]
    undone = re.match(r"^\s*#\s*undef\s+(\w+)", line)
    return line.strip() if changed or (undone and undone[1] in given) else None


@cache
def of_cuda() -> frozenset[str]:
    """CUDA's words that begin with underscores: its keywords, and the functions and types that the header has."""
    header = Path(INCLUDE, "cpu.h").read_text(encoding="utf-8")
    named = [re.sub("(?:##)?number(?:##)?", kind, header) for kind in ("half", "bfloat16")]  # by macros, for both kinds
    words = {word for text in named for word in re.findall(r"\b__[a-z]\w*", text)}
    keywords = {f"__{word}__" for word in KEYWORDS_OF_CUDA.split()}
    return frozenset({word for word in words if not re.search("__$|^__(?:builtin|constinit)", word)} | keywords)


def closes_what_it_does_not_open(line: str) -> bool:
    """Whether a macro ends what stands around it, such as an attribute's list, or begins what others have to end."""
    macro = re.match(r"\s*#\s*define\b(.*)", line)
    if not macro:
        return False
    depths = list(accumulate({"(": 1, ")": -1}[bracket] for bracket in re.findall(r"[()]", macro[1])))
    return bool(depths) and (min(depths) < 0 or depths[-1] != 0)
