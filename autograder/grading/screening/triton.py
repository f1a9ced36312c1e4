"""Does a Triton kernel hold what Triton's compiler does not translate?

The interpreter, in which kernels are counted, runs them as Python: there a list holds as many tiles as one likes, and
any object any number. The compiler refuses such code, but never sees the branches of constexpr that a launch does not
take. So the text of every kernel is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...spec.catalogue import exercises
from .libraries import words

NODES = (
    *(ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.JoinedStr),
    *(ast.FormattedValue, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.keyword),
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.For, ast.While, ast.Return, ast.Assert),
    *(ast.Pass, ast.Break, ast.Continue, ast.Raise),
    *(ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
)
ATTRIBUTES = words(
    "T abs advance argmax argmin associative_scan atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or "
    "atomic_xchg atomic_xor block_shape block_type broadcast_to cast cdiv ceil cos cumprod cumsum dtype element_ty erf "
    "exp exp2 expand_dims flip floor gather histogram is_bf16 is_block is_bool is_floating is_fp16 is_fp32 is_fp64 "
    "is_fp8 is_int is_int16 is_int32 is_int64 is_int8 is_ptr is_uint16 is_uint32 is_uint64 is_uint8 item load log log2 "
    "logical_and logical_or max min ndim numel permute primitive_bitwidth ravel reduce reduce_or reshape rsqrt scalar "
    "scatter shape sigmoid sin softmax sort split sqrt sqrt_rn store sum to trans type value view xor_sum"
)  # of Triton's tensors, types, descriptors and constants
CALLED = words("abs bool float getattr hasattr int isinstance len max min print range")  # Python's own that it knows
NAMED = CALLED | words("AssertionError RuntimeError TypeError ValueError")
FAMILY = ("triton", "math")  # modules that it knows
WRAPPERS = words("autotune heuristics")  # what may stand above triton.jit
LOOPS = words("range static_range")


def is_kernel(node: ast.AST) -> bool:
    """Whether a function is compiled: triton.jit is one of its decorators."""
    return isinstance(node, ast.FunctionDef) and any(_last(d) == "jit" for d in node.decorator_list)


def known_to_kernels(statements: Iterable[ast.stmt]) -> set[str]:
    """Names of a file that its kernels may use: Triton's modules, kernels, constants, and other answers' kernels."""
    good = {kernel.__name__ for exercise in exercises().values() for kernel in exercise.kernels}
    bad: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                first = alias.name.partition(".")[0]
                (good if first in FAMILY else bad).add(alias.asname or first)
        elif isinstance(statement, ast.ImportFrom):
            theirs = (statement.module or "").partition(".")[0] in (*FAMILY, "kernels", "__future__")
            (good if theirs else bad).update(alias.asname or alias.name for alias in statement.names)
        elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
            (good if is_kernel(statement) else bad).add(statement.name)
        else:
            constant = isinstance(statement, ast.Assign | ast.AnnAssign) and _is_constant(statement.value)
            stored = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
            (good if constant else bad).update(stored)
    return good - bad


def beyond_triton(kernel: ast.FunctionDef, known: set[str]) -> Iterator[tuple[ast.AST, str]]:
    """What of a kernel the compiler does not translate: where it stands, and what it is. known: the file's names."""
    last = kernel.decorator_list[-1]
    if _last(last) != "jit" or any(_last(d) not in WRAPPERS for d in kernel.decorator_list[:-1]):
        yield kernel, f"{kernel.name}, which is decorated by more than Triton,"
    every = [node for statement in kernel.body for node in ast.walk(statement)]
    arguments = kernel.args
    own = {argument.arg for argument in ast.walk(arguments) if isinstance(argument, ast.arg)}
    own |= {node.id for node in every if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    loops = {inner for node in every if isinstance(node, ast.For | ast.While) for inner in ast.walk(node)}
    for node in every:
        if _is_beyond(node, own, known) or (node in loops and _is_chained(node)):
            yield node, f"{_text(node)}, which Triton does not compile,"


def _is_beyond(node: ast.AST, own: set[str], known: set[str]) -> bool:
    if not isinstance(node, NODES):
        return True
    if isinstance(node, ast.Name):
        return not (node.id in own or node.id in known or node.id in NAMED)
    if isinstance(node, ast.Attribute):
        return _is_stored(node) or not (node.attr in ATTRIBUTES or _root(node) in known - own)
    if isinstance(node, ast.Subscript):
        return _is_stored(node)
    if isinstance(node, ast.For):
        return not (isinstance(node.iter, ast.Call) and _last(node.iter) in LOOPS)
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Name):  # an argument, or a variable, may be a function of Python's
            return function.id in own or not (function.id in known or function.id in CALLED)
        return not isinstance(function, ast.Attribute)
    if isinstance(node, ast.BinOp):
        return any(isinstance(side, ast.Tuple | ast.List) for side in (node.left, node.right))
    return isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Tuple | ast.List)


def _is_chained(node: ast.AST) -> bool:
    """Whether a tuple gets longer, or deeper, as a loop goes on: kept = kept, x."""
    if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple | ast.List)):
        return False
    targets = {target.id for target in node.targets if isinstance(target, ast.Name)}
    return any(isinstance(inner, ast.Name) and inner.id in targets for inner in ast.walk(node.value))


def _is_constant(value: ast.AST | None) -> bool:
    """Whether a number or a text is assigned, or what tl.constexpr makes of it."""
    if isinstance(value, ast.Call) and _last(value) == "constexpr":
        return all(map(_is_constant, value.args))
    if value is None or isinstance(value, ast.Constant):
        return value is not None
    if isinstance(value, ast.BinOp):
        return _is_constant(value.left) and _is_constant(value.right)
    if isinstance(value, ast.UnaryOp):
        return _is_constant(value.operand)
    if isinstance(value, ast.Call):  # float("inf"), math.log2(math.e)
        known = _root(value.func) in ("math", "float", "int")
        return known and all(map(_is_constant, value.args))
    return isinstance(value, ast.Attribute) and _root(value) in ("math", "tl", "np", "torch")


def _is_stored(node: ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store | ast.Del)


def _last(node: ast.AST) -> str:
    """The last name of a chain of attributes, called or not."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _root(node: ast.AST) -> str:
    """The name at the left end of a chain of attributes, "" if there is none."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.For):
        node = node.iter
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 60 else text[:57] + "..."
