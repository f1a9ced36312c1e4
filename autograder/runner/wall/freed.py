"""Memory that was freed: who asks for memory does not get back what stood in it, and large pieces go back at once."""

from __future__ import annotations

import ctypes
import importlib

M_PERTURB, FREED = -6, 0x80  # glibc fills what is freed with this byte, and what is handed out with its complement
M_MMAP_THRESHOLD, LARGE = -3, 1 << 16  # bytes; glibc would raise its own threshold with each piece that is freed
SET_HANDLER, GET_HANDLER = 304, 305  # places of PyDataMem_SetHandler and its counterpart in numpy's C API
VERSION = 1  # of PyDataMem_Handler


class _Handler(ctypes.Structure):
    """PyDataMem_Handler of numpy's C API, with the allocator that it holds."""

    _fields_ = (
        *(("name", ctypes.c_char * 127), ("version", ctypes.c_uint8), ("context", ctypes.c_void_p)),
        *((name, ctypes.c_void_p) for name in ("malloc", "calloc", "realloc", "free")),
    )


_handler = _Handler()  # alive as long as numpy uses it


def forget() -> None:
    """From here on freed memory is overwritten, if the C library is glibc and numpy's allocators are as known."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "gnu_get_libc_version"):
        return
    libc.mallopt(M_PERTURB, FREED)
    # A small piece that is kept may lie in the room of a large one that was freed, so that the next large one finds
    # none: an answer that keeps many numbers one by one would hold the memory of all the rows they were taken from.
    libc.mallopt(M_MMAP_THRESHOLD, LARGE)
    # numpy keeps small blocks that are freed for itself, as they are: so it is to ask the C library for each. Its
    # allocators are given a context first, and realloc of nothing, which is this context, is malloc.
    python = ctypes.pythonapi
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    python.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
    python.PyCapsule_New.restype = ctypes.py_object
    python.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    try:
        api = importlib.import_module("numpy._core._multiarray_umath")._ARRAY_API  # as import_array() of C asks for it
    except (ImportError, AttributeError):  # another numpy: what it keeps is not overwritten
        return
    of_numpy = python.PyCapsule_GetPointer(api, None)
    functions = ctypes.cast(of_numpy, ctypes.POINTER(ctypes.c_void_p))
    now = ctypes.PYFUNCTYPE(ctypes.py_object)(functions[GET_HANDLER])()
    theirs = _Handler.from_address(python.PyCapsule_GetPointer(now, b"mem_handler"))
    if theirs.version != VERSION:
        return
    ctypes.pointer(_handler)[0] = theirs
    _handler.context, _handler.malloc = None, ctypes.cast(libc.realloc, ctypes.c_void_p).value
    ours = python.PyCapsule_New(ctypes.addressof(_handler), b"mem_handler", None)
    ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(functions[SET_HANDLER])(ours)
