"""Tensors that the caller keeps: filled from arrays and buffers, and by forward, as torch's copy_ fills them."""

from __future__ import annotations

import jpype
import numpy
import pytest
import torch
from same import assert_same
from torch4j._dtypes import CROSSINGS
from torch4j.java import java_class, tensor_to_java, tensor_to_python

DTYPES = list(CROSSINGS)


def values(dtype, *shape):
    """Return a tensor of any bits, by seed; bools that are bools."""
    generator = torch.Generator().manual_seed(len(shape) + shape[-1])
    raw = torch.randint(0, 256, (*shape, dtype.itemsize), dtype=torch.uint8, generator=generator)
    if dtype == torch.bool:
        return raw[..., 0] > 127
    return raw.view(dtype)[..., 0]


def java_array(tensor):
    """Return the raw elements, in logical order, as the Java array that holds this dtype."""
    crossing = CROSSINGS[tensor.dtype]
    flat = tensor.contiguous().reshape(-1)
    if tensor.is_complex():
        flat = torch.view_as_real(flat).reshape(-1)
    return jpype.JArray(crossing.java_primitive)(flat.view(crossing.view).numpy())


def raw_bytes(tensor):
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def elements(tensor):
    """Return the elements; tensor_to_python closes what it is given, so it gets an alias."""
    return tensor_to_python(tensor.to(tensor.dtype()))


def zeros(dtype, *shape):
    return tensor_to_java(torch.zeros(shape, dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_copy_from_array_of_every_dtype(jvm, dtype):
    expected = values(dtype, 3, 5)
    tensor = zeros(dtype, 3, 5)
    tensor.copyFrom(java_array(expected))
    assert_same(elements(tensor), expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_copy_from_raw_bytes_of_every_dtype(jvm, dtype):
    expected = values(dtype, 4, 3)
    tensor = zeros(dtype, 4, 3)
    padded = numpy.frombuffer(b"\x55" * 7 + raw_bytes(expected), dtype=numpy.int8)
    tensor.copyFrom(jpype.JArray(jpype.JByte)(padded), 7)
    assert_same(elements(tensor), expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("direct", [False, True], ids=["heap", "direct"])
def test_copy_from_byte_buffer_moves_the_position(jvm, dtype, direct):
    expected = values(dtype, 2, 3)
    buffers = jpype.java.nio.ByteBuffer
    buffer = (buffers.allocateDirect if direct else buffers.allocate)(200).order(jpype.java.nio.ByteOrder.nativeOrder())
    buffer.position(16)
    buffer.put(jpype.JArray(jpype.JByte)(numpy.frombuffer(raw_bytes(expected), dtype=numpy.int8)))
    buffer.position(16)
    tensor = zeros(dtype, 2, 3)
    tensor.copyFrom(buffer)
    assert buffer.position() == 16 + expected.nbytes
    assert buffer.limit() == 200
    assert_same(elements(tensor), expected)


def test_copy_from_big_endian_buffer(jvm):
    expected = values(torch.int32, 6)
    buffer = jpype.java.nio.ByteBuffer.allocateDirect(24)
    buffer.asIntBuffer().put(java_array(expected))
    tensor = zeros(torch.int32, 6)
    tensor.copyFrom(buffer)
    assert_same(elements(tensor), expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_copy_from_floats_rounds_as_torch_does(jvm, dtype):
    wide = torch.cat([values(torch.float32, 5000), torch.tensor([65519.0, 65520.0, 1e-8, -0.0, torch.inf, torch.nan])])
    tensor = zeros(dtype, len(wide))
    tensor.copyFrom(jpype.JArray(jpype.JFloat)(wide.numpy()))
    assert_same(elements(tensor), wide.to(dtype))
    buffer = jpype.java.nio.FloatBuffer.wrap(jpype.JArray(jpype.JFloat)(wide.flip(0).numpy()))
    tensor.copyFrom(buffer)
    assert_same(elements(tensor), wide.flip(0).to(dtype))


def test_copy_from_follows_the_logical_order_of_any_strides(jvm):
    image = values(torch.float32, 2, 3, 4, 5)
    kept = tensor_to_java(torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last))
    kept.copyFrom(java_array(image))
    assert_same(elements(kept), image.to(memory_format=torch.channels_last))
    whole = zeros(torch.float32, 4, 6)
    part = whole.narrow(1, 2, 3)  # strided: only these columns change
    part.copyFrom(java_array(values(torch.float32, 4, 3)))
    expected = torch.zeros(4, 6)
    expected[:, 2:5] = values(torch.float32, 4, 3)
    assert_same(elements(whole), expected)


def test_large_arrays_are_copied_whole(jvm):
    """Pinned piece by piece: 1 MiB and more, with an odd rest, and from an odd start."""
    expected = values(torch.float32, 1_000_003)
    tensor = zeros(torch.float32, 1_000_003)
    tensor.copyFrom(java_array(torch.cat([torch.ones(5), expected])), 5)
    found = jpype.JArray(jpype.JFloat)(1_000_010)
    tensor.copyTo(found, 7)
    assert_same(torch.from_numpy(numpy.array(found)[7:]), expected)
    assert numpy.array(found)[:7].tolist() == [0] * 7


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: None, "array must be not null"),
        (lambda: jpype.JArray(jpype.JFloat)(5), "array must have 6 elements from index 0 on, for float32 of shape "),
        (lambda: jpype.JArray(jpype.JInt)(6), "cannot be filled from a int array: use an array of float, or of byte"),
        (lambda: jpype.JString("text"), "array must be a primitive array, got java.lang.String"),
    ],
)
def test_wrong_arrays_are_told_and_nothing_is_written(jvm, make, message):
    tensor = tensor_to_java(torch.ones(2, 3))
    with pytest.raises(jpype.JException, match=message):
        tensor.copyFrom(jpype.JObject(make()) if make() is None else make(), 0)
    assert_same(elements(tensor), torch.ones(2, 3))


def test_wrong_offsets_and_buffers_are_told(jvm):
    tensor = zeros(torch.float32, 2, 3)
    array = jpype.JArray(jpype.JFloat)(6)
    for offset in (-1, 1, 2**31 - 1):
        with pytest.raises(jpype.java.lang.IllegalArgumentException, match=f"6 elements from index {offset} on"):
            tensor.copyFrom(array, offset)
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match="6 elements remaining.*it has 5"):
        tensor.copyFrom(jpype.java.nio.FloatBuffer.allocate(5))
    with pytest.raises(jpype.java.lang.IllegalArgumentException):
        tensor.copyFrom(jpype.java.nio.IntBuffer.allocate(6))
    tensor.close()
    with pytest.raises(jpype.java.lang.IllegalStateException, match="tensor is closed"):
        tensor.copyFrom(array)


class Two(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x + y, x.sum(0)


class Pairs(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        return [x, x * 2]


class Number(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> int:
        return x.numel()


def tensors(*given):
    return jpype.JArray(java_class("Tensor"))([tensor_to_java(tensor) for tensor in given])


def test_forward_into_tensors_of_the_caller(in_java):
    linear = torch.jit.script(torch.nn.Linear(4, 2))
    module = in_java(linear).java
    outputs = tensors(torch.zeros(3, 2))
    for seed in range(5):
        x = torch.rand(3, 4, generator=torch.Generator().manual_seed(seed))
        module.forward(tensors(x), outputs)
        assert_same(elements(outputs[0]), linear(x).detach())


def test_forward_into_several_outputs(in_java):
    x, y = values(torch.int32, 2, 3), values(torch.int32, 2, 3)
    outputs = tensors(torch.zeros(2, 3, dtype=torch.int32), torch.zeros(3, dtype=torch.int64))
    in_java(Two()).java.forward(tensors(x, y), outputs)
    assert_same(elements(outputs[0]), x + y)
    assert_same(elements(outputs[1]), x.sum(0))
    listed = tensors(torch.zeros(2), torch.zeros(2))
    in_java(Pairs()).java.forward(tensors(torch.tensor([1.0, 2.0])), listed)
    assert_same(elements(listed[1]), torch.tensor([2.0, 4.0]))


def test_forward_into_a_direct_buffer(in_java):
    buffer = jpype.java.nio.ByteBuffer.allocateDirect(8).order(jpype.java.nio.ByteOrder.nativeOrder()).asFloatBuffer()
    output = java_class("Tensor").fromBlob(buffer, jpype.JArray(jpype.JLong)([2]))
    outputs = jpype.JArray(java_class("Tensor"))([tensor_to_java(torch.zeros(2)), output])
    in_java(Pairs()).java.forward(tensors(torch.tensor([1.5, -2.0])), outputs)
    assert [buffer.get(0), buffer.get(1)] == [3.0, -4.0]


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ([torch.ones(2)], "the model returned 2 tensors, the array has 1"),
        (
            [torch.ones(2), torch.ones(3)],
            r"outputs\[1\]: the model returned Float \[2\], the tensor given is Float \[3\]",
        ),
        ([torch.ones(2), torch.ones(2).double()], r"outputs\[1\]: .*the tensor given is Double"),
    ],
)
def test_outputs_that_do_not_fit_are_told_and_none_is_written(in_java, outputs, message):
    kept = tensors(*outputs)
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match=message):
        in_java(Pairs()).java.forward(tensors(torch.zeros(2)), kept)
    for after, before in zip(kept, outputs, strict=True):
        assert_same(elements(after), before)


def test_other_results_than_tensors_are_told(in_java):
    with pytest.raises(jpype.java.lang.IllegalStateException, match="Expected IValue type Tensor.*actual type Long"):
        in_java(Number()).java.forward(tensors(torch.zeros(2)), tensors(torch.zeros(2)))


def test_nothing_is_left_over_after_forward_into_outputs(in_java):
    module = in_java(Pairs()).java
    given, kept = tensors(torch.ones(2)), tensors(torch.zeros(2), torch.zeros(2))
    module.forward(given, kept)
    before = java_class("Torch").memoryStats().liveTensors()
    for _ in range(100):
        module.forward(given, kept)
    assert java_class("Torch").memoryStats().liveTensors() == before
    assert elements(kept[1]).tolist() == [2.0, 2.0]
