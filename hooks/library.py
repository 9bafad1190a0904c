"""Find the library that belongs to this plugin, and call one function of it.

The launcher starts every entry isolated and without site packages, so nothing of the user's project, environment or
home can be imported by accident: the plugin's own tree is inserted here, by path.
"""

import gc
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def tree():
    """The directory that holds the ``hipocampus`` package: the top of a checkout, or the site-packages of a wheel.

    In the latter the plugin lies at ``hipocampus/plugin``.
    """
    plugin = os.path.dirname(HERE)
    inside = os.path.join(plugin, "hipocampus", "__init__.py")
    return plugin if os.path.isfile(inside) else os.path.dirname(os.path.dirname(plugin))


def use_tree():
    while HERE in sys.path:
        sys.path.remove(HERE)
    sys.path.append(tree())  # last: beside an installed package others may have names of the standard library


def hook(entry):
    """Run one hook and leave with exit status 0, whatever happens.

    It is over before there is much garbage: collecting while modules are read takes a twentieth of its time. What runs
    longer switches it on again.
    """
    gc.disable()
    kept = None
    try:
        import kept_code

        use_tree()
        kept = kept_code.use(entry, tree())
        from hipocampus.hooks.runner import main

        main(entry, sys.argv[1:])
        kept.keep()
    except BaseException as error:
        if kept is not None:
            kept.drop()
        if isinstance(error, Exception):
            _byte_code().drop()
        if entry == "session-start":
            say_broken(error)
    finally:
        os._exit(0)


def say_broken(error):
    """One line to the user: the runner reports its own failures, so this is a plugin that cannot even be imported."""
    import json

    line = f"hipocampus: memory is off, the plugin cannot start: {type(error).__name__}: {error}"
    os.write(1, (json.dumps({"systemMessage": line[:300]}) + "\n").encode("ascii"))


def _byte_code():
    """What gets rid of damaged byte code: nothing else is imported for that."""
    sys.path.insert(0, HERE)
    import byte_code

    return byte_code


def command():
    """Run the command line of this plugin; the exit status is the command's."""
    use_tree()
    try:
        from hipocampus.__main__ import command

        code = command(sys.argv[1:])
    except Exception as error:
        if not _byte_code().is_damaged(error):
            raise
        _byte_code().drop()
        sys.stderr.write("hipocampus: byte code was damaged and is gone now; run this again\n")
        code = 1
    sys.exit(code)
