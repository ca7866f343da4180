package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Every kind of IValue against every question, every getter and every other kind. */
class IValueKindsTest {
  private static final Tensor TENSOR = Tensor.fromBlob(new int[] {1}, new long[] {1});
  private static final IValue ONE = IValue.from(1);
  private static final Set<IValue.Kind> DICTS =
      EnumSet.of(IValue.Kind.DICT, IValue.Kind.DICT_STRING_KEY, IValue.Kind.DICT_LONG_KEY);
  private static final Set<IValue.Kind> TUPLES =
      EnumSet.of(IValue.Kind.TUPLE, IValue.Kind.NAMED_TUPLE);

  /** One value of each kind, made anew at each call; in the order of Kind. */
  private static Map<IValue.Kind, IValue> samples() {
    IValue[] values = {IValue.optionalNull(), IValue.from(TENSOR), IValue.from(true),
        IValue.from(7L), IValue.from(0.5), IValue.from("s"), IValue.tupleFrom(ONE, ONE),
        IValue.listFrom(true), IValue.listFrom(1L), IValue.listFrom(1.0), IValue.listFrom(TENSOR),
        IValue.listFrom(ONE), IValue.dictStringKeyFrom(Map.of("k", ONE)),
        IValue.dictLongKeyFrom(Map.of(3L, ONE)), IValue.dictFrom(Map.of(IValue.from(2.5), ONE)),
        IValue.complexFrom(1, 2), IValue.deviceFrom("cpu"),
        IValue.namedTupleFrom(new String[] {"x"}, ONE)};
    Map<IValue.Kind, IValue> samples = new EnumMap<>(IValue.Kind.class);
    for (int i = 0; i < values.length; i++) {
      assertEquals(IValue.Kind.values()[i], values[i].kind());
      samples.put(values[i].kind(), values[i]);
    }
    assertEquals(IValue.Kind.values().length, samples.size());
    return samples;
  }

  private static void asks(Predicate<IValue> question, Set<IValue.Kind> yes) {
    samples().forEach(
        (kind, value) -> assertEquals(yes.contains(kind), question.test(value), kind::name));
  }

  private static void asks(Predicate<IValue> question, IValue.Kind yes) {
    asks(question, EnumSet.of(yes));
  }

  @Test
  void everyQuestionHasItsKinds() {
    asks(IValue::isNull, IValue.Kind.NONE);
    asks(IValue::isTensor, IValue.Kind.TENSOR);
    asks(IValue::isBool, IValue.Kind.BOOL);
    asks(IValue::isLong, IValue.Kind.LONG);
    asks(IValue::isDouble, IValue.Kind.DOUBLE);
    asks(IValue::isString, IValue.Kind.STRING);
    asks(IValue::isTuple, TUPLES);
    asks(IValue::isNamedTuple, IValue.Kind.NAMED_TUPLE);
    asks(IValue::isBoolList, IValue.Kind.BOOL_LIST);
    asks(IValue::isLongList, IValue.Kind.LONG_LIST);
    asks(IValue::isDoubleList, IValue.Kind.DOUBLE_LIST);
    asks(IValue::isTensorList, IValue.Kind.TENSOR_LIST);
    asks(IValue::isList, IValue.Kind.LIST);
    asks(IValue::isDictStringKey, IValue.Kind.DICT_STRING_KEY);
    asks(IValue::isDictLongKey, IValue.Kind.DICT_LONG_KEY);
    asks(IValue::isDict, DICTS);
    asks(IValue::isComplex, IValue.Kind.COMPLEX);
    asks(IValue::isDevice, IValue.Kind.DEVICE);
  }

  /** The getter works for its kinds; for each other kind it says so in the official words. */
  private static void gives(
      Function<IValue, Object> getter, String wanted, Set<IValue.Kind> kinds) {
    List<String> names = List.of("Null", "Tensor", "Bool", "Long", "Double", "String", "Tuple",
        "BoolList", "LongList", "DoubleList", "TensorList", "GenericList", "DictStringKey",
        "DictLongKey", "Dict", "Complex", "Device", "NamedTuple");
    samples().forEach((kind, value) -> {
      if (kinds.contains(kind)) {
        assertNotEquals(null, getter.apply(value), kind::name);
        return;
      }
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> getter.apply(value), kind::name);
      assertEquals("Expected IValue type " + wanted + ", actual type " + names.get(kind.ordinal()),
          e.getMessage());
    });
  }

  private static void gives(Function<IValue, Object> getter, String wanted, IValue.Kind kind) {
    gives(getter, wanted, EnumSet.of(kind));
  }

  @Test
  void everyGetterRefusesEveryOtherKind() {
    gives(IValue::toTensor, "Tensor", IValue.Kind.TENSOR);
    gives(IValue::toBool, "Bool", IValue.Kind.BOOL);
    gives(IValue::toLong, "Long", IValue.Kind.LONG);
    gives(IValue::toDouble, "Double", IValue.Kind.DOUBLE);
    gives(IValue::toStr, "String", IValue.Kind.STRING);
    gives(IValue::toTuple, "Tuple", TUPLES);
    gives(IValue::fieldNames, "NamedTuple", IValue.Kind.NAMED_TUPLE);
    gives(IValue::toBoolList, "BoolList", IValue.Kind.BOOL_LIST);
    gives(IValue::toLongList, "LongList", IValue.Kind.LONG_LIST);
    gives(IValue::toDoubleList, "DoubleList", IValue.Kind.DOUBLE_LIST);
    gives(IValue::toTensorList, "TensorList", IValue.Kind.TENSOR_LIST);
    gives(IValue::toList, "GenericList", IValue.Kind.LIST);
    gives(IValue::toDictStringKey, "DictStringKey", IValue.Kind.DICT_STRING_KEY);
    gives(IValue::toDictLongKey, "DictLongKey", IValue.Kind.DICT_LONG_KEY);
    gives(IValue::toDict, "Dict", DICTS);
    gives(IValue::toComplex, "Complex", IValue.Kind.COMPLEX);
    gives(IValue::toDevice, "Device", IValue.Kind.DEVICE);
  }

  @Test
  void equalToItsLikeAndToNoOtherKind() {
    Map<IValue.Kind, IValue> again = samples();
    samples().forEach((kind, value) -> again.forEach((other, like) -> {
      assertEquals(kind == other, value.equals(like), () -> kind + " and " + other);
      assertTrue(kind != other || value.hashCode() == like.hashCode(), kind::name);
    }));
    assertNotEquals(ONE, "1");
    assertNotEquals(ONE, null);
  }

  @Test
  void everyKindPrints() {
    List<String> texts = List.of("None", "Tensor([1], dtype=torch.int32) [1]", "True", "7", "0.5",
        "\"s\"", "(1, 1)", "[True]", "[1]", "[1.0]", "[Tensor([1], dtype=torch.int32) [1]]", "[1]",
        "{\"k\": 1}", "{3: 1}", "{2.5: 1}", "1.0+2.0j", "cpu", "(x=1)");
    samples().forEach((kind, value) -> assertEquals(texts.get(kind.ordinal()), value.toString()));
  }

  @Test
  void tensorsAndTensorListsStayTheSameObjects() {
    assertSame(TENSOR, IValue.from(TENSOR).toTensor());
    Tensor[] list = {TENSOR, TENSOR};
    assertSame(list, IValue.listFrom(list).toTensorList());
  }
}
