"""%load_ext autograder: the verbs in the namespace, an exercise checked whenever its cell is run, and %%needs."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from IPython.core.interactiveshell import InteractiveShell

from simt.errors import CompileError, KernelFault, MissingCompiler

from ..backends import backend_of
from ..backends.cuda import CudaFunction
from ..benchmark import bench
from ..benchmark.measure import measured_name
from ..processes import helpers
from ..runner.meters.traffic import install
from ..spec import interpreter
from ..spec.catalogue import exercise_of, exercises, near_exercise
from ..spec.index import not_here, without_triton
from ..spec.user_error import UserError
from ..tracing.trace import trace, traffic
from . import starters
from .check import Score, check, score_of
from .hints import hint
from .live import ahead
from .live.commands import ONLY_IN_TERMINALS, in_terminal, told_of_terminal
from .live.exits import exits_raise
from .live.line import Line, tell, telling, waiting
from .live.names import NOT_RUN, bound_by, missing, missing_name, session_lesson
from .live.slips import (
    DEFINED,
    NOT_DEFINED,
    SPLIT,
    attempted,
    begins,
    instead_of,
    is_definition,
    is_made_here,
    is_split_off,
    listed,
    slips,
)
from .magics import register, told_from_python
from .progress import progress
from .questions import EXAMPLE, check_answer, question_named, questions

VERBS = {"hint": hint, "trace": trace, "bench": bench, "progress": progress}
VERBS |= {"check_answer": check_answer, "traffic": traffic}
# What looks up the first argument of a verb, and raises TypeError or LookupError if it is not one.
FINDS: dict[str, Callable[[Any], Any]] = {"bench": measured_name, "check_answer": question_named}
FINDS |= {verb: functools.partial(exercise_of, verb) for verb in ("check", "hint")}
FINDS["trace"] = functools.partial(exercise_of, "trace", example="flash_attention")
LOADED: WeakKeyDictionary[InteractiveShell, tuple[Watcher, list[Any]]] = WeakKeyDictionary()
# How a verb is used, where nothing is given to it.
EXAMPLES = {"check_answer": EXAMPLE, "traffic": "traffic(lambda: fused_softmax(x))"}
EXAMPLES |= {"trace": "trace(flash_attention)", "bench": "bench(flash_attention)", "progress": "progress()"}
SLOW = {"trace", "traffic", "bench"}  # verbs that may take long, besides check, which has more to say
STOPPED = "The check was stopped before its end: run the cell again for its card."
TAKEN = "{0} is a name of yours now and no longer the course's: `del {0}` brings that back."
AS_OF = "Not attempted when this cell ran: run it again once there is an answer."  # it stays below a later, green card
COURSES = "This {0} is the course's own, which earns no points: write yours in a cell, then check it."
WRONG = "{0} did not pass the last check: what this cell shows may be wrong, and if it does not end, press I I."
UNTOUCHED = "{0} is as it was given out: write the missing lines, then run this cell again. hint({0}) helps."


def load(shell: InteractiveShell) -> None:
    """Set the session up. Triton reads its environment when it is imported, so the interpreter is chosen here.

    A second time it does nothing: the environment's configuration loads it before a notebook's first cell does.
    """
    if shell in LOADED:
        return
    shell.set_custom_exc((UserError, CompileError, KernelFault, MissingCompiler, NameError), _say)
    if os.environ.get("TRITON_INTERPRET") == "0":
        del os.environ["TRITON_INTERPRET"]  # its value is the default of a machine with a GPU anyway
    interpreter.choose()
    install()
    watcher = Watcher(shell)
    shell.push(watcher.verbs, interactive=False)
    register(shell)
    transformers = [told_from_python, told_of_terminal, needs_filter(shell, watcher.wrong)]
    shell.events.register("pre_run_cell", watcher.before)
    shell.events.register("post_run_cell", watcher.after)
    shell.input_transformers_cleanup.extend(transformers)
    LOADED[shell] = watcher, transformers
    ahead.begin(session_lesson(shell.user_ns))


def unload(shell: InteractiveShell) -> None:
    """Cells are no longer checked when they are run. What stands in the namespace stays there."""
    watcher, transformers = LOADED.pop(shell)
    shell.events.unregister("pre_run_cell", watcher.before)
    shell.events.unregister("post_run_cell", watcher.after)
    for transformer in transformers:
        shell.input_transformers_cleanup.remove(transformer)


load_ipython_extension = load  # for ipython_kernel_config.py: under another name than that of %load_ext autograder


def _say(shell: Any, kind: Any, mistake: Any, traceback: Any, tb_offset: Any = None) -> None:
    """Print a mistake of the person at the keyboard as one sentence, without our traceback.

    So is a name that another cell of the lesson makes. Any other that is missing keeps its traceback.
    """
    if not isinstance(mistake, NameError) or isinstance(mistake, UserError):
        tell(str(mistake))
        return
    name, space = mistake.name or "", shell.user_ns
    if name not in space and (said := instead_of(name, space) or missing(name, session_lesson(space))):
        tell(said)
        return
    shell.showtraceback((kind, mistake, traceback), tb_offset=tb_offset)
    if near := near_exercise(name):
        tell(f"Did you mean {near}?")
    elif name in ONLY_IN_TERMINALS:
        tell(in_terminal(name))
    elif name in questions():
        tell(f'{name} is a question, whose name stands in quotes: check_answer("{name}", ...)')


def in_one_sentence(name: str, verb: Callable[..., Any], session: Mapping[str, Any]) -> Callable[..., Any]:
    """The verb, with wrong arguments reported as a UserError and not as a traceback, and with a line while it works."""
    signature = inspect.signature(verb, follow_wrapped=False)

    @functools.wraps(verb)
    def said(*given: Any, **named: Any) -> Any:
        _accept(name, signature, given, named, session)
        if name not in SLOW:
            return verb(*given, **named)
        line = Line()
        try:
            with waiting(lambda seconds: f"{name}: working, {seconds:.0f} s; press I I to stop", line):
                return verb(*given, **named)
        finally:
            line.clear()

    said.__dict__["__signature__"] = signature  # or a method that wraps a function lacks its first argument in help
    return said


def _accept(
    name: str, signature: inspect.Signature, given: Sequence[Any], named: Mapping[str, Any], session: Mapping[str, Any]
) -> None:
    """Raises UserError if the verb does not take these arguments."""
    example = EXAMPLES.get(name, f"{name}(safe_softmax)")
    try:
        bound = signature.bind(*given, **named)
    except TypeError as error:
        raise UserError(f"{name}(): {error}; use it as in {example}") from None
    first = next(iter(bound.arguments.values()), None)
    try:
        if name in FINDS:
            FINDS[name](first)
        elif name == "traffic" and not _is_call(first):
            raise TypeError(f"traffic() takes a call that it can make itself, as in {example}")
    except (TypeError, LookupError) as error:
        called = [each for each in exercises() if callable(first) and session.get(each) is first]
        under = [each for each in called if not is_definition(each, first)]
        raise UserError(NOT_DEFINED.format(under[0], begins(under[0])) if under else str(error)) from None


def _is_call(given: Any) -> bool:
    """Whether it can be called with nothing; of some of C's functions nobody knows before."""
    try:
        inspect.signature(given).bind()
    except TypeError:
        return False
    except ValueError:
        return callable(given)
    return True


class Watcher:
    """Checks every exercise that a cell has just defined and shows its card below the cell."""

    def __init__(self, shell: InteractiveShell):
        self.shell = shell
        self.known: dict[str, Any] = {}
        self.wrong: dict[str, Any] = {}  # those that fail, by their exercises
        self.shown: dict[Any, Score] = {}  # the functions whose cards the last cell showed
        self.place = Line()
        verbs: dict[str, Any] = VERBS | {"check": self.check}
        said = {name: in_one_sentence(name, verb, shell.user_ns) for name, verb in verbs.items()}
        self.verbs = {name: exits_raise(shell)(verb) for name, verb in said.items()}  # they call answers, too

    def before(self, info: Any) -> None:
        gone = {name: verb for name, verb in self.verbs.items() if name not in self.shell.user_ns}
        self.shell.push(gone, interactive=False)  # %reset deletes them, and %load_ext does nothing a second time
        if "import triton" in info.raw_cell and without_triton():
            tell(f"{without_triton()}.")
        self.known = {name: self.shell.user_ns.get(name) for name in exercises()}
        self.place = Line()
        if not exercises().keys().isdisjoint(bound_by(info.raw_cell)):
            self.place.keep_free()

    def after(self, result: Any) -> None:
        self.shown = {}
        try:
            if "triton" in self.shell.user_ns:
                helpers.start()
            for name, old in self.known.items() if result.success else ():
                new = self.shell.user_ns.get(name)
                if new is old or not is_definition(name, new) or is_courses(new):
                    continue
                opened, said = starters.begun(exercises()[name], result.info.raw_cell)
                if opened is not None:
                    self.shell.set_next_input(opened, replace=True)
                elif _begun(name, new) or not exercises()[name].is_starter(result.info.raw_cell):
                    self._show(new)
                else:
                    tell(UNTOUCHED.format(name))
                if said:
                    tell(said)
            if is_split_off(result.info.raw_cell, result.success):
                tell(SPLIT)
            if result.success:
                for said in slips(result.info.raw_cell, result.info.cell_id, self.shell.user_ns):
                    tell(said)
                for name in bound_by(result.info.raw_cell):
                    if name in self.verbs and self.shell.user_ns.get(name) is not self.verbs[name]:
                        tell(TAKEN.format(name))
        except KeyboardInterrupt:
            tell(STOPPED)

    def _show(self, function: Any) -> None:
        line, self.place = self.place, Line()
        try:
            score = self._score(function, line)
        except UserError as mistake:
            tell(str(mistake))
            return
        line.give_way_to(score)
        self.shown[function] = score  # not earlier: if the card was interrupted, the next check is to show all of it

    @functools.wraps(check)
    def check(self, function: Any) -> Score:
        """Right after its own cell a function is not judged again, and one line is enough."""
        if is_courses(function):
            raise UserError(COURSES.format(function.__name__))
        seen = self.shown.get(function) if isinstance(function, DEFINED) else None
        if seen is not None:
            return Score(seen.verdict, brief=True)
        line = Line()
        try:
            score = self._score(function, line)
        except KeyboardInterrupt:
            raise UserError(STOPPED) from None
        finally:
            line.clear()
        if score.verdict.status == "not_attempted":
            said = instead_of(score.verdict.name, self.shell.user_ns) or AS_OF
            score.verdict.note = f"{said} {score.verdict.note}".strip()
        return score

    def _score(self, function: Any, line: Line) -> Score:
        wants_class = isinstance(exercises()[function.__name__].function, type)
        if wants_class != isinstance(function, type):
            kind, name = "class" if wants_class else "function", function.__name__
            raise UserError(f"{name} is a {kind} in this exercise; begin it with `{begins(name)}`, as the lesson does")
        space = self.shell.user_ns
        with exits_raise(self.shell):
            score = score_of(function, line, space if is_made_here(function, space) else ())
        if any(case.status != "pass" for case in score.verdict.cases):
            self.wrong[function.__name__] = function
        said = older_base(function, self.shell.user_ns) or self._not_run(score)
        score.verdict.note = score.verdict.note or said
        return score

    def _not_run(self, score: Score) -> str:
        """A sentence on a name that the answer lacks, and that another cell of the lesson makes; "" if none is."""
        failed = score.verdict.first_failure
        lacked = missing_name(failed.failure.message) if failed and failed.failure else ""
        if not lacked or lacked in self.shell.user_ns:
            return ""
        return missing(lacked, session_lesson(self.shell.user_ns))


def is_courses(function: Any) -> bool:
    """Whether a function or class is the course's own, imported from it. A kernel from a cell only takes its name."""
    if not isinstance(function, DEFINED) or isinstance(function, CudaFunction):
        return False
    return function.__module__.partition(".")[0] == "kernels"


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


def needs_filter(shell: InteractiveShell, wrong: Mapping[str, Any]) -> Callable[[list[str]], list[str]]:
    """An input transformer for cells that begin with `%%needs NAME ...`.

    Once the named exercises have been attempted, and what else is named has been made by an earlier cell, such a cell
    runs as if the line were not there; until then it says in one line what comes first. It also says which class was
    made from an older one, and what is known to be `wrong`: by their names, functions that fail their checks.
    """

    def transform(lines: list[str]) -> list[str]:
        if not lines or not lines[0].startswith("%%needs"):
            return lines
        unfit = [why for name in lines[0].split()[1:] if name in exercises() and (why := not_here(exercises()[name]))]
        if unfit:
            return [telling(f"{unfit[0]}, and so does this cell.")]
        needed = {name: shell.user_ns.get(name) for name in lines[0].split()[1:]}
        if renamed := next(filter(None, (instead_of(name, shell.user_ns) for name in needed)), ""):
            return [telling(renamed)]
        unmade = [name for name in needed if name not in shell.user_ns]
        if unmade:
            return [telling(NOT_RUN.format(listed(unmade)))]
        unsolved = [name for name in needed if name in exercises() and not attempted(name, needed[name])]
        if not unsolved:
            warned = [older_base(function, shell.user_ns) for function in needed.values()]
            failing = [name for name, function in needed.items() if name in wrong and wrong[name] is function]
            warned += [WRONG.format(listed(failing))] if failing else []
            told = "\n".join(filter(None, warned))
            return [telling(told) if told else "\n", *lines[1:]]
        them = "them" if len(unsolved) > 1 else "it"
        return [telling(f"This cell needs {listed(unsolved)}: solve {them} first, then run this cell again.")]

    return transform
