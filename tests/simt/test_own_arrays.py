"""An index that is none of an array's is a fault, and one that goes on to the next rows is not."""

import shutil

import pytest
import torch

from simt.compiler import compiler
from simt.errors import KernelFault
from tests.simt.test_simt import launch

pytestmark = pytest.mark.skipif(
    not shutil.which("g++") or "clang" in compiler(), reason="no g++, which alone looks at indices, on this machine"
)

ARRAYS = "int t = threadIdx.x;\nfloat acc[8] = {}, rows[4][8] = {};\n"

WRONG = {  # what follows ARRAYS in line 5, n being 8: what is said
    "one round too many, as it writes": (
        "for (int k = 0; k <= 8; k++) acc[k] = x[k];  // here\ny[t] = acc[t % 8];",
        "acc[8], which has 8 elements",
    ),
    "one round too many, unrolled": (
        "#pragma unroll\nfor (int k = 0; k <= 8; k++) acc[k] += x[k];  // here\ny[t] = acc[t % 8];",
        "acc[8], which has 8 elements",
    ),
    "reads": ("y[t] = acc[n];  // here", "acc[8], which has 8 elements"),
    "reads a place of its own choice": (
        "int at[2] = {1, 9};\ny[t] = acc[at[n % 7]];  // here",
        "acc[9], which has 8 elements",
    ),
    "reads before its begin": ("y[t] = acc[n - 9];  // here", "acc[-1], which has 8 elements"),
    "far behind the end, and unused": (
        "float unused = acc[n * n];  // here\ny[t] = acc[0];",
        "acc[64], which has 8 elements",
    ),
    "behind a question": ("y[t] = n > 3 && acc[n] < 1;  // here", "acc[8], which has 8 elements"),
    "in a lambda": (
        "auto f = [&](int i) { return acc [ i ]; };  // here\ny[t] = f(n);",
        "acc[8], which has 8 elements",
    ),
    "vectors": ("float4 v[1] = {};\ny[t] = v[n / 8].x;  // here", "v[1], which has 1 element"),
    "a row too many": ("y[t] = rows[n / 2][0];  // here", "rows[4], which has 4 rows"),
    "over several lines": ("y[t] = rows\n    [n / 2]  // here\n    [t % 8];", "rows[4], which has 4 rows"),
    "shared memory, into what lies beside it": (
        "__shared__ float s[32], r[32];\ns[t] = r[t] = x[t];\n__syncthreads();\ny[t] = s[n - 9] + r[n - 9];  // here",
        "[-1], which has 32 elements",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_index_that_is_none_of_an_arrays_is_a_fault(what):
    body, said = WRONG[what]
    with pytest.raises(KernelFault) as caught:
        launch(ARRAYS + body, "const float* x, float* y, int n", torch.ones(64), torch.zeros(32), 8)
    assert caught.value.kind == "OutOfBounds" and said in caught.value.message
    assert caught.value.line == next(i for i, line in enumerate(body.splitlines(), 5) if "// here" in line)


RIGHT = {  # what follows ARRAYS, n being 8: what thread 1 stores, x being 0, 1, 2, ...
    "in its bounds": ("for (int k = 0; k < n; k++) acc[k] = x[k];\ny[t] = acc[n - 1];", 7),
    "guarded": ("y[t] = n < 8 ? acc[n] : 5;", 5),
    "from row 0 on": ("for (int k = 0; k < 32; k++) rows[0][k] = x[k];\ny[t] = rows[0][n + 9];", 17),
    "the rows as one array": (
        "float* flat = &rows[0][0];\nfor (int k = 0; k < 32; k++) flat[k] = x[k];\n"
        "y[t] = flat[17] + *(&rows[0][0] + n);",
        25,
    ),
    "from the last row back": ("float* flat = &rows[0][0];\n*(flat + n + 15) = 3;\ny[t] = rows[3][n - 9];", 3),
    "rows by a pointer": (
        "float (*row)[8] = rows;\nfor (int k = 0; k < 32; k++) row[0][k] = x[k];\ny[t] = row[0][n + 4];",
        12,
    ),
    "rows that have a name": (
        "typedef float Row[8];\nRow r[4];\nfor (int k = 0; k < 32; k++) r[0][k] = x[k];\ny[t] = r[0][n + 1];",
        9,
    ),
    "over several lines": ("for (int k = 0; k < 32; k++) rows[0][k] = x[k];\ny[t] = rows\n    [0]\n    [n + 2];", 10),
    "by a macro": (
        "#define AT(i, j) rows[0][(i) * 8 + (j)]\nfor (int k = 0; k < 32; k++) AT(0, k) = x[k];\ny[t] = AT(n - 5, 7);",
        31,
    ),
    "the end's address": ("for (float* p = acc; p < &acc[n]; p++) *p = 3;\ny[t] = acc[7];", 3),
    "an address that is not used": ("float* p = &acc[8 * t];\nif (t == 0) *p = 3;\ny[t] = acc[0];", 0),
    "a row's address that is not used": ("float* row = rows[t];\nif (t < 4) row[0] = 3;\ny[t] = rows[1][0];", 3),
    "members next to each other": (
        "struct { float a[4], b[4]; } pair = {};\nfor (int k = 0; k < n; k++) pair.a[k] = x[k];\ny[t] = pair.a[n - 1];",
        7,
    ),
    "a vector's numbers": ("float4 v = {1, 2, 3, 4};\ny[t] = (&v.x)[n - 5];", 4),
    "shared memory, from row 0 on": (
        "__shared__ float s[4][8];\ns[0][t] = x[t];\n__syncthreads();\ny[t] = s[0][n + 9];",
        17,
    ),
    "shared memory, an address that is not used": (
        "__shared__ float s[32];\nfloat* p = &s[4 * t];\nif (t < 8) *p = x[t];\n__syncthreads();\ny[t] = s[4];",
        1,
    ),
}


@pytest.mark.parametrize("what", RIGHT)
def test_what_stays_in_the_whole_array_is_none(what):
    body, stored = RIGHT[what]
    y = torch.zeros(32)
    launch(ARRAYS + body, "const float* x, float* y, int n", torch.arange(64.0), y, 8)
    assert y[1] == stored


def test_whether_an_index_is_one_of_an_arrays_is_asked_of_other_numbers_anew():
    body, y = "y[t] = acc[int(x[t])];", torch.zeros(32)
    launch(ARRAYS + body, "const float* x, float* y, int n", torch.full((32,), 7.0), y, 8)
    with pytest.raises(KernelFault, match=r"thread 0 uses acc\[8\], which has 8 elements"):
        launch(ARRAYS + body, "const float* x, float* y, int n", torch.full((32,), 8.0), y, 8)


def test_what_a_kernel_is_given_is_left_as_its_first_run_leaves_it_and_printed_once(capsys):
    x = torch.arange(32.0)
    launch(ARRAYS + 'x[t] += 1;\nif (t == 0) printf("once ");', "float* x", x)
    assert x.tolist() == list(range(1, 33)) and capsys.readouterr().out == "once "
