"""The child: defines the submitted cells and calls their functions, as the grader asks, until the socket closes."""

from __future__ import annotations

import functools
import os
import select
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from .failure import Failure, Kind, describe, nearest
from .meters.operations import home_of
from .observe import Observation, observe
from .protocol import decode, observation_message, receive, send, translated_message
from .wall.cells import Cells
from .wall.out_of_time import Timeout, within
from .wall.printed import listening


def serve(sock: socket.socket) -> None:
    """Answer the grader's requests.

    {"do": "define", "label", "source"}: run a cell in the one namespace -> {"failure"}.
    {"do": "module", "name", "source"}: make it importable -> {}.
    {"do": "libraries", "about", "defines"} and three blobs: a CUDA kernel, compiled with instruments and without,
    and what it runs on -> {}.
    {"do": "call", "function", "arguments", "backend", "once", "spied", "counted", "seconds"}: -> an observation.
    {"do": "translate", "function", "arguments", "targets"}: -> the kernels that the function launches, as PTX.
    {"do": "fill", "function", "arguments", "capability"}: begin to compile what this call launches -> {}.
    {"do": "filled", "call", "capability"}: wait until that of a call (from 0) is compiled -> {}.
    Every answer repeats the request's "number".
    """
    cells = Cells(describe)
    while True:
        try:
            request, blobs = receive(sock)
        except EOFError:
            return
        if request["do"] == "define":
            failure = cells.define(request["label"], request["source"])
            send(sock, {"number": request["number"], "failure": None if failure is None else vars(failure)})
        elif request["do"] == "module":
            cells.provide(request["name"], request["source"])
            send(sock, {"number": request["number"]})
        elif request["do"] == "libraries":
            provide_libraries(request["about"], request["defines"], blobs)
            send(sock, {"number": request["number"]})
        else:
            answer = ANSWERS[request["do"]]
            header, out = answer(cells, request, blobs)
            send(sock, header | {"number": request["number"]}, out)


def provide_libraries(about: list[dict[str, Any]], defines: list[list[Any]], blobs: list[bytes]) -> None:
    """Use these two builds of a submission's kernel in its launches: one that is watched, and one that is not."""
    from simt import compiler, cpu, source

    *codes, runtime = blobs
    path = Path(os.environ["HOME"], "simt.so")
    if not path.exists():
        path.write_bytes(runtime)
        cpu.provide_runtime(path)
    watched, unwatched = map(compiler.from_json, about, codes)
    source.define(watched.name, watched.text)
    cpu.provide(tuple((name, value) for name, value in defines), watched, unwatched)


def call(cells: Cells, request: dict[str, Any], blobs: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    function, is_object = cells.namespace.get(request["function"]), {"init", "steps"} <= request["arguments"].keys()
    if not callable(function) or isinstance(function, type) is not is_object:
        name, made = request["function"], {name for name, value in cells.namespace.items() if callable(value)}
        kind = "class" if is_object else "function"
        said = f"{name} is not a {kind}" if name in made else f"no {kind} {name} is defined{nearest(name, made)}"
        return observation_message(Observation(failure=Failure(Kind.NOT_DEFINED, said)))
    arguments = {name: decode(spec, blobs) for name, spec in request["arguments"].items()}
    how = {word: request[word] for word in ("backend", "once", "spied", "counted")}
    anew = functools.partial(cells.anew, request["function"])
    try:
        with listening() as heard, within(request["seconds"]):
            seen = observe(function, arguments, **how, anew=anew)
    except (Timeout, KeyboardInterrupt) as error:  # in a call that does not count, or in a kernel in C++
        seen = Observation(failure=describe(error, home_of(function)))
    seen.printed = heard.printed
    return observation_message(seen)


def translated(cells: Cells, request: dict[str, Any], blobs: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    from .translate import translate

    arguments = {name: decode(spec, blobs) for name, spec in request["arguments"].items()}
    return translated_message(translate(cells.namespace[request["function"]], arguments, request["targets"]))


def fill(cells: Cells, request: dict[str, Any], blobs: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    from .helper.cache import filling

    arguments = {name: decode(spec, blobs) for name, spec in request["arguments"].items()}
    if found := filling(request["capability"]):
        found.begin(cells.namespace[request["function"]], arguments)
    return {}, []


def filled(_: Any, request: dict[str, Any], __: Any) -> tuple[dict[str, Any], list[bytes]]:
    from .helper.cache import filling

    if found := filling(request["capability"]):
        found.finish(request["call"])
    return {}, []


ANSWERS = {"call": call, "translate": translated, "fill": fill, "filled": filled}


def end_with(sock: socket.socket) -> None:
    """End this process group, whatever it is busy with, once the other end of the socket is closed, or has died."""

    def wait() -> None:
        hang_up = select.poll()
        hang_up.register(sock, 0)
        hang_up.poll()
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


def serve_alone(sock: socket.socket) -> None:
    """Answer requests, and end with whoever makes them."""
    end_with(sock)
    serve(sock)


def silence() -> None:
    """Read nothing from outside and print nothing: what the learner prints does not affect a grade."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
