"""%load_ext autograder: the verbs in the namespace, an exercise checked whenever its cell is run, and %%needs."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display

from simt.errors import CompileError, KernelFault, MissingCompiler

from ..backends import backend_of
from ..backends.cuda import CudaFunction
from ..benchmark import bench
from ..benchmark.measure import measured_name
from ..processes.helpers import start_compiler
from ..runner.meters.traffic import install
from ..spec import interpreter
from ..spec.catalogue import exercise_of, exercises
from ..spec.exercise import Exercise
from ..spec.index import not_here, without_triton
from ..spec.user_error import UserError
from ..tracing.trace import trace, traffic
from . import starters
from .check import Score, check
from .hints import hint
from .magics import register
from .progress import progress
from .questions import check_answer, question_named

DEFINED = (FunctionType, CudaFunction, type)  # what an exercise's cell defines
VERBS = {"hint": hint, "trace": trace, "bench": bench, "progress": progress}
VERBS |= {"check_answer": check_answer, "traffic": traffic}
# What looks up the first argument of a verb, and raises TypeError or LookupError if it is not one.
FINDS: dict[str, Callable[[Any], Any]] = {"bench": measured_name, "check_answer": question_named}
FINDS |= {verb: functools.partial(exercise_of, verb) for verb in ("check", "hint")}
FINDS["trace"] = functools.partial(exercise_of, "trace", example="flash_attention")
LOADED: WeakKeyDictionary[InteractiveShell, tuple[Watcher, Any]] = WeakKeyDictionary()
STOPPED = "The check was stopped before its end: run the cell again for its card."


def load(shell: InteractiveShell) -> None:
    """Set the session up. Triton reads its environment when it is imported, so the interpreter is chosen here."""
    shell.set_custom_exc((UserError, CompileError, KernelFault, MissingCompiler), _say_user_error)
    if os.environ.get("TRITON_INTERPRET") == "0":
        del os.environ["TRITON_INTERPRET"]  # its value is the default of a machine with a GPU anyway
    interpreter.choose()
    install()
    watcher = Watcher(shell)
    verbs: dict[str, Any] = VERBS | {"check": watcher.check}
    shell.push({name: in_one_sentence(name, verb) for name, verb in verbs.items()}, interactive=False)
    register(shell)
    needs = needs_filter(shell)
    shell.events.register("pre_run_cell", watcher.before)
    shell.events.register("post_run_cell", watcher.after)
    shell.input_transformers_cleanup.append(needs)
    LOADED[shell] = watcher, needs


def unload(shell: InteractiveShell) -> None:
    """Cells are no longer checked when they are run. What stands in the namespace stays there."""
    watcher, needs = LOADED.pop(shell)
    shell.events.unregister("pre_run_cell", watcher.before)
    shell.events.unregister("post_run_cell", watcher.after)
    shell.input_transformers_cleanup.remove(needs)


def _say_user_error(shell: InteractiveShell, kind: Any, mistake: Any, traceback: Any, tb_offset: Any = None) -> None:
    """Print a mistake of the person at the keyboard as one sentence, without our traceback."""
    print(mistake)


def in_one_sentence(name: str, verb: Callable[..., Any]) -> Callable[..., Any]:
    """The verb, with a wrong first argument reported as a Mistake and not as a traceback."""

    @functools.wraps(verb)
    def said(*given: Any, **named: Any) -> Any:
        if given and name in FINDS:
            try:
                FINDS[name](given[0])
            except (TypeError, LookupError) as error:
                raise UserError(str(error)) from None
        return verb(*given, **named)

    return said


class Watcher:
    """Checks every exercise that a cell has just defined and shows its card below the cell."""

    def __init__(self, shell: InteractiveShell):
        self.shell = shell
        self.known: dict[str, Any] = {}
        self.shown: dict[Any, Score] = {}  # the functions whose cards the last cell showed

    def before(self, info: Any) -> None:
        if "import triton" in info.raw_cell and without_triton():
            print(f"{without_triton()}.\n")
        self.known = {name: self.shell.user_ns.get(name) for name in exercises()}

    def after(self, result: Any) -> None:
        self.shown = {}
        try:
            if "triton" in self.shell.user_ns:
                start_compiler()
            for name, old in self.known.items() if result.success else ():
                new = self.shell.user_ns.get(name)
                if not isinstance(new, DEFINED) or new is old or new.__name__ != name:
                    continue
                if _begun(name, new) or not exercises()[name].is_starter(result.info.raw_cell):
                    self._show(new)
                    self._keep(new, result.info.raw_cell)
                else:
                    self._open(exercises()[name])
        except KeyboardInterrupt:
            print(STOPPED)

    def _show(self, function: Any) -> None:
        try:
            score = self._score(function)
        except UserError as mistake:
            print(mistake)
            return
        display(score)
        self.shown[function] = score  # not earlier: if the card was interrupted, the next check is to show all of it

    def _keep(self, function: Any, cell: str) -> None:
        score = self.shown.get(function)
        if score is not None and score.verdict.status == "pass":
            starters.keep(function.__name__, cell)

    def _open(self, exercise: Exercise) -> None:
        """Put what the learner has already written, for the exercise that this one follows, into its empty cell."""
        found = starters.begun(exercise)
        if found is None:
            return
        cell, names = found
        self.shell.set_next_input(cell, replace=True)
        own = " and ".join(f"`{name}`" for name in names)
        print(f"Your {own} stands in this cell now: change what is new, delete the line below TODO, and run it again.")

    @functools.wraps(check)
    def check(self, function: Any) -> Score:
        """Right after its own cell a function is not judged again, and one line is enough."""
        seen = self.shown.get(function) if isinstance(function, DEFINED) else None
        if seen is not None:
            return Score(seen.verdict, brief=True)
        try:
            return self._score(function)
        except KeyboardInterrupt:
            raise UserError(STOPPED) from None

    def _score(self, function: Any) -> Score:
        wants_class = isinstance(exercises()[function.__name__].function, type)
        if wants_class != isinstance(function, type):
            kind, begin = ("class", "class") if wants_class else ("function", "def")
            name = function.__name__
            raise UserError(f"{name} is a {kind} in this exercise; begin it with `{begin} {name}`, as the lesson does")
        score = check(function)
        score.verdict.note = score.verdict.note or older_base(function, self.shell.user_ns)
        return score


def older_base(kind: Any, session: Mapping[str, Any]) -> str:
    """A sentence if a class inherits from another version of an exercise's class than the session now has; else "".

    Python does not look a base up by name again: a class keeps the one it was made from. The course's own class does
    not count as an older version of the learner's.
    """
    for base in kind.__mro__[1:] if isinstance(kind, type) else ():
        name, now = base.__name__, session.get(base.__name__)
        if name in exercises() and isinstance(now, type) and now is not base and now.__module__ == base.__module__:
            return f"{kind.__name__} was made from an older {name}: run the cell of {kind.__name__} again."
    return ""


def _begun(name: str, function: Any) -> bool:
    exercise = exercises()[name]
    return backend_of(exercise).begun(exercise, function)


def attempted(name: str, function: Any) -> bool:
    """Whether what the session has under an exercise's name is more than its starter."""
    exercise = exercises().get(name)
    return exercise is not None and backend_of(exercise).attempted(exercise, function)


def needs_filter(shell: InteractiveShell) -> Callable[[list[str]], list[str]]:
    """An input transformer for cells that begin with `%%needs NAME ...`.

    Once the named exercises have been attempted, such a cell runs as if the line were not there; until then it says in
    one line which one to solve first. It also says which class was made from an older one.
    """

    def transform(lines: list[str]) -> list[str]:
        if not lines or not lines[0].startswith("%%needs"):
            return lines
        unfit = [why for name in lines[0].split()[1:] if name in exercises() and (why := not_here(exercises()[name]))]
        if unfit:
            return [f"print({f'{unfit[0]}, and so does this cell.'!r})\n"]
        needed = {name: shell.user_ns.get(name) for name in lines[0].split()[1:]}
        missing = [name for name, function in needed.items() if not attempted(name, function)]
        if not missing:
            older = "\n".join(filter(None, (older_base(function, shell.user_ns) for function in needed.values())))
            return [f"print({older!r})\n" if older else "\n", *lines[1:]]
        return [f"print('This cell needs {' and '.join(missing)}: solve that first, then run this cell again.')\n"]

    return transform
