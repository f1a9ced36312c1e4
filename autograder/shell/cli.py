"""The command `tilewise`. Each command calls one module, imported inside it, so that `tilewise --help` is quick."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from .. import __version__
from ..spec.user_error import UserError
from . import ctrl_c

if TYPE_CHECKING:
    from ..spec.catalogue import Lesson

# Verbs of a notebook that are no commands.
ONLY_IN_NOTEBOOKS = ("trace", "traffic", "check_answer")
# nbgrader's own commands, of which one may write half a name here.
OF_NBGRADER = (
    *("generate_assignment", "release_assignment", "collect", "autograde"),
    *("generate_feedback", "release_feedback", "export"),
)


class _Commands(TyperGroup):
    """The commands; a notebook's verb, or a command of nbgrader's, is not taken for a misspelt one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args[0] in ONLY_IN_NOTEBOOKS:
            raise UserError(
                f"{args[0]} is a function of the notebook: call {args[0]}(...) in a cell; `tilewise lab` opens one"
            )
        if meant := next((name for name in OF_NBGRADER if args[0] in (name, *name.split("_"))), None):
            raise UserError(
                f"{args[0]} is nbgrader's: run `nbgrader {meant}` in the folder that `tilewise nbgrader init` has made"
            )
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    help="Tilewise: build attention yourself, one graded kernel at a time.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
nbgrader = typer.Typer(cls=_Commands, help="Use the course with nbgrader.", rich_markup_mode=None)
app.add_typer(nbgrader, name="nbgrader")

Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Lessons, e.g. 2 or 02_online_softmax.")]
Only = Annotated[list[str] | None, typer.Option("--lesson", metavar="NAME", help="A lesson; may be repeated.")]


@contextlib.contextmanager
def _loading() -> Iterator[None]:
    """Around imports that take long: a line says what is waited for, and Ctrl-C ends it at once."""
    from ..showing.terminal import saying

    with ctrl_c.leaving_at_once(), saying("loading the course"):
        yield


def _say_version(asked: bool) -> None:
    if asked:
        print(f"tilewise {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    pass


@app.command("list")
def list_() -> None:
    """List lessons and exercises, with points and progress."""
    from ..showing.terminal import show
    from .tables import course_table

    show(course_table())


@app.command()
def lab(
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print where a browser finds it.")] = False,
) -> None:
    """Open JupyterLab on your own copies of the lessons."""
    with ctrl_c.leaving_at_once():
        from ..notebook.jupyter.lab import lab_server
        from ..notebook.workspace import first_copy, prepare

    for said in prepare(list(_lessons(None))):
        print(said)
    copy = first_copy()
    print(
        f"{'Starting' if no_browser else 'Opening'} JupyterLab on {copy}; press Ctrl-C twice here to end it.",
        flush=True,
    )
    with ctrl_c.leaving_at_once():
        server = lab_server(copy, no_browser)
    server.start()


@app.command()
def check(
    what: Annotated[
        list[str],
        typer.Argument(metavar="FILE|NAME...", help="Your files, or lessons or exercises, e.g. 2 or row_max."),
    ],
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again at every save, what it changed, until Ctrl-C.")
    ] = False,
) -> None:
    """Check your answers with the public inputs. Ends with 1 unless all that are answered are right."""
    from ..processes.wall import start_ahead
    from .named import files_and_exercises

    paths, chosen = files_and_exercises(what)
    until = ", now and at every save; Ctrl-C ends it" if watch else "; each exercise is shown when it is done"
    print(f"Checking{until} ...", file=sys.stderr, flush=True)
    start_ahead()
    with _loading():
        from ..notebook.submit import check_files
        from ..notebook.watch import check_at_every_save

    cards = (check_at_every_save if watch else check_files)(paths, chosen)
    all_right = True
    for card, is_right in cards:
        print(card, flush=True)
        all_right &= is_right
    raise typer.Exit(0 if all_right else 1)


@app.command()
def hint(
    exercise: Annotated[str, typer.Argument(help="Its name, e.g. row_max.")],
    rung: Annotated[str | None, typer.Argument(help="Which one, from 1; the next one if none.")] = None,
) -> None:
    """Show the next hint for an exercise."""
    from .named import stem_and_exercise

    _, name = stem_and_exercise(exercise)
    with _loading():
        from ..notebook.hints import opened
        from ..spec.catalogue import exercise_named
    asked = int(rung) if rung and rung.isdecimal() else rung
    print(opened(exercise_named(name), asked, in_terminal=True))


@app.command()
def reset(exercise: Annotated[str, typer.Argument(help="Its name, e.g. row_max.")]) -> None:
    """Put the starter of an exercise back into your copy. Your answer is kept in a file beside it."""
    from .named import stem_and_exercise

    named = stem_and_exercise(exercise)
    print("Putting the starter back ...", file=sys.stderr, flush=True)
    with _loading():
        from ..notebook.starters import reset
    print(reset(*named))


@app.command()
def bench(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE|NAME]...", help="Your files, or exercises; all the course's if none."),
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="OUT", help="Write what was measured to this file.")] = None,
) -> None:
    """Measure speed on a GPU, after checking the answer."""
    from .named import be_known

    be_known(what or [])
    with _loading():
        import torch  # noqa: F401

        from ..benchmark.drive import run
    raise typer.Exit(run(what or [], json))


@app.command()
def submit(
    what: Annotated[
        list[str],
        typer.Argument(metavar="FILE|LESSON...", help="Your files (.ipynb, .py, .cu), or lessons, e.g. 2 or softmax."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="For the zip.")] = Path(),
) -> None:
    """Pack your files into one zip to hand in, and print a receipt."""
    from ..processes.wall import start_ahead
    from .named import be_a_folder, whole_files

    files = whole_files(what)
    be_a_folder(out)
    print("Packing, and checking what is packed ...", file=sys.stderr, flush=True)
    start_ahead()
    with _loading():
        from ..notebook.submit import pack, remarks
    from ..showing.terminal import show
    from .tables import receipt

    path, manifest = pack(files, out)
    show(receipt(path, manifest))
    for said in remarks(files, manifest):
        print(said)


@app.command("progress")
def progress_() -> None:
    """Show how far you are."""
    from ..notebook.progress import progress

    print(progress())


@app.command()
def doctor() -> None:
    """Name what is missing here, and the command that fixes it."""
    from .doctor import examine

    findings = examine()
    for finding in findings:
        print(finding)
    raise typer.Exit(int(any(f.required and not f.ok for f in findings)))


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="A folder with an entry for each student, a zip, or a file.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where results, grades.csv and report.html go.")],
    lesson: Only = None,
    seed: Annotated[str | None, typer.Option(help="Seed of the inputs; by default a secret one in DIR/seed.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Submissions at a time; by default one per core.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="Time limit of one call.")] = 10.0,
    require_sandbox: Annotated[bool, typer.Option("--require-sandbox", help="Refuse without bubblewrap.")] = False,
    executor: Annotated[
        str, typer.Option(help="local, or MODULE:FUNCTION that makes a concurrent.futures executor of N workers.")
    ] = "local",
) -> None:
    """Grade a class officially. An interrupted run continues where it stopped. Exit status 3: something still waits."""
    from ..grading.executors import GIVEN_UP, maker_of_executors
    from ..grading.reading.files import entries_in, kind_of
    from ..processes.wall import start_ahead
    from .named import be_a_folder

    entries_in(submissions)  # a wrong path or name is said before what takes seconds to import
    if kind_of(submissions.name) == ".zip" and submissions.is_file():
        said = f"{submissions} is graded as one student's; if a whole class is in it, unpack it and name the folder."
        print(said, file=sys.stderr, flush=True)
    be_a_folder(out)
    maker_of_executors(executor)
    lessons = [named.stem for named in _lessons(lesson)] if lesson else []
    with ctrl_c.ending_as_well():
        if executor == "local":
            start_ahead()
        with _loading():
            from ..grading.class_run import run, who_waits

        results = run(submissions, out, lessons, seed, jobs, seconds, require_sandbox, executor)
    status = 3 if who_waits(results) else 0
    if GIVEN_UP:
        ctrl_c.leave(status)
    raise typer.Exit(status)


@nbgrader.command("init")
def nbgrader_init(course_dir: Path, lesson: Only = None) -> None:
    """Make an nbgrader course from the lessons in COURSE_DIR."""
    chosen = list(_lessons(lesson))
    with _loading():
        from ..nbgrader.course import init
    from ..showing.terminal import saying

    with saying("making the notebooks"):
        said = init(course_dir, chosen)
    print(said)


@app.command()
def build(
    names: Names = None,
    check: Annotated[bool, typer.Option("--check", help="Only name what is stale; status 1 if anything.")] = False,
) -> None:
    """Write the notebooks that no longer match their sources."""
    _needs_checkout()
    lessons = list(_lessons(names))
    with _loading():
        from nbclient.exceptions import CellExecutionError

        from ..authoring.build import index_is_stale, index_text, stale, write
        from ..authoring.faults import faults
    from ..processes.files import write_atomically
    from ..spec import index
    from ..spec.folders import ROOT

    if wrong := [said for lesson in lessons for said in faults(lesson)]:
        raise UserError("\n".join(wrong))

    def tell(path: Path) -> None:
        print(f"{path.relative_to(ROOT)} {'is stale; run tilewise build' if check else 'written'}", flush=True)

    found = {lesson: stale(lesson) for lesson in lessons}
    unlisted = index_is_stale()
    if unlisted:
        if not check:
            write_atomically(index.FILE, index_text())
        tell(index.FILE)
    for lesson, paths in found.items():
        try:
            if paths and not check:
                write(lesson)
        except CellExecutionError as error:
            said = f"{error.ename}: {error.evalue}"
            raise UserError(
                f"a cell of {lesson.solved.name} raises {said}; mend lessons/{lesson.source.name}"
            ) from error
        for path in paths:
            tell(path)
    raise typer.Exit(int(check and (unlisted or any(found.values()))))


@app.command()
def prove(names: Names = None) -> None:
    """Prove the lessons. Exit status 1 if there is a problem."""
    _needs_checkout()
    stems = [lesson.stem for lesson in _lessons(names)]
    print("Proving; each lesson is named when it is done ...", file=sys.stderr, flush=True)
    with _loading():
        from ..authoring.prove_course import problems_of
        from ..authoring.sitting import sitting
    from ..showing.terminal import waited_for
    from ..spec.catalogue import lesson_named

    clean = True
    for stem, problems in waited_for(stems, "proving", problems_of(stems)):
        for problem in problems:
            print(problem)
        size = sitting(lesson_named(stem), optional=False)
        print(f"{stem} ({size}): {len(problems) or 'no'} problem{'s' * (len(problems) != 1)}", flush=True)
        clean &= not problems
    raise typer.Exit(int(not clean))


@app.command()
def new(name: Annotated[str, typer.Argument(metavar="NN_TOPIC", help="E.g. 07_tiled_attention.")]) -> None:
    """Begin a lesson: write its four files, ready to build."""
    _needs_checkout()
    from ..authoring.new import begin

    for said in begin(name):
        print(said)


def _needs_checkout() -> None:
    from ..spec.folders import CHECKOUT

    if not CHECKOUT:
        raise UserError("an installed course cannot be changed; clone its repository and use tilewise there")


def _lessons(names: Sequence[str] | None) -> Iterator[Lesson]:
    from ..spec.catalogue import lesson_named, lessons

    try:
        yield from map(lesson_named, names) if names else lessons()
    except LookupError as error:
        raise UserError(str(error)) from None


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 if it ran, 1 if the course is wrong, 2 if the command is, 3 if answers wait."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        _no_empty_word(arguments)
        code = app(arguments or ["--help"], prog_name="tilewise", standalone_mode=False)
    except Exception as error:
        if os.environ.get("TILEWISE_DEBUG"):
            raise
        code = _say(error)
    if code == ctrl_c.STATUS:
        ctrl_c.stop()
    sys.exit(code or 0)


def _no_empty_word(words: Sequence[str]) -> None:
    """Raises UserError if one is empty, as an unset variable is: for a path it would mean the folder one is in."""
    for before, word in zip(("tilewise", *words), words):
        if not word or (word.startswith("--") and word.endswith("=")):
            where = word or f"what follows {before}"
            raise UserError(f"{where} is empty; write what is meant there, or leave it out")


def _say(error: Exception) -> int:
    """Print one sentence on standard error and return the exit status that goes with it."""
    if hasattr(error, "format_message"):  # raised by typer, or by click in older versions
        said = error.format_message().partition(", unable to parse")[0].rstrip(".")  # what follows says it again
        then = " " if said.endswith("?") else "; "
        sentence, code = f"{said}{then}`{_path(error)} --help` shows what there is", 2
    elif isinstance(error, UserError):
        sentence, code = str(error), 2
    elif isinstance(error, OSError) and error.strerror:
        sentence, code = f"{error.filename or 'the disk'}: {error.strerror}; mend that and start the command again", 2
    elif isinstance(error, ModuleNotFoundError):
        sentence, code = f"{error.name} is not installed; `tilewise doctor` names the command that installs it", 1
    else:
        last = (str(error).strip().splitlines() or ["no message"])[-1]
        again = "set TILEWISE_DEBUG=1 and start it again to see where"
        sentence, code = f"it failed with {type(error).__name__}: {last}; {again}", 1
    print(f"tilewise: {sentence}{'' if sentence.endswith('?') else '.'}", file=sys.stderr)
    return code


def _path(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if context else "tilewise"
