"""Java's answers in Python: starts the JVM in this process and runs models through the public Java API.

Values go through the factories and getters that a Java user calls, and never through a shared handle:
what comes back is what Java saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jpype
import numpy
import torch

from torch4j._java_command import jvm_flags, jvm_library, supported_java
from torch4j._mapped import check_one_libtorch
from torch4j._paths import jar_path, native_library
from torch4j._to_java import Arguments, tensor_to_java, to_java
from torch4j._to_python import tensor_to_python, to_python

__all__ = ["Module", "start_jvm", "tensor_to_java", "tensor_to_python", "to_java", "to_python"]


def _warm_up() -> None:
    """Let numpy and torch start their threads before the JVM changes signal handlers and stack limits.

    BLAS and oneDNN, which is behind convolutions, each start theirs and make their code when first used.
    """
    side = 256  # smaller products run on the calling thread alone and start none
    numpy.ones((side, side)) @ numpy.ones((side, side))
    with torch.inference_mode():
        torch.ones(side, side) @ torch.ones(side, side)
        torch.nn.functional.conv2d(torch.ones(1, 3, side, side), torch.ones(8, 3, 3, 3))


def start_jvm(*options: str, class_path: Sequence[str | Path] = ()) -> None:
    """Start the JVM of this process with torch4j on its class path. Does nothing when that has been done.

    Args:
        options: options of the JVM, such as ``-Xcheck:jni``.
        class_path: further entries of the class path.

    Raises:
        FileNotFoundError: without a Java or without the files of torch4j.
        RuntimeError: when a JVM without torch4j runs already, when Java is older than 17, or when
            Python and Java use two libtorch.
    """
    if not jpype.isJVMStarted():
        _warm_up()
        java, major = supported_java()
        jpype.startJVM(
            *jvm_flags(major),
            f"-Dtorch4j.library={native_library()}",
            *options,
            classpath=[str(jar_path()), *(str(entry) for entry in class_path)],
            convertStrings=False,
            # The one that java_command names: JPype's own search does not look at PATH.
            jvmpath=str(jvm_library(java)),
        )
    try:
        java_class("Torch").version()
    except TypeError:
        raise RuntimeError(
            "a JVM runs in this process that has no torch4j on its class path: "
            "call torch4j.java.start_jvm() first, or add torch4j.jar_path() to its class path"
        ) from None
    check_one_libtorch()


def java_class(name: str) -> Any:
    """Return a class of org.pytorch."""
    return jpype.JClass(f"org.pytorch.{name}")


def _device(value: Any) -> Any:
    known = {str(device.name()).lower(): device for device in java_class("Device").values()}
    if str(value).lower() not in known:
        raise ValueError(f"load option device: got {str(value)!r}; expected one of {sorted(known)}")
    return known[str(value).lower()]


def _load_options(options: dict[str, Any]) -> Any:
    java_options = java_class("LoadOptions").defaults()
    setters = {
        "device": lambda o, v: o.withDevice(_device(v)),
        "extra_files": lambda o, v: o.withExtraFiles(list(v)),
        "freeze": lambda o, v: o.withFreeze(v),
        "optimize_for_inference": lambda o, v: o.withOptimizeForInference(v),
    }
    for name, value in options.items():
        if name not in setters:
            raise TypeError(f"unknown load option {name!r}; expected one of {sorted(setters)}")
        java_options = setters[name](java_options, value)
    return java_options


class Module:
    """A model loaded by Java's ``org.pytorch.Module``, called with Python values.

    Exceptions of Java come out as jpype's Java exceptions, such as ``org.pytorch.SchemaException``.
    """

    def __init__(self, path: str | Path, **load_options: Any) -> None:
        """Load a model.

        Args:
            path: a TorchScript archive.
            load_options: ``device`` ("cpu"), ``extra_files`` (names), ``freeze``,
                ``optimize_for_inference`` (bool).
        """
        start_jvm()
        file = jpype.java.nio.file.Path.of(str(path))
        self.java = java_class("Module").load(file, _load_options(load_options))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward``."""
        return self.run_method("forward", *args, **kwargs)

    def run_method(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Run a method with Python values; return what it returns as the value TorchScript would give."""
        with Arguments() as arguments:
            result = self._run(
                name,
                [arguments.add(value) for value in args],
                {key: arguments.add(value) for key, value in kwargs.items()},
            )
            return to_python(result)

    def _run(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if kwargs:
            named = jpype.java.util.LinkedHashMap()
            for key, value in kwargs.items():
                named.put(key, value)
            return self.java.call(name, jpype.java.util.Arrays.asList(args), named)
        values = jpype.JArray(java_class("IValue"))(args)
        return self.java.forward(values) if name == "forward" else self.java.runMethod(name, values)

    def methods(self) -> list[str]:
        """Return the names of the methods."""
        return [str(name) for name in self.java.methods()]

    def schema(self, name: str = "forward") -> str:
        """Return the signature of a method."""
        return str(self.java.schema(name).toString())

    def close(self) -> None:
        """Close the Java module."""
        self.java.close()

    def __enter__(self) -> Module:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()
