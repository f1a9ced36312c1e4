"""JupyterLab on the learner's copies, with what stands in this folder as its configuration."""

from __future__ import annotations

import functools
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from ...spec.folders import CHECKOUT, ROOT
from ...spec.user_error import UserError

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

CONFIGURATION = Path(__file__).parent  # what a learner's JupyterLab does without: news, and a teacher's menus


def lab_server(copy: Path, no_browser: bool = False) -> ServerApp:
    """JupyterLab with this notebook open, ready to be started. Raises UserError if it is missing.

    no_browser: none is started on this machine, as where the browser is on another.
    """
    if CHECKOUT:  # so that a notebook finds the course where it is not installed
        _put_first("PYTHONPATH", ROOT)
    _put_first("JUPYTER_CONFIG_PATH", CONFIGURATION)
    try:
        from jupyterlab.labapp import LabApp  # type: ignore[import-untyped]
    except ImportError:
        raise UserError("JupyterLab is not installed; `tilewise doctor` names the command that installs it") from None
    # At this log level JupyterLab says where it can be reached, which is this notebook, and what goes wrong. As root,
    # often the only user of a container, it starts only if told to.
    options = ["--ServerApp.log_level=ERROR", "--LabApp.log_level=ERROR", f"--ServerApp.root_dir={copy.parent}"]
    options += [f"--LabApp.default_url=/lab/tree/{quote(copy.name)}", *(["--allow-root"] if os.geteuid() == 0 else [])]
    options += ["--no-browser"] if no_browser else []
    server: ServerApp = LabApp.initialize_server(argv=options)
    server.io_loop.add_callback(_start_kernel, server, copy.name)
    return server


async def _start_kernel(server: ServerApp, name: str) -> None:
    """Start the notebook's kernel before the browser asks for it.

    A page that has none yet drops the cells that are run in it, and asks which kernel is meant where the list of
    kernels is late. JupyterLab interrupts every kernel when it ends: this one ignores that from its first moment on,
    and not only once it has imported what lets it.
    """
    deaf = functools.partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    sessions = server.session_manager
    kernel = await server.kernel_manager.start_kernel(env=sessions.get_kernel_env(name, name), preexec_fn=deaf)
    await sessions.create_session(name, name, "notebook", kernel_id=kernel)


def _put_first(variable: str, path: Path) -> None:
    os.environ[variable] = os.pathsep.join(filter(None, [str(path), os.environ.get(variable)]))
