"""Lies in the environment's etc/ipython: every kernel has the course loaded, also one that was started again."""

c = get_config()  # type: ignore[name-defined]  # noqa: F821
c.InteractiveShellApp.extensions.append("autograder.notebook.extension")
