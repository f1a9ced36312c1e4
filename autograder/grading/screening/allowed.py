"""What answers need of Python and its libraries: all else is looked at by a person."""

from __future__ import annotations

import builtins
import collections
import fractions
import functools
import hashlib
import importlib
from types import ModuleType
from typing import Any

import numpy as np
import torch
from torch.autograd.function import FunctionCtx

from .libraries import FUNCTIONAL, LINALG, NUMPY, NUMPY_LINALG, NUMPY_RANDOM, SPECIAL, TENSOR, TORCH, words


def public(thing: Any) -> frozenset[str]:
    """Its names, but no module that it only imports for itself: a way to everything."""
    names = (name for name in dir(thing) if not name.startswith("_"))
    return frozenset(name for name in names if not isinstance(getattr(thing, name, None), ModuleType))


def exported(module: str) -> frozenset[str]:
    """What a module of the standard library says that it offers, or else all of its names."""
    found = importlib.import_module(module)
    return frozenset(getattr(found, "__all__", public(found)))


# Functions of Python itself.
BUILTINS = words(
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter "
    "float format frozenset getattr hasattr hash hex int isinstance issubclass iter len list map max min next "
    "object oct ord pow print property range repr reversed round set slice sorted staticmethod str sum "
    "super tuple type zip Ellipsis NotImplemented __name__ __debug__ __doc__"
) | {name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)}

# Attributes of arrays, tensors, numbers and containers, whose kind the text does not tell.
_VALUES: tuple[Any, ...] = (
    *(np.ndarray, np.float32, np.dtype, np.finfo, np.iinfo, np.ufunc, np.random.Generator),
    *(torch.Size, torch.dtype, torch.device, torch.finfo, torch.iinfo, torch.Generator, FunctionCtx),
    *(list, dict, set, frozenset, str, bytes, bytearray, int, float, complex, tuple, range, slice, property, Exception),
    *(collections.deque, collections.Counter, collections.defaultdict, collections.OrderedDict, fractions.Fraction),
    *(hashlib.sha256(), functools.lru_cache(len)),
)
OF_VALUES = frozenset[str]().union(TENSOR, *map(public, _VALUES)) | words(
    "send close throw "  # of generators
    "from_iterable "  # of itertools.chain
    "eval train "  # of a module of torch.nn, for the length of a pass
    "saved_tensors needs_input_grad "  # of a context of autograd
    "wait is_completed MAX MIN SUM WORLD "  # of requests to torch.distributed, its reductions, and all ranks
    "_asdict _fields _make _replace end "  # of named tuples, spans among them
    "block_shape load store gather scatter value dtype element_ty "  # of Triton's values and descriptors
    "advance associative_scan atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor "
    "block_type cast cdiv expand_dims reduce_or sqrt_rn trans xor_sum "
    "is_block is_bool is_floating is_fp16 is_fp32 is_fp64 is_bf16 is_int is_int32 is_int64 is_ptr "
    "primitive_bitwidth scalar "
    "kwargs num_ctas num_stages num_warps "  # of a configuration that a kernel is tuned by
    "run grid kernel stride T mT from_tensor apply "
    "epsilon c_contiguous f_contiguous "  # of sys.float_info, and of an array's flags
    "multi_processor_count"  # of a GPU's properties: how many programs of a kernel that stays go on at once
)
OF_VALUES -= words(
    "metadata apply_ base ctypes dump dumps flags map2_ map_ module_load set_ setflags share_memory_ storage tofile "
    "typed_storage untyped_storage register_hook register_post_accumulate_grad_hook backward_hooks view_as_memory "
    "add_note args default_factory fdel fget fset with_traceback "
    "get_state set_state clone_state graphsafe_get_state graphsafe_set_state"  # of generators, unmeasured memory
)
PLOTTING = words(
    "annotate axhline axis axvline bar barh grid imshow invert_yaxis legend loglog scatter semilogy set_title "
    "set_visible set_xlabel set_xscale set_xticks set_ylabel set_ylim set_yscale set_yticks spines "
    "subplots_adjust suptitle text tick_params tight_layout"
)
OF_VALUES |= PLOTTING

# Ways to frames, code and the libraries' insides, whatever the code itself calls so.
NEVER = words(
    "_C _disable_current_modes again _python_dispatch add_pre_run_hook ag_frame co_code cr_frame ctypeslib "
    "f_back f_builtins f_code f_globals f_locals gi_code gi_frame handle interpreter knobs no_dispatch pre_run_hooks "
    "register rewritten_fn tb_frame tb_next untyped_storage DisableTorchFunction"
)
DUNDERS = words("__contains__ __getitem__ __init__ __len__ __name__ __next__")  # that an answer asks for

# What an answer's classes define of what Python calls by itself: nothing that makes them arrays, tensors, descriptors
# or copies of themselves, since libraries call that where no meter looks.
METHODS = words(
    "__abs__ __bool__ __call__ __contains__ __delitem__ __enter__ __eq__ __exit__ __ge__ __getitem__ __gt__ __hash__ "
    "__init__ __invert__ __iter__ __le__ __len__ __lt__ __ne__ __neg__ __next__ __pos__ __post_init__ __repr__ "
    "__reversed__ __setitem__ __slots__ __str__"
) | {
    f"__{side}{operator}__"
    for operator in words("add and floordiv lshift matmul mod mul or pow rshift sub truediv xor")
    for side in ("", "r", "i")
}
NAMED_BY_FILES = words("__all__ __author__ __slots__ __version__")  # which mean nothing here

# Attributes by which libraries and the meters ask what a tensor is, and where: none of an answer's objects has them.
INTERFACE = words(
    "data_ptr element_size is_floating_point nbytes numel numpy storage stride tolist typed_storage untyped_storage"
)

# Classes of libraries on which an answer's own are built; of these most are for nothing else.
BASES = words(
    "abc.ABC enum.Enum enum.IntEnum enum.StrEnum torch.autograd.Function torch.autograd.function.Function "
    "torch.nn.Module typing.Generic typing.NamedTuple typing.Protocol typing.TypedDict"
)
CONTAINERS = {kind.__name__: kind for kind in (dict, frozenset, list, set, tuple)} | {
    f"collections.{kind.__name__}": kind
    for kind in (collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque)
}  # on which a class is built that leaves alone what they do, as libraries and meters look into them
OF_CONTAINERS = words("__call__ __init__ __repr__ __str__")  # what it may define of Python's
ENUMERATIONS = words("enum.Enum enum.IntEnum enum.StrEnum")

GET_LOGGER = "logging.getLogger"
LOGGER = f"{GET_LOGGER}()"  # what all loggers are known as

# Of a library's module, by its name: the names that may be used. What is not listed here may not be imported.
MODULES: dict[str, frozenset[str]] = {
    "numpy": NUMPY,
    "numpy.linalg": NUMPY_LINALG,
    "numpy.random": NUMPY_RANDOM,
    "numpy.lib.stride_tricks": words("sliding_window_view broadcast_to broadcast_arrays"),
    "numpy.typing": words("ArrayLike DTypeLike NDArray"),
    "torch": TORCH,
    "torch.nn": words("functional Module Parameter"),
    "torch.nn.functional": FUNCTIONAL,
    "torch.func": words("vmap"),
    "torch.linalg": LINALG,
    "torch.special": SPECIAL,
    "torch.autograd": words("Function grad no_grad enable_grad function"),
    "torch.autograd.function": words("Function once_differentiable"),
    "torch.distributed": words(
        "P2POp ReduceOp Work all_gather all_gather_into_tensor all_reduce barrier batch_isend_irecv get_rank "
        "get_world_size group irecv is_initialized isend recv send"
    ),
    "torch.cuda": words(
        "is_available synchronize current_device device_count get_device_properties get_device_capability "
        "empty_cache device"
    ),
    "triton": words("Config autotune cdiv heuristics jit language next_power_of_2 set_allocator "
                    "__version__ tools"),
    "triton.tools": words("tensor_descriptor"),
    "triton.tools.tensor_descriptor": words("TensorDescriptor"),
    "triton.language": words(
        "PropagateNan TRITON_MAX_TENSOR_NUMEL load_tensor_descriptor store_tensor_descriptor "
        "make_tensor_descriptor tensor_descriptor abs add advance arange argmax argmin associative_scan assume "
        "atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor bfloat16 "
        "broadcast broadcast_to cat cast cdiv ceil clamp condition const constexpr cos cumprod cumsum "
        "debug_barrier device_assert device_print div_rn dot dot_scaled dtype erf exp exp2 expand_dims extra fdiv "
        "flip float16 float32 float64 float8e4nv float8e5 floor fma full gather histogram int1 int16 int32 int64 "
        "int8 interleave join load log log2 make_block_ptr math max max_constancy max_contiguous maximum min "
        "minimum multiple_of num_programs permute philox philox_impl pointer_type program_id rand rand4x randint "
        "randint4x randn randn4x range ravel reduce reshape rsqrt sigmoid sin softmax sort split sqrt sqrt_rn "
        "squeeze static_assert static_print static_range store sub mul sum swizzle2d tensor topk trans tuple "
        "uint16 uint32 uint64 uint8 uint_to_uniform_float umulhi unsqueeze view where xor_sum zeros zeros_like"
    ),
    "triton.language.math": words("abs ceil cos erf exp exp2 fdiv floor fma log log2 rsqrt sin sqrt sqrt_rn umulhi"),
    "triton.language.extra": words("libdevice cuda"),
    "triton.language.extra.cuda": words("libdevice"),
    "triton.language.extra.libdevice": words("exp exp2 log log2 rsqrt sqrt fast_expf fast_logf isinf isnan"),
    "triton.language.extra.cuda.libdevice": words("exp exp2 log log2 rsqrt sqrt fast_expf fast_logf isinf isnan"),
    "functools": words("cache cached_property cmp_to_key lru_cache partial reduce total_ordering wraps"),
    "operator": words(
        "add and_ contains eq floordiv ge getitem gt iadd imul index inv invert isub itemgetter le lt matmul mod "
        "mul ne neg not_ or_ pos pow sub truediv truth xor"
    ),
    "dataclasses": words("asdict astuple dataclass field replace"),
    "zlib": words("adler32 crc32"),
    "hashlib": words("blake2b blake2s md5 sha1 sha224 sha256 sha384 sha3_256 sha512"),
    "string": words("ascii_letters digits"),
    "time": words("monotonic perf_counter sleep time"),
    "sys": words("maxsize float_info stderr stdout"),
    "logging": words("DEBUG ERROR INFO WARNING basicConfig getLogger"),
    LOGGER: words("debug error info warning"),
    "warnings": words("catch_warnings filterwarnings simplefilter warn"),
    **{
        name: exported(name)
        for name in (
            *("bisect", "cmath", "fractions", "heapq", "itertools", "math", "numbers"),
        )
    },
    # Without what keeps something for the whole process, where all ranks and all calls would find it.
    "contextlib": words("closing contextmanager nullcontext suppress"),
    "decimal": words("Decimal"),
    "random": words("Random"),
    "abc": words("ABC abstractmethod"),
    "collections.abc": words(
        "Callable Collection Generator Hashable Iterable Iterator Mapping MutableMapping MutableSequence "
        "Sequence Set Sized"
    ),
    "copy": words("copy deepcopy"),
    "collections": words("Counter OrderedDict defaultdict deque namedtuple"),
    "enum": words("Enum IntEnum StrEnum auto unique"),
    "typing": words(
        "Annotated Any Callable ClassVar Final Generator Generic Iterable Iterator List Dict Literal Mapping "
        "NamedTuple NewType NoReturn Optional Protocol Self Sequence Set Tuple Type TypeAlias TypedDict TypeVar "
        "TYPE_CHECKING Union cast final overload ParamSpec Concatenate get_args"
    ),
    "types": words("NoneType SimpleNamespace TracebackType"),
    "__future__": words("annotations"),
    # For what stands below an answer and is not run by the grader's child, or not to an end.
    "autograder": words("bench check hint ladder play progress submit trace *"),
    "matplotlib": words("pyplot"),
    "matplotlib.pyplot": words("axis figure imshow legend plot savefig scatter show subplots title xlabel ylabel"),
}  # fmt: skip
