"""CASES.md, section B: loading says what is wrong, with the number of the row in each name."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import jpype
import pytest
import torch
from archives import add_digest, data_offset, flip_bit, rewrite
from children import answers, run_child
from same import assert_same
from test_failures import Scale
from test_install import elf
from torch4j.java import Module, java_class, tensor_to_java

ONNX_HEAD = b"\x08\x08\x12\x07pytorch\x1a\x052.1.0:\x10\n\x0e"
SAFETENSORS = b"\x40\0\0\0\0\0\0\0" + b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'.ljust(64) + b"\0\0\0\0"


@pytest.fixture
def other_files(tmp_path):
    """Make a file of each kind that is no TorchScript."""
    model = torch.nn.Linear(4, 2)
    torch.save(model.state_dict(), tmp_path / "state_dict")
    torch.save(model, tmp_path / "eager_pickle")
    torch.save(model.state_dict(), tmp_path / "legacy", _use_new_zipfile_serialization=False)
    torch.export.save(torch.export.export(model, (torch.rand(1, 4),)), tmp_path / "exported.pt2")
    files = {
        "onnx": ONNX_HEAD,
        "safetensors": SAFETENSORS,
        "html": b"\n<!DOCTYPE html><html>404</html>",
        "lfs": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
        "empty": b"",
        "text": b"hello",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    shutil.make_archive(str(tmp_path / "other"), "zip", Path(__file__).parent / "java")
    torch.jit.script(Scale()).save(str(tmp_path / "whole"))
    whole = (tmp_path / "whole").read_bytes()
    (tmp_path / "truncated").write_bytes(whole[: len(whole) // 2])
    aot = tmp_path / "aot"
    shutil.copy(tmp_path / "exported.pt2", aot)
    rewrite(aot, lambda name, content: {name: content, "data/aotinductor/model/x.wrapper.so": b""})
    return tmp_path


@pytest.mark.parametrize(
    ("file", "kind", "advice"),
    [
        ("state_dict", "a state dict", "load_state_dict"),
        ("legacy", "a state dict", "load_state_dict"),
        ("eager_pickle", "a pickled Python model", "torch.load it in Python"),
        ("exported.pt2", "an exported program", "torch.jit.script"),
        ("aot", "an AOTInductor package", "torch.jit.script"),
        ("onnx", "an ONNX model", "ONNX Runtime"),
        ("safetensors", "a safetensors file", "torch.jit.script"),
        ("html", "an HTML page", "download"),
        ("lfs", "a Git LFS pointer", "git lfs pull"),
        ("empty", "empty", "again"),
        ("text", "no model of torch", "torch.jit.script"),
        ("other.zip", "a zip archive, but no model of torch", "torch.jit.script"),
        ("truncated", "truncated or damaged", "again"),
    ],
)
def test_b1_b2_tells_what_the_file_is_and_what_to_do(jvm, other_files, file, kind, advice):
    with pytest.raises(java_exception("LoadException")) as told:
        Module(other_files / file)
    message = str(told.value)
    assert f"cannot load model '{other_files / file}': it is " in message
    assert kind in message
    assert advice in message
    assert java_class("ModelFile").of(jpype.java.nio.file.Path.of(str(other_files / "whole"))).kind().name() == (
        "TORCHSCRIPT"
    )


def java_exception(name):
    from torch4j.java import start_jvm

    start_jvm()
    return java_class(name)


def test_b2_every_flipped_bit_in_the_weights_is_found_and_the_member_named(jvm, saved):
    path = saved(torch.nn.Linear(4, 2))
    whole = path.read_bytes()
    start = data_offset(path, "data/0")
    for position in range(start, start + 32):
        flip_bit(path, position, position % 8)
        with pytest.raises(java_exception("LoadException"), match="member 'data/0': its CRC is"):
            Module(path)
        path.write_bytes(whole)
    Module(path).close()


def test_b2_tensors_of_every_size_are_checked(jvm, saved):
    """What is hashed in wide blocks, narrow ones and byte by byte, in one read of libtorch or several."""
    sizes = [*range(1, 70), 255, 256, 257, 1023, 4097, (1 << 18) - 1, (1 << 18) + 1, 3_000_001]
    model = torch.nn.Module()
    for i, size in enumerate(sizes):
        model.register_buffer(f"b{i}", torch.arange(size).to(torch.uint8))
    path = saved(model)
    with Module(path):
        pass
    whole = path.read_bytes()
    for i in (0, 40, 70, len(sizes) - 2, len(sizes) - 1):
        flip_bit(path, data_offset(path, f"data/{i}") + sizes[i] - 1)
        with pytest.raises(java_exception("LoadException"), match=f"member 'data/{i}': its CRC is"):
            Module(path)
        path.write_bytes(whole)


def test_b2_compressed_tensors_are_checked(jvm, saved):
    path = saved(torch.nn.Linear(40, 20))
    rewrite(path, lambda name, content: {name: content}, compression=zipfile.ZIP_DEFLATED)
    with Module(path):
        pass
    start = data_offset(path, "data/0")
    for position in range(start + 100, start + 104):
        whole = path.read_bytes()
        flip_bit(path, position)
        with pytest.raises(java_exception("LoadException"), match="member 'data/0'"):
            Module(path)
        path.write_bytes(whole)


def test_b2_the_check_can_be_switched_off(jvm, saved):
    path = saved(torch.nn.Linear(4, 2))
    flip_bit(path, data_offset(path, "data/0"))
    options = java_class("LoadOptions").defaults().withIntegrityCheck(False)
    java_class("Module").load(jpype.java.nio.file.Path.of(str(path)), options).close()


def test_b2_digest_of_the_exporter_is_compared_when_present(jvm, saved):
    path = saved(torch.nn.Linear(4, 2))
    add_digest(path)
    Module(path).close()
    rewrite(path, lambda name, content: {name: content[::-1] if name == "data/0" else content})
    with pytest.raises(java_exception("LoadException"), match="was changed after its export: its SHA-256"):
        Module(path)


def test_b3_all_missing_operators_are_named_with_the_way_to_load_them(jvm, saved):
    path = saved(Scale())
    add = b"\n  def more(self: __torch__.test_failures.Scale, x: Tensor) -> Tensor:\n"
    add += b"    y = ops.vision_like.nms(x)\n    return ops.audio_like.resample(y, 3)\n"
    rewrite(path, lambda name, code: {name: code + add if name.endswith("test_failures.py") else code})
    with pytest.raises(java_exception("LoadException")) as told:
        Module(path)
    assert "has no operator audio_like::resample, vision_like::nms." in str(told.value)
    assert "Torch.loadLibrary(path)" in str(told.value)


def test_b3_file_of_a_newer_torch_is_told(jvm, saved):
    path = saved(Scale())
    rewrite(path, lambda name, content: {name: b"99\n" if name.endswith("version") else content})
    with pytest.raises(java_exception("LoadException"), match="version 99.*maximum supported version"):
        Module(path)


OPERATOR = """
#include <ATen/ops/add.h>
#include <torch/library.h>
static at::Tensor twice(const at::Tensor& x) { return at::add(x, x); }
TORCH_LIBRARY(torch4j_test, m) { m.def("twice(Tensor x) -> Tensor", twice); }
"""


def test_b3_load_library_brings_custom_operators(tmp_path, saved):
    root = Path(torch.__file__).parent
    (tmp_path / "op.cpp").write_text(OPERATOR)
    library = tmp_path / "libop.so"
    command = [
        "g++",
        "-std=c++20",
        "-shared",
        "-fPIC",
        "-O0",
        f"-I{root}/include",
        f"-I{root}/include/torch/csrc/api/include",
        tmp_path / "op.cpp",
        "-o",
        library,
    ]
    subprocess.run([*command, f"-L{root}/lib", "-ltorch_cpu", "-lc10"], check=True)
    script = "import sys, torch; torch.ops.load_library(sys.argv[1])\n"
    script += "class M(torch.nn.Module):\n    def forward(self, x): return torch.ops.torch4j_test.twice(x)\n"
    script += "torch.jit.trace(M(), torch.ones(2)).save(sys.argv[2])\n"
    model = tmp_path / "custom.pt"
    subprocess.run([sys.executable, "-W", "ignore", "-c", script, library, model], check=True)
    told = answers(run_child("Operators", model, library))
    assert "has no operator torch4j_test::twice. Load the library" in told["before"]
    assert told["after"] == "[2.0, 4.0]"
    assert "no such file" in told["missing"]


def test_b4_saved_on_cuda_loads_on_the_cpu(jvm, saved):
    path = saved(torch.nn.Linear(2, 1))

    def on_cuda(name, content):
        cpu, cuda = (b"X" + len(word).to_bytes(4, "little") + word for word in (b"cpu", b"cuda:0"))
        assert name != "data.pkl" or cpu in content
        return {name: content.replace(cpu, cuda) if name.endswith(".pkl") else content}

    rewrite(path, on_cuda)
    with Module(path) as module:
        x = torch.ones(1, 2)
        assert module(x).shape == (1, 1)


class OnDevice(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.to(torch.device("cuda:1")) if x.dim() > 5 else x.to(torch.device("cpu"))


def test_b4_device_constants_are_told_without_building_the_model(jvm, saved):
    file = java_class("ModelFile").of(jpype.java.nio.file.Path.of(str(saved(OnDevice()))))
    assert [str(name) for name in file.devices()] == ["cpu", "cuda:1"]


def test_b6_extra_files_are_read_without_building_the_model(jvm, saved):
    large = bytes(range(256)) * 40_000
    path = saved(Scale(), _extra_files={"large.bin": large, "empty": b"", "a/b.txt": "ü"})
    found = java_class("ModelFile").of(jpype.java.nio.file.Path.of(str(path))).extraFiles()
    contents = {str(name): bytes(found.get(name)) for name in found.keySet()}
    assert contents == {"large.bin": large, "empty": b"", "a/b.txt": "ü".encode()}


def test_b5_stream_larger_than_memory_buffer(jvm, saved):
    big = torch.nn.Module()
    big = torch.jit.script(torch.nn.Linear(4200, 4200))
    path = saved(big)
    assert path.stat().st_size > 64 << 20
    with java_class("Module").load(
        jpype.java.nio.file.Files.newInputStream(jpype.java.nio.file.Path.of(str(path)))
    ) as m:
        assert list(m.parameters().get("weight").shape()) == [4200, 4200]


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_b7_names_with_cyrillic_blanks_and_emoji_also_under_lc_all_c(tmp_path, locale):
    folder = tmp_path / "модель 😀"
    folder.mkdir()
    torch.jit.script(Scale()).save(str(tmp_path / "scale.pt"))
    shutil.move(tmp_path / "scale.pt", folder / "сеть.pt")
    (tmp_path / "name.txt").write_text(str(folder / "сеть.pt"))
    env = {"LC_ALL": locale, "LANG": locale}
    told = answers(run_child("Names", tmp_path / "name.txt", env=env))
    assert told["loaded"] == "[allocate, forward, say]"
    assert "no such file" in told["missing"]


def test_b8_model_nested_400_deep_loads_runs_copies_and_closes_on_any_thread(tmp_path):
    path = tmp_path / "deep.pt"
    script = Path(__file__).parent / "deep_model.py"
    subprocess.run([sys.executable, "-W", "ignore", script, path], check=True)
    told = answers(run_child("Deep", path, jvm_options=["-Xss256k"]))
    assert told == {"main": "2.0 2.0 2.0 2.0 2.0", "thread": "2.0", "copy": "2.0"}


def test_b8_nesting_that_no_stack_can_hold_is_an_exception(jvm, saved):
    path = saved(Scale())
    deep = b"(" * 200_000 + b")" * 200_000
    rewrite(path, lambda name, code: {name: code + deep if name.endswith("test_failures.py") else code})
    with pytest.raises(java_exception("LoadException"), match="nested 200000 deep, more than a stack can hold"):
        Module(path)


class NoisyWhileTraining(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, bool]:
        return self.drop(self.norm(x)), self.training


def test_b9_saved_in_train_mode_answers_in_eval_mode(jvm, saved, tmp_path):
    model = NoisyWhileTraining()
    model.norm.running_mean.copy_(torch.tensor([1.0, -2.0, 0.5]))
    path = tmp_path / "train.pt"
    torch.jit.script(model.train()).save(str(path))
    assert torch.jit.load(str(path))(torch.ones(2, 3))[1], "the file itself is in train mode"
    x = torch.arange(6.0).reshape(2, 3)
    with Module(path) as java:
        assert_same(java(x), torch.jit.load(str(path)).eval()(x))


def test_d7_parameter_name_that_breaks_utf8_in_the_error_is_an_exception(jvm, saved):
    class Theta(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.x_θ = torch.nn.Parameter(torch.ones(1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.x_θ

    with pytest.raises(java_exception("LoadException"), match="cannot load model"):
        Module(saved(Theta()))


def test_library_needs_no_glibc_newer_than_libtorch_does():
    needed = {line.split("GLIBC_")[1].split()[0] for line in elf("--version-info").splitlines() if "GLIBC_2" in line}
    assert max(tuple(map(int, version.rstrip(")").split("."))) for version in needed) <= (2, 36)


def test_kinds_of_buffers_load_alike(jvm, saved):
    data = saved(Scale()).read_bytes()
    buffer = jpype.java.nio.ByteBuffer.allocate(len(data))
    buffer.put(jpype.JArray(jpype.JByte)([b - 256 if b > 127 else b for b in data]))
    buffer.flip()
    with java_class("Module").load(buffer.asReadOnlyBuffer()) as module:
        x = tensor_to_java(torch.ones(2))
        assert list(module.forward(x).toFloatArray()) == [1, 1]
