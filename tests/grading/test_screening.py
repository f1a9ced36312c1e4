"""More of Python than answers need is seen, and nothing that answers need is suspected."""

import time

import pytest

from autograder.grading.screening import reaches_for
from autograder.spec.catalogue import exercises
from autograder.spec.folders import KERNELS
from tests import proofs

OWN = "class A:\n    def __init__(self):\n        self.ctypes = 1\n    def get(self):\n        return self.ctypes\n"
UNNEEDED = {
    "alias of a module": "import numpy as n\nm = n\nm.exp = abs\n",
    "second alias of a module": "import numpy as np\na = b = np\nb.load\n",
    "module as an attribute": "import numpy as np\nclass A: pass\na = A()\na.m = np\n",
    "module in a list": "import torch\nm = [torch.linalg][0]\n",
    "getattr of a module": "import numpy as np\nclass A:\n    __slots__ = ('load',)\ngetattr(np, 'load')\n",
    "strings of a class": "class A:\n    x = 'addbmm_into'\ndef f(t):\n    return t.addbmm_into\n",
    "stream of all": "import contextlib\ncontextlib.redirect_stdout\n",
    "stream handed on": "import sys\nout = [sys.stdout][0]\n",
    "overloads": "from typing import get_overloads\n",
    "metadata": "import numpy as np\nnp.dtype(np.float32).metadata\n",
    "loss that takes log-sum-exps": "import torch.nn.functional as F\nF.ctc_loss\n",
    "cell of a network": "import torch\ntorch.gru_cell\n",
    "decomposition": "import torch\ntorch.linalg.qr\n",
    "convolution": "import torch\ntorch.convolution\n",
    "a GPU asked for in an allocator's place": "import triton\ndef f(x, a):\n    if x.is_cuda:\n"
    "        triton.set_allocator(a)\n        x = x + 1\n    return x\n",
    "a GPU asked for beside an allocator": "import triton\ndef f(x, a):\n    if x.is_cuda and (y := x):\n"
    "        triton.set_allocator(a)\n",
    "a GPU that is remembered by an allocator": "import triton\ndef f(x, a):\n    if x.is_cuda:\n"
    "        triton.set_allocator(a := 1)\n",
    "no GPU but an allocator": "import triton\ndef f(x, a):\n    if x.is_cuda:\n"
    "        triton.set_allocator(a)\n    else:\n        a()\n",
    "a setter of its own": "def f(x, a):\n    if x.is_cuda:\n        a.set_allocator(a)\n",
    "a GPU asked for": "def f(x):\n    return x.is_cuda\n",
    "the device's kind": "def f(x):\n    return x.device.type\n",
    "method that is a decomposition": "def f(x):\n    return x.svd()\n",
    "numpy's polynomials": "import numpy as np\nnp.polyval\n",
    "module handed on": "import numpy as np\ndef g(m): m.exp = abs\ng(np)\n",
    "thread": "import threading\n",
    "thread low": "import _thread\n",
    "code object": "def f(): pass\nf.__code__ = f.__code__.replace(co_filename='x')\n",
    "patched method": "import torch\ntorch.Tensor.sum = lambda *a: 0\n",
    "warnings that are recorded": "import warnings\nwith warnings.catch_warnings(record=True) as w: pass\n",
    "warnings that are raised": "import warnings\nwarnings.simplefilter('error')\n",
    "warnings by another name": "import warnings\nf = warnings.filterwarnings\nf('always')\n",
    "a logger that keeps something": "import logging\nlog = logging.getLogger(__name__)\ndef f(x): log.last = x\n",
    "a logger's name made while running": "import logging\ndef f(x): logging.getLogger(str(x)).info('here')\n",
    "a logger handed on": "import logging\nlog = logging.getLogger(__name__)\ndef f(g): g(log)\n",
    "a logger made and handed on": "import logging\ndef f(g): g(logging.getLogger())\n",
    "a logger of an object's": "import logging\nclass A:\n    log = logging.getLogger()\n",
    "a logger by another function": "from logging import getLogger\nget = getLogger\nget('a').handlers\n",
    "a logger's level": "import logging\nlog = logging.getLogger(__name__)\nlog.setLevel(3)\n",
    "a file of a logger's": "import logging\nlogging.basicConfig(filename='a')\n",
    "a stream of a logger's": "import logging\nlogging.basicConfig(**{'stream': 1})\n",
    "a format made while running": "import logging\ndef f(x): logging.basicConfig(format=x)\n",
    "a logger that becomes another": "import logging\nlog = logging.getLogger(__name__)\nlog = object()\n",
    "what shows warnings": "import warnings\nwarnings.showwarning = print\n",
    "an array that may be written": "def f(x): x.flags.writeable = True\n",
    "flags that are written by name": "def f(x): x.flags['WRITEABLE'] = True\n",
    "flags handed on": "def f(x): return x.flags\n",
    "patched through a name": "from torch import Tensor\nTensor.sum = 1\n",
    "patched through an alias": "import torch\nT = torch.Tensor\nT.sum = 1\n",
    "patched through type": "def f(x):\n    type(x).sum = 1\n",
    "patched by setattr": "import torch\nT = torch.Tensor\nsetattr(T, 'sum', 1)\n",
    "compile": "compile('1', '<x>', 'eval')\n",
    "FunctionType": "import types\ntypes.FunctionType\n",
    "type makes a class": "A = type('A', (), {})\n",
    "getattr built": "getattr(x, 'un' + 'typed_storage')()\n",
    "getattr dunder": "getattr(x, '__globals__')\n",
    "attrgetter": "from operator import attrgetter\n",
    "methodcaller": "import operator\noperator.methodcaller('f')\n",
    "vars": "vars()['x'] = 1\n",
    "globals": "globals()\n",
    "locals": "def f(): return locals()\n",
    "builtins": "__builtins__['open']\n",
    "import function": "__import__('gc')\n",
    "importlib": "import importlib\n",
    "gc": "import gc\n",
    "ctypes": "import ctypes\n",
    "ctypes of numpy": "import numpy as np\nnp.ctypeslib.as_array\n",
    "array interface": "class A:\n    __array_interface__ = {}\n",
    "array function": "class A:\n    def __array_function__(self): pass\n",
    "torch function": "class A:\n    def __torch_function__(self): pass\n",
    "del runs late": "class A:\n    def __del__(self): pass\n",
    "frame of a generator": "g = (i for i in [])\ng.gi_frame\n",
    "frame of an exception": "try: pass\nexcept Exception as e: e.__traceback__.tb_frame\n",
    "subclasses": "().__class__.__base__.__subclasses__()\n",
    "mro": "int.__mro__\n",
    "mmap": "import mmap\n",
    "array module": "import array\n",
    "memmap": "import numpy as np\nnp.memmap\n",
    "open": "open('x')\n",
    "os": "import os\nos.write(3, b'')\n",
    "environment": "import os\nos.environ['TRITON_INTERPRET'] = '0'\n",
    "environment later": "import os\ndef f():\n    os.environ['TRITON_INTERPRET'] = '1'\n",
    "sys.modules": "import sys\nsys.modules\n",
    "settrace": "from sys import settrace\n",
    "monitoring": "import sys\nsys.monitoring\n",
    "atexit": "import atexit\n",
    "weakref": "import weakref\n",
    "pickle": "import pickle\n",
    "subprocess": "import subprocess\n",
    "torch._C": "import torch\ntorch._C._disabled_torch_function_impl\n",
    "dispatch": "from torch.utils._python_dispatch import TorchDispatchMode\n",
    "torch.ops": "import torch\ntorch.ops.aten.add\n",
    "torch.library": "import torch.library\n",
    "torch.compile": "import torch\ntorch.compile(f)\n",
    "torch.jit": "import torch\ntorch.jit.script(f)\n",
    "cpp extension": "import torch.utils.cpp_extension\n",
    "from_file": "import torch\ntorch.from_file('x')\n",
    "storage": "def f(x): return x.untyped_storage()\n",
    "storage of its own name": "class A:\n    untyped_storage = 1\ndef f(x): return x.untyped_storage()\n",
    "set_": "def f(x, y): x.set_(y)\n",
    "apply_": "def f(x): x.apply_(abs)\n",
    "knobs of triton": "import triton\ntriton.knobs.runtime.interpret = False\n",
    "triton's runtime": "from triton.runtime import interpreter\n",
    "builder": "interpreter_builder.grid_idx\n",
    "handle": "def f(x): return x.handle.data\n",
    "inline assembly": "import triton.language as tl\ntl.inline_asm_elementwise\n",
    "map_elementwise": "import triton.language as tl\ntl.map_elementwise\n",
    "warnings.sys": "import warnings\nwarnings.sys\n",
    "random._os": "import random\nrandom._os\n",
    "functools.__dict__": "import functools\nfunctools.__dict__\n",
    "contextvars": "import contextvars\n",
    "async": "async def f():\n    await g()\n",
    "eval": "eval('1')\n",
    "star import": "from ctypes import *\n",
    "relative import": "from . import child\n",
    "runner": "from runner import observe\n",
    "breakpoint": "breakpoint()\n",
    "memoryview": "memoryview(b'')\n",
    "format string globals": "'{0.__globals__}'.format(f)\n",
    "property patched": "import torch\nsetattr(torch.Tensor, 'T', property(abs))\n",
    "class handed on": "import torch\ndef g(c): c.sum = 1\ng(torch.Tensor)\n",
    "class in a list": "import torch\nfor c in [torch.Tensor]: c.sum = 1\n",
    "match": "match f:\n    case object(__globals__=g): pass\n",
    "del of a library": "import numpy as np\ndel np.exp\n",
    "decorated away": "import functools\n@functools.singledispatch\ndef f(x): pass\nf.registry\n",
    "walrus alias": "import numpy as np\n(m := np).exp\n",
    "for alias": "import numpy as np\nfor m in (np,): m.exp = 1\n",
    "except star": "import faulthandler\n",
    "signal": "import signal\n",
    "site": "import site\n",
    "copyreg": "import copyreg\n",
    "inspect": "import inspect\n",
    "tracemalloc": "import tracemalloc\n",
    "time.sleep in a thread": "from concurrent.futures import ThreadPoolExecutor\n",
    "numpy's private": "import numpy as np\nnp._core\n",
    "numpy.core": "import numpy.core.multiarray\n",
    "tensor's base": "def f(x): return x.base\n",
    "data pointer of numpy": "def f(x): return x.ctypes.data\n",
    "getattribute": "object.__getattribute__(f, 'x')\n",
    "class getitem": "class A:\n    def __class_getitem__(c, k): pass\n",
    "name of another function's parameter": "def g(exec): pass\ndef f(): exec('1')\n",
    "name that is deleted": "exec = 1\ndel exec\nexec('1')\n",
    "name of a handled exception": "try: pass\nexcept Exception as exec: pass\nexec('1')\n",
    "name that is bound later": "exec('1')\nexec = 1\n",
    "name in a class": "class A:\n    exec = exec\n",
    "name of the whole file again": "def f(exec):\n    def g():\n        global exec\n        exec('1')\n",
    "default of its own name": "def f(exec=exec): pass\n",
    "library's name": "class A: ctypes = _ctypes = None\ndef f(x): return x.ctypes._ctypes\n",
    "library's name in a pattern": "class A: ctypes = 1\nmatch f:\n    case object(ctypes=c): pass\n",
    "the grader's name": "class A: asked = 1\ndef f(attend): attend.asked = False\n",
    "method of its own with another object": f"{OWN}def f(x): return A.get(x)\n",
    "class of its own handed on": f"{OWN}def g(c, x): return c.get(x)\ndef f(x): return g(A, x)\n",
    "class of its own and a library's": f"{OWN}import numpy as np\nclass B(A, np.ndarray): pass\n",
    "import in a class": "class A:\n    import math\n",
    "module in a class": "import math\nclass A:\n    m = math\n",
    "two modules of one name": "import numpy as m\ndef f():\n    import triton.language as m\nm.load('x')\n",
    "module of an enumeration": "from enum import global_enum\n",
    "class of an object": "class A: pass\ndef f(x): x.__class__ = A\n",
    "class of an object by name": "class A: pass\ndef f(x): setattr(x, '__class__', A)\n",
    "method of a value's class": "def f(x): setattr(type(x), '__iter__', f)\n",
    "class of a value handed on": "def g(c): c.kept = 1\ndef f(x): g(type(x))\n",
    "class of a value by another name": "def f(x):\n    kind = type(x)\n    kind.kept = 1\n",
    "tensors' class handed on": "from torch import Tensor\ndef g(c): c.kept = 1\ng(Tensor)\n",
    "format that is made": "def f(x, i): return ('{0' + '.x[%d]}' % i).format(x)\n",
    "format by its class": "def f(x, text): return str.format(text, x)\n",
    "format by its name": "def f(x): return getattr(x, 'format')\n",
    "wraps by another name": "import functools\nw = functools.wraps\n",
    "async function": "async def f(): pass\n",
    "class of Python's names": "class __builtins__: pass\n",
    "enumeration by a call": "from enum import Enum\nEnum('K', [('one', 1), ('__array_interface__', {})])\n",
    "enumeration without members": "import enum\nclass E(enum.Enum):\n    pass\nE('K', 'a b')\n",
    "named tuple of a tensor's names": "from collections import namedtuple\nnamedtuple('A', 'data_ptr shape')\n",
    "named tuple of made names": "from collections import namedtuple\ndef f(x): return namedtuple('A', x)\n",
    "namespace of a tensor's names": "from types import SimpleNamespace\nSimpleNamespace(data_ptr=1)\n",
    "namespace of made names": "from types import SimpleNamespace as S\ndef f(x): return S(**x)\n",
    "namespace handed on": "from types import SimpleNamespace\nf = map(SimpleNamespace, [])\n",
    "types that change what stands": "import types\ntypes.MethodType\n",
    "tensor's method of a class": "class A:\n    def data_ptr(self): return 0\n",
    "tensor's method of an object": "class A:\n    def __init__(self): self.data_ptr = abs\n",
    "method of Python's own kind by assignment": "class A:\n    __call__ = abs\n",
    "annotated class": "from typing import List\nimport torch\nList[torch.Tensor].sum = 1\n",
    "class as a key": "import torch\ndef f(x): x[torch.Tensor] = 1\n",
    "class of a value as a key": "def f(x, y): x[type(y)] = 1\n",
    "class of a value as an index": "def f(x, y): return x[type(y)]\n",
    "class of a value meets an equal": "def f(x, y): return type(y) == x\n",
    "class of a value in an exception that is made": "def f(x): return ValueError(type(x))\n",
    "class of a value in an exception of one's own": "class E(Exception): pass\ndef f(x): raise E(type(x))\n",
    "class of a value in an exception that is caught": (
        "def f(x):\n    try:\n        raise ValueError(type(x))\n    except ValueError as e:\n        return e\n"
    ),
    "class of a value in an assertion that is caught": (
        "def f(x):\n    try:\n        assert x is None, type(x)\n    except AssertionError as e:\n        return e\n"
    ),
    "class of a value in an assertion that a context ends": (
        "class A:\n    def __exit__(self, *e): return e\ndef f(x):\n    assert x is None, type(x)\n"
    ),
    "class of a value that is asserted": "def f(x): assert type(x)\n",
    "class in an annotation of an own object": "import torch\na = [1]\ndef f(x: a[torch.Tensor]): pass\n",
    "call in an annotation": "def f(x: print(1)): pass\n",
    "memory of what is copied": "import copy\ndef f(x): copy.deepcopy(x, {})\n",
    "copy handed on": "import copy\nc = copy.deepcopy\n",
    "class built on tensors": "import torch\nclass A(torch.Tensor):\n    pass\n",
    "class built on a parameter": "def f(x):\n    class A(x):\n        pass\n",
    "decorator of its own that is called, too": "def d(f): return f\n@d\ndef g(): pass\nh = d(g)\n",
    "decorator that is no function": "d = [len][0]\n@d\ndef g(): pass\n",
    "decorator of its own for a method": "def d(f): return f\nclass A:\n    @d\n    def g(self): pass\n",
    "decorator of its own for a class": "def d(f): return f\n@d\nclass A: pass\n",
    "decorator of its own for a kernel": "import triton\ndef d(f): return f\n@d\n@triton.jit\ndef g(x): pass\n",
    "a library's function that is wrapped": "import numpy as np\nfrom functools import wraps\n@wraps(np.exp)\n"
    "def f(x): return x\n",
    "a function that is wrapped and is no decorator's": "from functools import wraps\ndef d(f):\n    @wraps(f)\n"
    "    def g(x): return x\n    return g\nh = d(len)\n",
    "all of a module, of which not all is needed": "from numpy import *\ndef f(x): return load(x)\n",
    "what is overloaded": "from typing import overload\nf = [overload]\n",
    "a table made by a function": "from dataclasses import asdict\ndef f(x): return asdict(x, dict_factory=f)\n",
    "all of another module": "from os import *\n",
    "what no module of numbers has": "from math import *\nsqrt.__self__\n",
    "an array that may be written to": "def f(x): x.setflags(write=True)\n",
    "a name in a loop that may be another": "def f(x, name):\n    for name in ('m', 'l'):\n        getattr(x, name)\n",
    "a name in a loop at the code's own level": "for name in ('m', 'l'): pass\ndef f(x): return getattr(x, name)\n",
    "names in a list that grows": "NAMES = ['m']\nNAMES.append('l')\ndef f(x): return [getattr(x, n) for n in NAMES]\n",
    "names in a loop that lead further": "def f(x): return [getattr(x, name) for name in ('m', '__class__')]\n",
    "names of tensors in a table": "from types import SimpleNamespace\n"
    "def f(x): return SimpleNamespace(**{name: x for name in ('m', 'data_ptr')})\n",
    "a name of a type that is bound again": "from collections.abc import Iterator\nState = tuple[float, float]\n"
    "def f(x) -> Iterator[State]: return x\nState = f\n",
    "what is no type in place of one": "from collections.abc import Iterator\ndef f(x): return x\n"
    "State = f(tuple)\ndef g(x) -> Iterator[State]: return x\n",
    "a type of any kind that is handed on": "from typing import TypeVar\nT = TypeVar('T')\ndef f(x): return x(T)\n",
    "arguments that no annotation names": "from typing import ParamSpec\nP = ParamSpec('P')\ndef f(): return P.args\n",
    "global": "def f():\n    global x\n    x = 1\n",
    "super of another": "class A:\n    def f(self): super(A, self).f()\n",
    "container that says something else of itself": "class Q(list):\n    def __iter__(self): return iter([])\n",
    "container that lends a name of Python's": "class Q(list):\n    __bool__ = __next__ = 1\n",
    "container whose method says something else": "class Q(dict):\n    def values(self): return []\n",
    "method of a container by a loop": "class Q(dict):\n    for values in (abs,): pass\n",
    "method of a container's object": "class Q(dict):\n    pass\ndef f(q): q.values = abs\n",
    "method of a container by slots": "class Q(list):\n    __slots__ = ('append',)\n",
    "container below another class": "class A:\n    def __iter__(self): pass\nclass Q(A, list): pass\n",
    "class above a container": "class Q(list):\n    pass\nclass R(Q):\n    def __iter__(self): pass\n",
    "class above a queue": "from collections import deque as D\nclass Q(D): pass\nclass R(Q): pass\n",
    "container that is decorated": "import functools\n@functools.total_ordering\nclass Q(list):\n    pass\n",
    "container by another name": "L = list\nclass Q(L):\n    pass\n",
    "group that is changed": "import torch.distributed as dist\ndist.group.WORLD = 1\n",
    "groups handed on": "import torch.distributed as dist\ndef f(c): pass\nf(dist.group)\n",
    "group of some": "import torch.distributed as dist\ndist.new_group([0])\n",
    "metaclass": "class M(type):\n    pass\nclass A(metaclass=M):\n    pass\n",
}

NEEDED = {
    "what files say of themselves": "__all__ = ['f']\n__author__ = 'me'\n__version__ = '1'\n",
    "operators of an own object": "class A:\n    def __rshift__(self, f): return f(self)\n"
    "    def __imul__(self, a): return a\n",
    "something that is closed": "from contextlib import closing\ndef f(g):\n    with closing(g()) as h: h.send(1)\n",
    "a parameter of a name of Python's": "def f(input, vars):\n    def g(): return vars\n    return g, input\n",
    "a constant of a name of Python's": "dir = 1\ndef f(): return dir\n",
    "own attributes that arrays have too": f"{OWN}a = A()\na.ctypes\n",
    "text that is filled": "def f(x): return '{} {:>{}}'.format(x, x, 3)\n",
    "class of a value": "def f(x):\n    return f'{type(x)}' if type(x) in (int, str) else type(x).__name__\n",
    "class of a value in an error": "def f(x):\n    assert x, (type(x), 1)\n    raise TypeError('no', type(x))\n",
    "class of an own object": "class A:\n    def f(self): return type(self)(), self.__class__.__name__\n",
    "a copy": "import copy\ndef f(x): return copy.copy(x), copy.deepcopy(x)\n",
    "tables of classes": "from collections import Counter, defaultdict\ndef f(): return defaultdict(Counter)\n",
    "enumeration": "import enum\nclass E(enum.Enum):\n    A = enum.auto()\nE.A.value\n",
    "decorator": "import functools\n@functools.lru_cache(maxsize=None)\ndef d(f):\n    return f\n",
    "methods of a named tuple": "from typing import NamedTuple\nclass S(NamedTuple):\n    m: float\n"
    "S(1)._replace(m=2)._asdict()\n",
    "methods of Triton's tensors": "def f(x, y):\n    return x.cast(y.dtype).expand_dims(0).trans()\n",
    "an array library by another name": "import numpy as np\nxp = np\ny = xp.exp(1)\n",
    "own attributes": "class A:\n    def __init__(self):\n        self._x = self.size = 1\nA()._x\n",
    "own attributes by name": "class A: pass\ndef f(a):\n    a.past = 1\n    return getattr(a, 'past', 0)\n",
    "a namespace": "from types import SimpleNamespace\n"
    "def f(s: SimpleNamespace) -> SimpleNamespace:\n    return SimpleNamespace(past=1, tile=2) if "
    "isinstance(s, SimpleNamespace) else s.past, s.tile\n",
    "a named tuple": "from collections import namedtuple\nS = namedtuple('S', 'm l')\nS(1, 2).l\n",
    "a data class": "from dataclasses import dataclass\n@dataclass\nclass S:\n    m: float\nS(1).m\n",
    "functions of autograd": "import torch\nclass F(torch.autograd.Function):\n    @staticmethod\n"
    "    def forward(ctx, x):\n        ctx.save_for_backward(x)\n        ctx.scale = 1\n        return x\nF.apply(1)\n",
    "annotations": "import torch\ndef f(x: torch.Tensor) -> tuple[torch.Tensor, ...]:\n"
    "    return isinstance(x, torch.Tensor)\n",
    "a class by another name": "import torch\nTensor = torch.Tensor\ndef f(x: Tensor): pass\n",
    "a file that chooses the interpreter": "import os\nos.environ['TRITON_INTERPRET'] = '1'\nimport triton\n",
    "a file that chooses its threads": "import os\nos.environ.setdefault('OMP_NUM_THREADS', '1')\n",
    "assertions and messages": "import sys\ndef f(x):\n    assert x.ndim == 2, f'{x.shape}'\n"
    "    print(x.dtype, file=sys.stderr)\n",
    "as many programs as a GPU has processors": "import torch\ndef f():\n    if torch.cuda.is_available():\n"
    "        return torch.cuda.get_device_properties(0).multi_processor_count\n    return 8\n",
    "an allocator where there is a GPU": "import triton\ndef f(x, a):\n    if x.is_cuda:\n"
    "        triton.set_allocator(a)\n    if x.device.type == 'cuda':\n        triton.set_allocator(a)\n",
    "a queue of its own": "from collections import deque\nclass Q(list):\n    def __init__(self, n):\n"
    "        super().__init__()\n        self.most = n\n    def is_full(self): return len(self) == self.most\n"
    "class R(deque):\n    pass\nclass S(tuple): pass\n",
    "all ranks": "import torch.distributed as dist\ndef f(x):\n"
    "    dist.all_reduce(x, op=dist.ReduceOp.MIN, group=dist.group.WORLD)\n",
    "generators": "def g():\n    got = yield 1\nh = g()\nh.send(None)\nnext(h)\n",
    "warnings that are silenced": "import warnings\ndef f(x):\n    with warnings.catch_warnings():\n"
    "        warnings.simplefilter('ignore')\n        warnings.filterwarnings('ignore', category=RuntimeWarning)\n"
    "    warnings.warn('slow', stacklevel=2)\n",
    "a logger": "import logging\nlog = logging.getLogger(__name__)\ndef f(x):\n    log.debug('shape %s', x.shape)\n"
    "    logging.getLogger('a').warning('slow')\n",
    "how a logger writes": "import logging\nlogging.basicConfig(level=logging.INFO, format='%(message)s')\n",
    "an object that is none at first": "class State:\n    where: int\ndef f(x):\n    state: State | None = None\n"
    "    state = State()\n    state.where = x\n",
    "errors of numpy's that are silenced": "import numpy as np\n@np.errstate(divide='ignore')\ndef f(x): return x\n",
    "how an array lies": "def f(x): return x.flags['C_CONTIGUOUS'] or x.flags.c_contiguous\n",
    "the precision of floats": "import sys\ndef f(): return sys.float_info.epsilon\n",
    "tables with names": "from dataclasses import asdict, dataclass\n"
    "from typing import Annotated, TypedDict, overload\nclass Cost(TypedDict):\n    flops: int\n"
    "@dataclass\nclass A:\n    x: int\n@overload\ndef f(x: int) -> int: ...\n"
    "def f(x: Annotated[int, 'rows']): return asdict(A(x))\n",
    "types of any kind": "from collections.abc import Callable, Sequence\nfrom enum import Enum, unique\n"
    "from typing import Literal, ParamSpec, TypeVar, get_args\nP = ParamSpec('P')\nT = TypeVar('T')\n"
    "Name = Literal['Q', 'K']\n@unique\nclass Moved(Enum):\n    X = 1\ndef first(x: Sequence[T]) -> T: return x[0]\n"
    "def d(f: Callable[P, T]) -> Callable[P, T]:\n    def g(*args: P.args, **kwargs: P.kwargs) -> T:\n"
    "        return f(*args, **kwargs)\n    return g\n@d\ndef h(x): return len(get_args(Name))\n",
    "attributes by names that stand in the code": "from types import SimpleNamespace\nNAMES = ('m', 'l')\n"
    "def f(x):\n    kept = SimpleNamespace(**{name: x for name in NAMES}, **{'o': x})\n"
    "    for name in 'ml':\n        print(getattr(kept, name, None))\n"
    "    return [getattr(kept, name) for name in NAMES], kept.o\n",
    "names of its own for types": "from collections.abc import Callable, Iterable, Iterator\n"
    "from typing import NewType, TypeAlias, Union\nimport torch\nState = tuple[float, float]\n"
    "States: TypeAlias = list[State]\nRow = list[float]\nBlock = Union[Row, torch.Tensor]\nN = NewType('N', int)\n"
    "Step = Callable[[State, N], State]\n"
    "def f(x: Iterable[Block], step: Step) -> Iterator[State]: yield step(x, N(1))\n"
    "def g(x) -> Iterable[States]:\n    Pair = tuple[float, float]\n"
    "    def h() -> Iterator[Pair]: yield x\n    return h()\n",
    "a module's mode": "from torch import nn\nclass A(nn.Module):\n    def forward(self, x): return x\n"
    "def f(x): return A().eval()(x)\n",
    "all of numpy": "from numpy import *\ndef f(x): return exp(x) + pi\n",
    "decorators of its own": "from functools import wraps\ndef d(n):\n    def inner(f):\n        @wraps(f)\n"
    "        def g(*args):\n            assert len(args) == n\n            return f(*args)\n        return g\n"
    "    return inner\ndef e(f): return f\n@e\n@d(1)\ndef h(x): return x\n",
    "all of math": "from math import *\ndef f(x): return exp(x) + pi\n",
    "an array that is to be read alone": "def f(x): x.setflags(write=False)\n",
    "a cast": "from typing import cast\ndef f(x): return cast(float, x)\n",
    "no Python": "return )",
}


@pytest.mark.parametrize("source", UNNEEDED.values(), ids=list(UNNEEDED))
def test_what_no_answer_needs_is_seen(source):
    assert reaches_for(source)


@pytest.mark.parametrize("source", NEEDED.values(), ids=list(NEEDED))
def test_what_answers_need_is_not_suspected(source):
    assert reaches_for(source) is None


BEFOREHAND = {
    "method": "LOAD = Memory.load\n",
    "default": "def f(x, load=Memory.load): pass\n",
    "class body": "class A:\n    load = Memory.load\n",
    "decorator": "import functools\n@functools.lru_cache(Memory.load)\ndef f(): pass\n",
    "by a function": "def take(): return Memory.load\nLOAD = take()\n",
    "by a class that is built on it": "class Ram(Memory):\n    pass\nLOAD = Ram.load\n",
    "by another name": "from kernels.serving import Memory as M\nLOAD = M.load\n",
    "lambda": "LOAD = (lambda: Memory.load)()\n",
    "kept for the next call": "KEPT = []\ndef f(): KEPT.append(Memory.load)\n",
    "kept by its name": "KEPT = []\ndef f(memory): KEPT.append(getattr(memory, 'load'))\n",
    "kept by its name, or something else": "KEPT = []\ndef f(memory): KEPT.append(getattr(memory, 'load', None))\n",
    "kept by a pattern": "KEPT = []\ndef f(x):\n    match x:\n        case object(load=kept): KEPT.append(kept)\n",
}


@pytest.mark.parametrize("source", BEFOREHAND.values(), ids=list(BEFOREHAND))
def test_nothing_that_is_counted_is_taken_when_the_file_is_run(source):
    known = "class Memory:\n    def load(self): pass\n"
    said = reaches_for(source, known=known, watched=["Memory"]) or ""
    ways = ("taken when the file is run", "not called where it is named", "kernels.serving.Memory")
    assert any(way in said for way in ways)
    assert (
        reaches_for("class Ram(Memory):\n    pass\ndef f(): return Ram().load()\n", known=known, watched=["Memory"])
        is None
    )

    decorated = "def keep(f): return f\n@keep\ndef attend(x): return x\n"
    assert "the decorator keep" in (reaches_for(decorated, watched=["attend"]) or "")
    mapped = "def f(m, rows): return list(map(m.load, rows))\n"
    assert reaches_for(mapped, known=known, watched=["Memory"]) is None
    assert reaches_for(f"def list(x): return x\n{mapped}", known=known, watched=["Memory"])
    assert reaches_for(f"from numpy import array as list\n{mapped}", known=known, watched=["Memory"])
    drained = "from collections import deque\ndef f(m, rows): deque(map(m.load, rows), maxlen=0)\n"
    assert reaches_for(drained, known=known, watched=["Memory"]) is None
    looped = "def f(m, rows):\n    for row in map(m.load, rows): print(row)\n"
    assert reaches_for(looped, known=known, watched=["Memory"]) is None
    for drained in ("[*map(m.load, rows)]", "[x + 1 for x in map(m.load, rows)]", "print(*map(m.load, rows))"):
        assert reaches_for(f"def f(m, rows): return {drained}\n", known=known, watched=["Memory"]) is None
    waits = "def f(m, rows): return (x for x in map(m.load, rows))\n"
    assert reaches_for(waits, known=known, watched=["Memory"])
    for name in ("match KEPT.append:\n        case list: pass", "try: pass\n    except Exception as list: pass"):
        assert reaches_for(
            f"def f(m, rows):\n    {name}\n    list(map(m.load, rows))\n", known=known, watched=["Memory"]
        )
    as_it_is = "from numpy import any\ndef f(m, rows): return any(map(m.load, rows))\n"
    assert reaches_for(as_it_is, known=known, watched=["Memory"])


BY_A_NAME = {
    "one": "load = m.load\n    return load(1)",
    "two": "load, store = m.load, m.store\n    store(load(1))",
    "given some arguments": "get = partial(m.load, stop=3)\n    return get(1), [get(i) for i in range(3)]",
    "and mapped": "get = functools.partial(m.load, stop=3)\n    q, k = map(get, 'QK')",
    "given some and called": "return partial(m.load, 1)(2)",
    "of a name of it": "get = m.load\n    one = partial(get, 1)\n    return one()",
}
HANDED = {
    "name": "load = m.load\n    KEPT.append(load)",
    "second name": "load, store = m.load, m.store\n    KEPT.append(store)",
    "with some arguments": "KEPT.append(partial(m.load, 1))",
    "name of it with some arguments": "get = partial(m.load, 1)\n    KEPT.append(get)",
    "name of a name": "a = m.load\n    b = a\n    KEPT.append(b)",
    "name and a place": "a = KEPT[0] = m.load",
    "name in a list": "a = m.load\n    KEPT[0:] = [a]",
}


@pytest.mark.parametrize("body", BY_A_NAME.values(), ids=list(BY_A_NAME))
def test_what_is_counted_may_get_a_name_and_some_of_its_arguments(body):
    known = "import functools\nfrom functools import partial\nclass Memory:\n    def load(self): pass\n"
    answer = f"def f(m):\n    {body}\n"
    assert reaches_for(answer, known=known, watched=["Memory"]) is None
    own = answer.replace("functools.", "") + "def partial(f, *rest): f.kept = f\n"
    assert "partial" not in body or reaches_for(own, known=known, watched=["Memory"])


@pytest.mark.parametrize("body", HANDED.values(), ids=list(HANDED))
def test_under_whatever_name_it_is_handed_on_to_nobody(body):
    known = "from functools import partial\nclass Memory:\n    def load(self): pass\n"
    said = reaches_for(f"KEPT = []\ndef f(m):\n    {body}\n", known=known, watched=["Memory"])
    assert "not called where it is named" in (said or "")


KERNEL = "import sys\nimport triton\nimport triton.language as tl\n\nkept = []\nLOG2E = tl.constexpr(1.44)\n\n\n{}"
BODY = (
    "@triton.jit\ndef kernel(x_ptr, n, TILE: tl.constexpr):\n    x = tl.load(x_ptr)\n    {}\n    tl.store(x_ptr, x)\n"
)
BEYOND_TRITON = {
    "list": "tiles = []\n    tiles.append(x)",
    "longer tuple": "tiles = ()\n    tiles = tiles + (x,)",
    "longer list": "tiles = []\n    tiles += [x]",
    "chain": "tiles = 0\n    for i in range(n):\n        tiles = (x, tiles)",
    "object of Python's": "kept.store(x)",
    "table": "tiles = {1: x}",
    "comprehension": "tiles = [x for i in range(3)]",
    "function": "f = lambda: x",
    "with": "with x: pass",
    "try": "try: pass\n    finally: pass",
    "global": "global tile\n    tile = x",
    "item": "x[0] = 1",
    "attribute": "x.kept = 1",
    "stream": "sys.stderr.write('x')",
    "given function": "n(x)",
    "items": "for tile in n: pass",
    "sets": "print({1})",
}
OF_TRITON = {
    "loop": "for i in range(0, n, TILE):\n        x += tl.load(x_ptr + i).to(tl.float32)",
    "constant": "x = x * LOG2E + float('inf')",
    "branch": "if TILE > 16:\n        x = -x if n > 1 else x[:, None]",
    "tuples": "x, y = x, (x, x)",
    "arguments of a list": "x = x.reshape([TILE, 1])",
}


@pytest.mark.parametrize("body", BEYOND_TRITON.values(), ids=list(BEYOND_TRITON))
def test_kernels_hold_what_triton_compiles(body):
    assert "which Triton does not compile, in line 1" in (reaches_for(KERNEL.format(BODY.format(body))) or "")


@pytest.mark.parametrize("body", OF_TRITON.values(), ids=list(OF_TRITON))
def test_what_triton_compiles_is_not_suspected(body):
    assert reaches_for(KERNEL.format(BODY.format(body))) is None


def test_what_the_compiler_has_refused_already_is_no_suspicion():
    source = KERNEL.format(BODY.format("for i in (1, 2): x += i"))
    assert reaches_for(source)
    assert reaches_for(source, compiles=False) is None


def test_every_kernel_is_seen_to_be_one():
    kernel = "def kernel(x_ptr):\n    pass\n"
    assert "not as a decorator" in (reaches_for(KERNEL.format(f"{kernel}\nkernel = triton.jit(kernel)\n")) or "")
    assert reaches_for(f"from triton import jit as j\n@j\n{kernel}")
    assert "more than Triton" in (reaches_for(KERNEL.format(f"@triton.jit\n@keep\n{kernel}")) or "")
    assert reaches_for(KERNEL.format(f"@triton.autotune([], [])\n@triton.jit\n{kernel}")) is None


ON_RANKS = {
    "an object in a list": "def f(x):\n    shelf = [x][0]\n    shelf.board = {}\n",
    "by its name": "def f(x):\n    setattr(x, 'board', {})\n",
    "an own object, and another one": "class A:\n    pass\na = A()\na = [len][0]\na.board = {}\n",
}


@pytest.mark.parametrize("source", ON_RANKS.values(), ids=list(ON_RANKS))
def test_ranks_change_no_objects_but_their_own(source):
    said = reaches_for(source, on_ranks=True) or ""
    assert "changed" in said or "setattr" in said
    own = "class State:\n    def __init__(self, o):\n        self.o = o\ndef f():\n    s = State(1)\n    s.o = 2\n"
    assert reaches_for(own, on_ranks=True) is None


COUNTING = """{head}
    def finish(x):
        finish.count += 1
    finish.count = 0
    finish(1)
"""


def test_a_function_within_a_function_may_be_given_attributes_and_another_object_of_its_name_not():
    assert reaches_for(COUNTING.format(head="def f():"), on_ranks=True) is None
    assert "finish.count, changed" in (reaches_for(COUNTING.format(head="def f(finish):")) or "")
    assert "changed" in (reaches_for("def g(): pass\n\n\ndef f():\n    g.count = 0\n") or "")


MANY = {
    "stores": "class H: pass\nz = H()\n" + "z.a = 0\n" * 9000,
    "environment": f"import os\n[{'os.environ[0],' * 3000}]",
}


@pytest.mark.parametrize("source", MANY.values(), ids=list(MANY))
def test_a_line_takes_as_long_however_many_there_are(source):
    begun = time.process_time()
    reaches_for(source, on_ranks=True)
    assert time.process_time() - begun < 20  # once 130 and 55 seconds


def test_the_line_is_named():
    assert reaches_for("import numpy as np\n\nnp.exp = 1") == "np.exp, changed when the file is run, in line 3"
    assert reaches_for("def f():\n    return exec('1')") == "exec in line 2"


def test_what_stands_before_an_answer_is_known_and_what_it_does_not_use_is_not_read():
    assert reaches_for("def f(x):\n    return np.exp(x)\n", "f", "import numpy as np") is None
    both = "def f(x):\n    return x\ndef g(x):\n    return open(x)\n"
    assert reaches_for(both, "f") is None and reaches_for(both, "g") and reaches_for(both)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", [name for name, exercise in exercises().items() if exercise.backend != "cuda"])
def test_nobody_honest_is_suspected(name):
    assert proofs.of_suspicion(name).problems() == []


def test_who_would_be_suspected_is_named(monkeypatch):
    name = next(iter(exercises()))
    monkeypatch.setattr(proofs, "reaches_for", lambda *answer, **known: "open in line 1")
    assert "the solution is suspected: open in line 1" in proofs.of_suspicion(name).find()


def test_no_file_of_the_course_is_suspected():
    """But for those that launch CUDA kernels, which use simt; what is handed in there are the kernels."""
    launch = {exercise.topic for exercise in exercises().values() if exercise.backend == "cuda"}
    for exercise in exercises().values():
        if exercise.topic not in launch:
            whole = (KERNELS / f"{exercise.topic}.py").read_text()
            assert reaches_for(whole, exercise.name) is None, exercise.name
