"""CASES.md, section A: a test for each row, with its number in the name."""

from __future__ import annotations

import math
from collections import namedtuple

import jpype
import numpy
import pytest
import torch
from same import assert_same, bits
from scripted import compiled, identity
from torch4j.java import java_class, tensor_to_java


class Attention(torch.nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None, scale: float = 2.0) -> torch.Tensor | None:
        if mask is None:
            return None
        return x * mask * scale


def test_a2_none_defaults_and_names(in_java):
    x, mask = torch.rand(3), torch.rand(3)
    module = in_java(Attention())
    assert module(x) is None
    assert module(x, None) is None
    assert_same(module(x, mask), x * mask * 2)
    assert_same(module(x, scale=3, mask=mask), x * mask * 3)
    assert_same(module(mask=mask, x=x), x * mask * 2)


def test_a2_none_inside_containers(in_java):
    kind = "Tuple[Optional[int], List[Optional[Tensor]], Dict[str, Optional[float]]]"
    value = (None, [None, torch.ones(2), None], {"a": None, "b": 1.5})
    assert_same(in_java(identity(kind))(value), value)


NAMED = """
class Shape(NamedTuple):
    inner: Tuple[int, int]
    label: Optional[str]


class Made(torch.nn.Module):
    def forward(self, shape: Shape) -> Dict[str, Shape]:
        return {"same": shape, "none": Shape((0, 1), None)}
"""
Shape = namedtuple("Shape", ["inner", "label"])


def test_a3_named_tuple_in_out_and_nested(in_java):
    module = in_java(compiled(NAMED))
    for given in (Shape((1, 2), "x"), ((1, 2), "x")):
        result = module(given)
        assert result["same"]._fields == ("inner", "label")
        assert_same(result, {"same": Shape((1, 2), "x"), "none": Shape((0, 1), None)})


@pytest.mark.parametrize(
    ("key", "keys"),
    [
        ("int", [5, -1, 0]),
        ("float", [2.5, -0.0, math.inf]),
        ("bool", [True, False]),
        ("str", ["z", "", "a😀"]),
        ("complex", [1j, 2 + 0j]),
    ],
)
def test_a4_dict_keys_keep_type_and_order(in_java, key, keys):
    value = {k: i for i, k in enumerate(keys)}
    result = in_java(identity(f"Dict[{key}, int]"))(value)
    assert_same(result, value)


def test_a4_int_keys_widen_where_the_schema_says_float(in_java):
    assert_same(in_java(identity("Dict[float, int]"))({1: 2}), {1.0: 2})


def test_a4_tensor_keys(in_java):
    keys = [torch.rand(2), torch.zeros(())]
    result = in_java(identity("Dict[Tensor, int]"))({keys[0]: 1, keys[1]: 2})
    assert_same(list(result), keys)
    assert list(result.values()) == [1, 2]


@pytest.mark.parametrize(
    ("kind", "empty"),
    [
        ("List[int]", []),
        ("List[Tensor]", []),
        ("List[Tuple[str, str]]", []),
        ("List[List[float]]", []),
        ("List[List[float]]", [[], []]),
        ("Dict[str, Tensor]", {}),
        ("Dict[int, List[str]]", {}),
        ("Dict[int, List[str]]", {1: []}),
        ("Tuple[List[bool], Dict[float, str]]", ([], {})),
    ],
)
def test_a5_empty_containers_are_typed_by_the_schema(in_java, kind, empty):
    assert_same(in_java(identity(kind))(empty), empty)


HALVES = [math.nan, math.inf, -math.inf, 6e-8, 5.96e-8, -0.0, 65504.0, 65504.0 + 1, 65520.0, 1.0 / 3]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a6_half_bits_widening_and_rounding(in_java, dtype):
    x = torch.tensor(HALVES, dtype=torch.float32)
    half = x.to(dtype)
    assert_same(in_java(identity("Tensor"))(half), half)
    make = "fromHalf" if dtype == torch.float16 else "fromBfloat16"
    floats = jpype.JArray(jpype.JFloat)(x.numpy())
    tensor = getattr(java_class("Tensor"), make)(floats, jpype.JArray(jpype.JLong)([len(HALVES)]))
    raw = numpy.array(tensor.toShortArray(), dtype=numpy.int16)
    assert raw.tolist() == half.view(torch.int16).tolist()
    widened = torch.from_numpy(numpy.array(tensor.toFloatArray(), dtype=numpy.float32))
    assert torch.equal(bits(widened), bits(half.to(torch.float32)))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a6_every_16_bit_pattern_goes_through(in_java, dtype):
    every = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16).view(dtype)
    assert_same(in_java(identity("Tensor"))(every), every)


class Compare(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x, torch.logical_not(x)


def test_a7_bool_is_zero_and_one_on_both_sides(in_java):
    x = torch.tensor([True, False, True])
    assert_same(in_java(Compare())(x), (x, ~x))
    raw = jpype.JArray(jpype.JByte)([0, 1, 2, -1])
    tensor = java_class("Tensor").fromBytes(java_class("DType").BOOL, raw, jpype.JArray(jpype.JLong)([4]))
    result = in_java(Compare()).java.forward(java_class("IValue").from_(tensor)).toTuple()
    assert list(result[0].toTensor().toByteArray()) == [0, 1, 1, 1]
    assert list(result[1].toTensor().toByteArray()) == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("dtype", "values"),
    [
        (torch.uint8, [0, 200, 255]),
        (torch.int16, [-(1 << 15), 32767]),
        (torch.uint16, [0, 65535]),
        (torch.uint32, [0, (1 << 32) - 1]),
        (torch.uint64, [0, (1 << 64) - 1]),
        (torch.complex64, [1 + 2j, complex(0, -0.0)]),
        (torch.complex128, [1e300 + 2j, complex(math.nan, math.inf)]),
    ],
)
def test_a8_each_dtype_is_its_own(in_java, dtype, values):
    x = torch.tensor(values, dtype=dtype)
    module = in_java(identity("Tensor"))
    assert_same(module(x), x)
    result = module.java.forward(tensor_to_java(x))
    assert str(result.dtype().name()) == str(dtype).removeprefix("torch.").upper()


class Layouts(torch.nn.Module):
    def forward(self, x: torch.Tensor, kind: str) -> torch.Tensor:
        if kind == "quantized":
            return torch.quantize_per_tensor(x, 0.1, 3, torch.quint8)
        if kind == "sparse":
            return x.to_sparse()
        if kind == "csr":
            return x.to_sparse_csr()
        if kind == "mkldnn":
            return x.to_mkldnn()
        if kind == "conjugate":
            return torch.complex(x, x).conj()
        if kind == "negative":
            return torch.complex(x, x).conj().imag
        if kind == "float8":
            return x.to(torch.float8_e5m2)
        return torch.empty([2], device="meta")


@pytest.mark.parametrize("kind", ["quantized", "sparse", "csr", "mkldnn", "conjugate", "negative"])
def test_a9_other_layouts_are_read_as_their_dense_value(in_java, kind):
    x = torch.tensor([[0.0, 1.5], [-0.25, 0.0]])
    expected = Layouts()(x, kind)
    if expected.is_quantized:
        expected = expected.dequantize()
    elif expected.layout != torch.strided:
        expected = expected.to_dense()
    assert_same(in_java(Layouts())(x, kind), expected)


@pytest.mark.parametrize(
    ("kind", "message"),
    [("float8", "outputs: dtype Float8_e5m2 has no"), ("meta", "outputs: a tensor on device meta")],
)
def test_a9_what_has_no_dense_value_is_refused_by_name(in_java, kind, message):
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match=message):
        in_java(Layouts())(torch.ones(2), kind)


class Strides(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        first = x[0, 0]
        strided = [first.t(), first[:, ::2], first[1], first.expand(2, 3, 4), first.flip(0), first[1:, 1:]]
        strided.append(x.contiguous(memory_format=torch.channels_last))
        strided.append(x.permute(3, 1, 0, 2))
        return strided


def test_a10_logical_order_out_of_any_strides(in_java):
    x = torch.rand(2, 3, 3, 4)
    expected = Strides()(x)
    assert_same(in_java(Strides())(x), expected)
    for given in (x.permute(1, 0, 3, 2).permute(1, 0, 3, 2), x.to(memory_format=torch.channels_last)):
        assert_same(in_java(Strides())(given), expected)


def test_a10_strides_can_be_asked_for(in_java):
    x = torch.rand(1, 1, 3, 4)
    tensors = in_java(Strides()).java.forward(java_class("IValue").from_(tensor_to_java(x))).toTensorList()
    for java, python in zip(tensors, Strides()(x)):
        assert tuple(java.stride()) == python.stride()
        assert bool(java.isContiguous()) == python.is_contiguous()


class Sums(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return x.sum(), x.new_zeros(0, 4), x


@pytest.mark.parametrize("x", [torch.tensor(3.5), torch.zeros(0, 4), torch.zeros(2, 0, 3)])
def test_a11_scalars_and_empty_shapes(in_java, x):
    module = in_java(Sums())
    assert_same(module(x), Sums()(x))
    scalar = module.java.forward(java_class("IValue").from_(tensor_to_java(x))).toTuple()[0].toTensor()
    assert len(scalar.shape()) == 0


@pytest.mark.parametrize("text", ["", "é😀", "a\0b", '\n\t"\\', "x" * (1 << 20), "\U0010ffff"])
def test_a13_strings_are_unchanged_both_ways(in_java, text):
    assert in_java(identity("str"))(text) == text
    assert in_java(identity("Dict[str, List[str]]"))({text: [text]}) == {text: [text]}


def test_a13_lone_surrogate_is_refused_by_name(in_java):
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match=r"lone surrogate \\udc00 at index 1"):
        in_java(identity("str"))("a\udc00")


class Tokenizer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.vocabulary: dict[str, int] = {"<unk>": 0, "ein": 1, "tensör": 2}

    def forward(self, texts: list[str]) -> dict[str, torch.Tensor]:
        ids: list[list[int]] = []
        width = 0
        for text in texts:
            row = [self.vocabulary.get(word, 0) for word in text.lower().split()]
            width = max(width, len(row))
            ids.append(row)
        mask: list[list[int]] = []
        for row in ids:
            mask.append([1] * len(row) + [0] * (width - len(row)))
            for _ in range(width - len(row)):
                row.append(0)
        return {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}


def test_a14_scripted_tokenizer(in_java):
    texts = ["Ein Tensör", "was", "ein ein TENSÖR ?"]
    # The scripted one is the oracle: TorchScript's lower() leaves letters beyond ASCII alone.
    assert_same(in_java(Tokenizer())(texts), torch.jit.script(Tokenizer())(texts))


class Typed(torch.nn.Module):
    def forward(self, x: torch.Tensor, n: int, f: float = 0.5, names: list[str] | None = None) -> float:
        return float(n) * f


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, r"argument 'x' \(Tensor\) is missing"),
        ((torch.ones(1),), {}, r"argument 'n' \(int\) is missing"),
        ((torch.ones(1), 1, 1.0, [], 5), {}, "takes at most 4 arguments, got 5"),
        (("text", 1), {}, "argument 'x': expected Tensor, got str"),
        ((torch.ones(1), 1.5), {}, "argument 'n': expected int, got float"),
        ((torch.ones(1), True), {}, "argument 'n': expected int, got bool"),
        (({"x": 1}, 1), {}, r"argument 'x': expected Tensor, got Dict\[str"),
        ((torch.ones(1), 1, "a"), {}, "argument 'f': expected float, got str"),
        ((torch.ones(1), 1, 1.0, [1]), {}, r"argument 'names'\[0\]: expected str, got int"),
        ((torch.ones(1), 1), {"n": 2}, "argument 'n' is given by position and by name"),
        ((torch.ones(1), 1), {"q": 2}, "has no argument 'q'"),
        ((None, 1), {}, "argument 'x': expected Tensor, got None"),
    ],
)
def test_a15_mismatches_are_told_by_name_with_the_signature(in_java, args, kwargs, message):
    with pytest.raises(java_class_exception("SchemaException"), match=message) as told:
        in_java(Typed())(*args, **kwargs)
    assert "Signature: forward(x: Tensor, n: int, f: float = 0.5, names: Optional[List[str]] = None) -> float" in str(
        told.value
    )


def java_class_exception(name):
    """Return a Java exception class; the JVM runs already when a test of this module is collected late."""
    from torch4j.java import start_jvm

    start_jvm()
    return java_class(name)


def test_a15_int_widens_to_float_as_in_python(in_java):
    assert in_java(Typed())(torch.ones(1), 3, 2) == 6.0
    assert_same(in_java(identity("List[float]"))([1, 2]), [1.0, 2.0])
    assert_same(in_java(identity("complex"))(2), 2 + 0j)
    assert_same(in_java(identity("Optional[List[Optional[float]]]"))([1, None]), [1.0, None])


class NoForward(torch.nn.Module):
    @torch.jit.export
    def encode(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1

    @torch.jit.export
    def decode(self, x: torch.Tensor) -> torch.Tensor:
        return x - 1


def test_a16_methods_without_forward(in_java):
    module = in_java(NoForward())
    assert sorted(module.methods()) == ["decode", "encode"]
    x = torch.rand(3)
    assert_same(module.run_method("encode", x), x + 1)
    assert module.schema("encode") == "encode(x: Tensor) -> Tensor"
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match="Undefined method forward"):
        module(x)


class Aliases(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(4.0))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        return x, x[1:], self.weight, self.weight.view(2, 2)


def test_a17_what_java_gets_can_be_written_without_changing_model_or_outputs(in_java):
    x = torch.arange(4.0)
    module = in_java(Aliases())
    given = java_class("IValue").from_(tensor_to_java(x))
    results = [value.toTensor() for value in module.java.forward(given).toTuple()]
    for result in results:
        array = result.getDataAsFloatArray()
        for index in range(len(array)):
            array[index] = -7.0  # the user's own copy
        assert result.asByteBuffer().isReadOnly()
        with pytest.raises(jpype.java.nio.ReadOnlyBufferException):
            result.asByteBuffer().putFloat(0, -7.0)
    assert_same(module(x), Aliases()(x))


def test_a18_ten_thousand_tensors_in_and_out(in_java):
    tensors = [torch.full((2,), float(i)) for i in range(10_000)]
    assert_same(in_java(identity("List[Tensor]"))(tensors), tensors)


def test_union_any_and_number(in_java):
    module = in_java(identity("Union[int, float, str, List[int]]"))
    for value in (1, 1.5, "a", [1, 2]):
        assert_same(module(value), value)
    anything = in_java(identity("Any"))
    for value in (None, True, 1, 1.5, 2j, "a", torch.ones(2), [1, 2], [torch.ones(1)], (1, "a", [2.5])):
        assert_same(anything(value), value)
    for value in ({"a": 1}, {2: [torch.ones(1)]}, [(1, "a"), (2, "b")], [], {}, [[1], [2]]):
        assert_same(anything(value), value)


class Unsupported:
    """A TorchScript class, which has no value in Java."""

    def __init__(self, n: int) -> None:
        self.n = n


class Objects(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[int, dict[str, list[Unsupported]]]:
        return 1, {"boxes": [Unsupported(1)]}


def test_a1_unsupported_kinds_are_refused_by_type_and_place(in_java):
    with pytest.raises(jpype.java.lang.IllegalArgumentException) as told:
        in_java(Objects())(torch.ones(1))
    assert 'outputs[1]["boxes"][0]: a ' in str(told.value)
    assert "Unsupported has no Java value" in str(told.value)


class Futures(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> list[torch.jit.Future[torch.Tensor]]:
        return [torch.jit.fork(torch.add, x, i) for i in range(3)]


def test_a1_futures_are_waited_for(in_java):
    x = torch.rand(4)
    assert_same(in_java(Futures())(x), [torch.add(x, i) for i in range(3)])


def test_devices(in_java):
    module = in_java(identity("Tuple[torch.device, List[torch.device]]"))
    value = (torch.device("cpu"), [torch.device("cuda:1")])
    assert module(value) == value


def test_value_nested_too_deep_is_an_exception(jvm, in_java):
    deep = java_class("IValue").from_(jpype.JLong(1))
    for _ in range(600):
        deep = java_class("IValue").tupleFrom(jpype.JArray(java_class("IValue"))([deep]))
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match="more than 500 deep"):
        in_java(identity("Any")).java.forward(jpype.JArray(java_class("IValue"))([deep]))
