"""The functions of numpy and torch that answers may use: elementwise, reductions, shapes, creation, and the products
that are counted.

All else is looked at by a person. Among a library's thousand functions there are always some that do inside what an
exercise forbids (a CTC loss takes log-sum-exps), or multiply under a name that no meter knows (a convolution).
"""

from __future__ import annotations

import numpy as np
import torch


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Of both libraries, by these names or by almost the same.
_ELEMENTWISE = words(
    "abs absolute acos acosh add angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 "
    "atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor ceil clip conj "
    "copysign cos cosh deg2rad divide equal exp exp2 expm1 fix float_power floor floor_divide fmax fmin fmod frexp gcd "
    "greater greater_equal heaviside hypot imag isclose isfinite isinf isnan isneginf isposinf isreal lcm ldexp less "
    "less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor maximum "
    "minimum multiply nan_to_num negative nextafter not_equal positive pow power rad2deg real reciprocal remainder "
    "round sign signbit sin sinc sinh sqrt square subtract tan tanh true_divide trunc where"
)
_REDUCTIONS = words(
    "all allclose amax amin any argmax argmin bincount count_nonzero cummax cummin cumprod cumsum diff max mean median "
    "min nanmax nanmean nanmedian nanmin nanquantile nansum norm prod quantile std sum trace unique var"
)
_SHAPES = words(
    "argsort argwhere atleast_1d atleast_2d atleast_3d block broadcast broadcast_shapes broadcast_to column_stack "
    "concat concatenate diag diag_indices diagflat diagonal dsplit dstack flatten flip fliplr flipud hsplit hstack "
    "isin meshgrid moveaxis ndim nonzero permute_dims ravel repeat reshape roll rot90 row_stack searchsorted select "
    "shape sort split squeeze stack swapaxes take tile transpose tril tril_indices triu triu_indices unravel_index "
    "unstack vsplit vstack"
)
_CREATION = words(
    "arange asarray empty empty_like eye full full_like linspace logspace ones ones_like zeros zeros_like"
)
_PRODUCTS = words("dot einsum inner kron matmul outer tensordot vdot")
_BOTH = _ELEMENTWISE | _REDUCTIONS | _SHAPES | _CREATION | _PRODUCTS
_CONSTANTS = words("dtype e finfo iinfo inf nan newaxis pi can_cast promote_types result_type")

NUMPY = (
    _BOTH
    | _CONSTANTS
    | {name for name in dir(np) if isinstance(getattr(np, name), type) and issubclass(getattr(np, name), np.generic)}
    | words(
        "False_ True_ append apply_along_axis argpartition around array array_equal array_equiv array_split "
        "ascontiguousarray asanyarray asfortranarray astype average base_repr binary_repr bitwise_count bitwise_invert "
        "broadcast_arrays c_ cbrt choose compress conjugate copy copyto cumulative_prod cumulative_sum degrees delete "
        "diag_indices_from digitize divmod ediff1d errstate euler_gamma expand_dims extract fabs fill_diagonal "
        "flatnonzero fromfunction fromiter frompyfunc identity index_exp indices insert intersect1d invert isdtype "
        "isscalar issubdtype iterable ix_ left_shift lexsort linalg mask_indices matrix_transpose matvec mgrid mod "
        "modf nanargmax nanargmin nancumprod nancumsum nanprod nanstd nanvar ndarray ndenumerate ndindex ogrid pad "
        "partition percentile nanpercentile place ptp put put_along_axis putmask r_ radians random ravel_multi_index "
        "require resize right_shift rint rollaxis s_ setdiff1d seterr setxor1d size spacing take_along_axis tri "
        "tril_indices_from trim_zeros triu_indices_from ufunc union1d unique_all unique_counts unique_inverse "
        "unique_values vecdot vecmat vectorize"
    )
)
NUMPY_LINALG = words(
    "diagonal matmul matrix_norm matrix_transpose multi_dot norm outer tensordot trace vecdot vector_norm"
)
NUMPY_RANDOM = words(
    "Generator PCG64 SeedSequence choice default_rng exponential gumbel normal permutation rand randint randn random "
    "seed shuffle standard_normal uniform"
)

_OF_TENSORS = words(
    "addcdiv addcmul adjoint aminmax as_strided bernoulli bucketize chunk clamp clamp_max clamp_min clone "
    "conj_physical contiguous diag_embed diagonal_scatter div eq erf erfc erfinv expand_as fill frac gather ge gt "
    "index_add index_copy index_fill index_put index_select is_complex is_conj is_floating_point is_neg "
    "is_nonzero is_same_size is_signed kthvalue le lerp lgamma log_softmax logcumsumexp logit logsumexp lt masked_fill "
    "masked_scatter masked_select mode movedim msort mul multinomial narrow ne neg normal numel permute relu "
    "repeat_interleave resolve_conj resolve_neg rsqrt scatter scatter_add scatter_reduce select_scatter sgn sigmoid "
    "slice_scatter softmax split_with_sizes sub swapdims t take_along_dim tensor_split topk unbind unflatten "
    "unique_consecutive unsqueeze xlogy"
)  # functions that are also methods
_PRODUCTS_OF_TENSORS = words("addbmm addmm addmv addr baddbmm bmm ger mm mv")
_ALSO_METHODS = _BOTH | _OF_TENSORS | _PRODUCTS_OF_TENSORS
TORCH = (
    _ALSO_METHODS
    | _CONSTANTS
    | {name for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
    | {f"{name}_" for name in _ELEMENTWISE | _OF_TENSORS}
    | words(
        "Tensor Size Generator cat device is_tensor manual_seed no_grad enable_grad inference_mode set_grad_enabled "
        "is_grad_enabled strided contiguous_format preserve_format channels_last rand rand_like randn randn_like "
        "randint randint_like randperm empty_strided tensor as_tensor scalar_tensor from_numpy complex polar "
        "view_as_complex view_as_real block_diag broadcast_tensors cartesian_prod combinations std_mean var_mean rsub "
        "detach vmap FloatTensor LongTensor BoolTensor IntTensor HalfTensor cuda autograd nn linalg special "
        "distributed version __version__ get_default_dtype typename"
    )
)
TENSOR = {
    name for name in dir(torch.Tensor) if name in _ALSO_METHODS or name.removesuffix("_") in _ALSO_METHODS
} | words(
    "H T mH mT bernoulli_ bfloat16 bool byte char copy_ cpu cuda data data_ptr detach detach_ device dim double dtype "
    "element_size expand exponential_ fill_ fill_diagonal_ float grad grad_fn half index int is_contiguous "
    "is_leaf item itemsize layout long nbytes ndim ndimension nelement new_empty new_full new_ones new_tensor "
    "new_zeros normal_ numpy put_ random_ requires_grad requires_grad_ reshape_as retain_grad short size "
    "storage_offset stride sum_to_size to tolist type type_as unfold uniform_ view view_as zero_ backward"
)
FUNCTIONAL = words(
    "cross_entropy dropout elu embedding gelu glu layer_norm leaky_relu linear log_softmax logsigmoid "
    "nll_loss normalize one_hot pad relu relu_ rms_norm scaled_dot_product_attention sigmoid silu softmax softmin "
    "softplus tanh threshold"
)
LINALG = words("diagonal matmul matrix_norm multi_dot norm vecdot vector_norm")
SPECIAL = words(
    "digamma entr erf erfc erfinv exp2 expit expm1 log1p log_softmax logit logsumexp round sinc softmax xlog1py xlogy"
)
