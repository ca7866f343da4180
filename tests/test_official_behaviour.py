"""Behaviour of the official Module and of its results that programs may lean on (API.md, section 2)."""

from __future__ import annotations

import jpype
import numpy
import pytest
import torch
from test_failures import Scale
from torch4j.java import java_class, tensor_to_java


class Several(torch.nn.Module):
    """Results of every official kind."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(4.0))
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x

    @torch.jit.export
    def none(self, x: torch.Tensor) -> torch.Tensor | None:
        return None

    @torch.jit.export
    def parameter(self, x: torch.Tensor) -> torch.Tensor:
        return self.weight

    @torch.jit.export
    def is_training(self, x: torch.Tensor) -> bool:
        return self.training

    @torch.jit.export
    def grad_mode(self, x: torch.Tensor) -> bool:
        return torch.is_grad_enabled() or (x * self.weight).requires_grad

    @torch.jit.export
    def empty_lists(self, x: torch.Tensor) -> tuple[list[bool], list[int], list[float], list[torch.Tensor]]:
        a: list[bool] = []
        b: list[int] = []
        c: list[float] = []
        d: list[torch.Tensor] = []
        return a, b, c, d

    @torch.jit.export
    def ordered(self, x: torch.Tensor) -> dict[str, int]:
        return {"z": 1, "a": 2, "m": 3}


@pytest.fixture
def load(jvm, saved):
    opened = []

    def open_module(module, *args, **kwargs):
        opened.append(java_class("Module").load(str(saved(module, **kwargs)), *args))
        return opened[-1]

    yield open_module
    for module in opened:
        module.destroy()


@pytest.fixture
def run(load):
    module = load(Several())

    def call(name, x=None):
        ivalue = java_class("IValue")
        x = torch.ones(4) if x is None else x
        return module.runMethod(name, ivalue.from_(tensor_to_java(x)))

    return call


def test_none_is_null(run):
    assert run("none").isNull()


def test_module_is_in_eval_mode_even_when_saved_in_train_mode_b9(run):
    assert not run("is_training").toBool()


def test_no_grad_and_results_never_require_it_c10(run):
    assert not run("grad_mode").toBool()
    assert list(run("parameter").toTensor().getDataAsFloatArray()) == [0, 1, 2, 3]


def test_empty_typed_lists_keep_their_kind(run):
    kinds = [str(value.kind().name()) for value in run("empty_lists").toTuple()]
    assert kinds == ["BOOL_LIST", "LONG_LIST", "DOUBLE_LIST", "TENSOR_LIST"]


def test_dict_keeps_the_order(run):
    assert [str(key) for key in run("ordered").toDictStringKey().keySet()] == ["z", "a", "m"]


@pytest.mark.parametrize(
    ("x", "memory_format"),
    [
        (torch.rand(1, 1, 2, 2), "CONTIGUOUS"),
        (torch.rand(2, 3, 1, 1), "CONTIGUOUS"),
        (torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last), "CHANNELS_LAST"),
        (torch.rand(2, 3, 4, 5, 6).to(memory_format=torch.channels_last_3d), "CHANNELS_LAST_3D"),
    ],
)
def test_memory_format_of_results(run, x, memory_format):
    result = run("forward", x).toTensor()
    assert str(result.memoryFormat().name()) == memory_format
    stored = x.permute(0, *range(2, x.dim()), 1) if memory_format != "CONTIGUOUS" else x
    assert list(result.getDataAsFloatArray()) == stored.reshape(-1).tolist()
    assert list(result.toFloatArray()) == x.reshape(-1).tolist()


def test_extra_files_are_filled_and_a_missing_one_becomes_empty(load):
    wanted = jpype.java.util.HashMap()
    for name in ("classes.txt", "empty.txt", "missing.txt"):
        wanted.put(name, "before")
    files = {"classes.txt": "α\nβ", "empty.txt": ""}
    load(Scale(), wanted, java_class("Device").CPU, _extra_files=files)
    found = {str(key): str(wanted.get(key)) for key in wanted.keySet()}
    assert found == {"classes.txt": "α\nβ", "empty.txt": "", "missing.txt": ""}


def test_unmodifiable_extra_files_are_refused_as_officially(load):
    wanted = jpype.java.util.Map.of("classes.txt", "")
    with pytest.raises(jpype.java.lang.UnsupportedOperationException):
        load(Scale(), wanted, java_class("Device").CPU)


def test_new_api_leaves_missing_extra_files_out_b6(jvm, saved):
    path = saved(Scale(), _extra_files={"binary": b"\x00\xff" * 9, "empty": b""})
    options = java_class("LoadOptions").defaults().withExtraFiles(["binary", "empty", "missing"])
    with java_class("Module").load(jpype.java.nio.file.Path.of(str(path)), options) as module:
        found = {str(key): bytes(module.extraFiles().get(key)) for key in module.extraFiles().keySet()}
    assert found == {"binary": b"\x00\xff" * 9, "empty": b""}


def test_b4_device_that_libtorch_lacks_is_refused(load):
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match="CPU only"):
        load(Scale(), None, java_class("Device").CUDA)


def test_b5_bytes_buffers_and_streams(jvm, saved):
    data = saved(Scale()).read_bytes()
    array = jpype.JArray(jpype.JByte)(numpy.frombuffer(data, dtype=numpy.int8))
    module = java_class("Module")
    direct = jpype.java.nio.ByteBuffer.allocateDirect(len(data) + 3)
    direct.position(3)
    direct.put(array)
    direct.position(3)
    for source in (array, direct, jpype.java.io.ByteArrayInputStream(array)):
        with module.load(source) as loaded:
            assert str(loaded.runMethod("say", java_class("IValue").from_("x")).toStr()) == "x"
    assert direct.position() == 3


def test_lite_loader_and_android_names(jvm, saved):
    module = java_class("LiteModuleLoader").load(str(saved(Scale())))
    assert "forward" in [str(name) for name in module.methods()]
    module.close()
    torch_class = java_class("Torch")
    before = torch_class.getNumThreads()
    java_class("PyTorchAndroid").setNumThreads(1)
    assert torch_class.getNumThreads() == 1
    torch_class.setNumThreads(before)
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match="cannot be less than 1"):
        java_class("PyTorchAndroid").setNumThreads(0)
    java_class("PyTorchCodegenLoader").loadNativeLibs()


def test_parameters_buffers_attributes_operators(load):
    module = load(Several())
    assert [str(name) for name in module.parameters()] == ["weight"]
    assert [str(name) for name in module.buffers()] == ["steps"]
    assert list(module.attribute("weight").toTensor().getDataAsFloatArray()) == [0, 1, 2, 3]
    assert "aten::mul.Tensor" in [str(name) for name in module.operators()]
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match="no attribute 'weight.x'"):
        module.attribute("weight.x")


def test_copy_has_attributes_of_its_own(load):
    class Counter(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        def forward(self) -> int:
            self.count += 1
            return self.count

    first = load(Counter())
    first.forward()
    second = first.copy()
    assert first.forward().toLong() == 2
    assert second.forward().toLong() == 2
    first.close()
    assert second.forward().toLong() == 3
    second.close()


def test_freeze_and_optimize_keep_the_answer(jvm, saved):
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU()).eval()
    path = jpype.java.nio.file.Path.of(str(saved(model)))
    x = torch.rand(1, 3, 6, 6)
    with torch.inference_mode():
        expected = model(x)
    for option in ("withFreeze", "withOptimizeForInference"):
        options = getattr(java_class("LoadOptions").defaults(), option)(True)
        with java_class("Module").load(path, options) as module:
            y = module.forward(tensor_to_java(x))
            result = torch.tensor(list(y.toFloatArray())).reshape(list(y.shape()))
            # Folding the batch norm into the convolution rounds otherwise.
            torch.testing.assert_close(result, expected, rtol=1e-5, atol=1e-6)


def test_traces_are_fields_and_not_the_message(load):
    module = load(Scale())
    ivalue = java_class("IValue")
    x = ivalue.from_(tensor_to_java(torch.ones(2)))
    with pytest.raises(java_class("ScriptException")) as told:
        module.forward(x, ivalue.from_(jpype.JDouble(-2)))
    assert str(told.value.getMessage()) == "ValueError: times must not be -2 €"
    assert 'raise ValueError("times must not be -2' in str(told.value.scriptTrace())
    with pytest.raises(java_class("ScriptException")) as told:
        module.forward(x, ivalue.from_(jpype.JDouble(-1)))
    assert "\n" not in str(told.value.getMessage())
    assert "x.reshape(7, 7)" in str(told.value.scriptTrace())
    caller = [str(frame.getMethodName()) for frame in told.value.getStackTrace()]
    assert caller.count("forward") == 1


def test_path_inside_a_jar_names_the_way(jvm, saved, tmp_path):
    path = jpype.java.nio.file.Path.of(str(saved(Scale())))
    archive = jpype.java.nio.file.FileSystems.newFileSystem(path)
    with pytest.raises(java_class("LoadException"), match="use Module.load.Files.newInputStream"):
        java_class("Module").load(archive.getPath("scale.pt"))
    archive.close()
