"""pytest plugin: the fixture java_module and the assertion assert_same_in_java.

pytest loads this module in every project that has torch4j installed. It imports neither torch nor a JVM: what needs
them stands in `torch4j._testing` and is imported when a test asks for it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from torch4j._testing.session import Jvm

__all__ = ["assert_same_in_java", "java_module"]

_LIBTORCH = "libtorch_cpu.so"
_OPTION = "-Dtorch4j.libtorch="


class _Plugin:
    """The state of one session: its options, and its JVM once there is one."""

    def __init__(self, options: list[str], in_child: bool) -> None:
        self.options = options
        self.in_child = in_child
        self._jvm: Jvm | None = None

    @property
    def started(self) -> Jvm | None:
        """The JVM, if a test asked for it."""
        return self._jvm

    @property
    def jvm(self) -> Jvm:
        """The JVM, which starts when it is first used."""
        if self._jvm is None:
            from torch4j._testing.session import Jvm

            self._jvm = Jvm(self.options, self.in_child)
        return self._jvm


# assert_same_in_java is imported by tests, and reaches its session through this. Sessions nest under pytester.
_SESSIONS: list[_Plugin] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the JVM."""
    group = parser.getgroup("torch4j", "models in Java")
    group.addoption(
        "--java-option", action="append", default=[], metavar="OPTION", help="an option of the JVM, repeatable"
    )
    group.addoption("--java-child", action="store_true", help="run Java in a process of its own")


def pytest_configure(config: pytest.Config) -> None:
    """Begin a session; start nothing."""
    _SESSIONS.append(_Plugin(config.getoption("--java-option"), config.getoption("--java-child")))


def pytest_unconfigure() -> None:
    """End the session's child, if it has one; Ctrl-C comes here too."""
    if _SESSIONS:
        jvm = _SESSIONS.pop().started
        if jvm is not None:
            jvm.close()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say which libtorch both sides will use, and what is in the JVM's way."""
    session = _SESSIONS[-1]
    python = _libtorch_of_python()
    java = _libtorch_of_java(session.options) or python
    lines = [f"torch4j: Python and Java will map {python}"]
    if java != python:
        lines = [
            f"torch4j: Python will map {python}, Java will map {java}: not the same file; "
            f"unset LIBTORCH_HOME and {_OPTION[:-1]}, or point them to Python's"
        ]
    if config.pluginmanager.hasplugin("faulthandler") and not session.in_child:
        lines.append(
            "torch4j: faulthandler is on. The JVM uses SIGSEGV for its own purposes, and faulthandler prints a crash "
            "for each: add -p no:faulthandler, or --java-child"
        )
    return lines


def _libtorch_of_python() -> str:
    spec = find_spec("torch")  # looks for it without importing it
    if spec is None or spec.origin is None:
        return "no libtorch: torch is not installed"
    return str((Path(spec.origin).parent / "lib" / _LIBTORCH).resolve())


def _libtorch_of_java(options: list[str]) -> str | None:
    """Return the libtorch that Java is told to use; None is Python's, which is loaded before."""
    told = [option.removeprefix(_OPTION) for option in options if option.startswith(_OPTION)]
    folder = told[-1] if told else os.environ.get("LIBTORCH_HOME")
    if not folder:
        return None
    places = (Path(folder) / "lib" / _LIBTORCH, Path(folder) / _LIBTORCH)
    return str(next((place for place in places if place.is_file()), places[0]).resolve())


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say which libtorch each side has mapped, when a JVM was started."""
    jvm = _SESSIONS[-1].started
    if jvm is None:
        return
    with contextlib.suppress(RuntimeError):  # of a child that died: its test has told
        for side, files in jvm.libraries().items():
            terminalreporter.write_line(f"torch4j: {side} mapped {' and '.join(files[_LIBTORCH]) or 'no libtorch'}")


@pytest.fixture
def java_module() -> Iterator[Callable[..., Any]]:
    """Return a function that gives a model as a Java module, which is closed at the end of the test.

    ``java_module(model_or_path, *example_inputs, **load_options)`` returns a `torch4j.java.Module`, or with
    ``--java-child`` an object with the same methods. A module is scripted or, where that is refused, traced with
    the example inputs.
    """
    with contextlib.ExitStack() as stack:

        def load(model_or_path: Any, *example_inputs: Any, **load_options: Any) -> Any:
            return stack.enter_context(_SESSIONS[-1].jvm.module(model_or_path, example_inputs, load_options))

        yield load


def assert_same_in_java(model_or_path: Any, *inputs: Any, tolerance: Any = None, **kwargs: Any) -> None:
    """Assert that Java answers as Python does: structure, dtype, shape, memory format and values.

    Both sides run the same file, with the same seed, three times.

    Args:
        model_or_path: a TorchScript file; or a module, which is scripted or, where that is refused, traced.
        inputs: arguments of ``forward``.
        tolerance: None for equality to the bit; "default", a number, or text, as `torch4j.verify` takes it.
        kwargs: further arguments of ``forward``, by name.

    Raises:
        AssertionError: with the first element that differs, and fingerprints of inputs and outputs on both sides.
        FileNotFoundError, TypeError, ValueError: when there is no such model.
    """
    __tracebackhide__ = True
    from torch4j._testing.assertion import difference

    jvm = _SESSIONS[-1].jvm if _SESSIONS else _Plugin([], False).jvm
    found = difference(jvm, model_or_path, inputs, kwargs, tolerance)
    if found is not None:
        raise AssertionError(found)
