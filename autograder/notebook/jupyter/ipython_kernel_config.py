"""Lies in the environment's etc/ipython: every kernel has the course loaded, also one that was started again."""

c = get_config()  # type: ignore[name-defined]  # noqa: F821
c.InteractiveShellApp.extensions.append("autograder.notebook.extension")
c.IPKernelApp.log_level = "ERROR"  # a terminal with JupyterLab in it is not warned of each kernel's connection
