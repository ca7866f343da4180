package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** IValue, which needs no native library. */
class IValueTest {
  @Test
  void keepsScalars() {
    assertTrue(IValue.optionalNull().isNull());
    assertEquals(true, IValue.from(true).toBool());
    assertEquals(Long.MIN_VALUE, IValue.from(Long.MIN_VALUE).toLong());
    assertEquals(-0.0, IValue.from(-0.0).toDouble());
    assertEquals("a\0b😀", IValue.from("a\0b😀").toStr());
    assertArrayEquals(new double[] {1, -2}, IValue.complexFrom(1, -2).toComplex());
    assertEquals("cuda:1", IValue.deviceFrom("cuda:1").toDevice());
  }

  @Test
  void givesTheSameObjectBack() {
    long[] longs = {1, 2};
    assertSame(longs, IValue.listFrom(longs).toLongList());
    IValue[] tuple = {IValue.from(1), IValue.optionalNull()};
    assertSame(tuple, IValue.tupleFrom(tuple).toTuple());
    Map<String, IValue> map = new LinkedHashMap<>();
    assertSame(map, IValue.dictStringKeyFrom(map).toDictStringKey());
  }

  @Test
  void otherKindIsToldInTheOfficialWords() {
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> IValue.from(1).toTensor());
    assertEquals("Expected IValue type Tensor, actual type Long", e.getMessage());
    e = assertThrows(IllegalStateException.class, () -> IValue.listFrom(IValue.from(1)).toStr());
    assertEquals("Expected IValue type String, actual type GenericList", e.getMessage());
    e = assertThrows(IllegalStateException.class, () -> IValue.optionalNull().toDict());
    assertEquals("Expected IValue type Dict, actual type Null", e.getMessage());
  }

  @Test
  void listsHoldOneKindAndNone() {
    IllegalArgumentException e = assertThrows(
        IllegalArgumentException.class, () -> IValue.listFrom(IValue.from(1), IValue.from("a")));
    assertEquals("List must contain items of the same type", e.getMessage());
    IValue optional = IValue.listFrom(IValue.optionalNull(), IValue.from(1), IValue.optionalNull());
    assertEquals(3, optional.toList().length);
    assertEquals(2, IValue.listOf(List.of(IValue.from(1), IValue.from("a"))).toList().length);
  }

  @Test
  void nullIsRefusedByName() {
    NullPointerException e =
        assertThrows(NullPointerException.class, () -> IValue.from((String) null));
    assertEquals("value must be not null", e.getMessage());
    assertThrows(NullPointerException.class, () -> IValue.from((Tensor) null));
    assertThrows(NullPointerException.class, () -> IValue.listFrom((long[]) null));
    assertThrows(NullPointerException.class, () -> IValue.listFrom((Tensor) null));
    assertThrows(NullPointerException.class, () -> IValue.dictLongKeyFrom(null));
    e = assertThrows(NullPointerException.class, () -> IValue.tupleFrom(IValue.from(1), null));
    assertTrue(e.getMessage().startsWith("array[1] must be not null"), e.getMessage());
  }

  @Test
  void nullInDictsIsRefusedByName() {
    Map<String, IValue> map = new LinkedHashMap<>();
    map.put("k", null);
    NullPointerException e =
        assertThrows(NullPointerException.class, () -> IValue.dictStringKeyFrom(map));
    assertEquals("map[k] must be not null", e.getMessage());
    Map<Long, IValue> nullKey = new LinkedHashMap<>();
    nullKey.put(null, IValue.from(1));
    assertThrows(NullPointerException.class, () -> IValue.dictLongKeyFrom(nullKey));
  }

  /** Found by fuzzing: the message was null. */
  @Test
  void nullNamesAreRefusedByName() {
    NullPointerException e = assertThrows(NullPointerException.class,
        () -> IValue.namedTupleFrom(new String[] {null}, IValue.from(1)));
    assertTrue(e.getMessage().startsWith("names[0] must be not null"), e.getMessage());
    e = assertThrows(
        NullPointerException.class, () -> LoadOptions.defaults().withExtraFiles((String[]) null));
    assertEquals("names must be not null", e.getMessage());
  }

  @Test
  void namedTupleIsATupleWithNames() {
    IValue point =
        IValue.namedTupleFrom(new String[] {"x", "y"}, IValue.from(1.5), IValue.from(2.0));
    assertTrue(point.isTuple() && point.isNamedTuple());
    assertEquals(List.of("x", "y"), point.fieldNames());
    assertEquals(2.0, point.toTuple()[1].toDouble());
    assertEquals("(x=1.5, y=2.0)", point.toString());
    assertThrows(IllegalArgumentException.class, () -> IValue.namedTupleFrom(new String[] {"x"}));
  }

  @Test
  void dictsOfAnyKeyInOrder() {
    Map<IValue, IValue> map = new LinkedHashMap<>();
    map.put(IValue.from(2.5), IValue.from("z"));
    map.put(IValue.from(-1.0), IValue.from("a"));
    assertEquals("{2.5: \"z\", -1.0: \"a\"}", IValue.dictFrom(map).toString());
    IValue strings = IValue.dictStringKeyFrom(Map.of("k", IValue.from(1)));
    assertEquals(IValue.from(1), strings.toDict().get(IValue.from("k")));
  }

  @Test
  void printsAsTorchScriptDoes() {
    assertEquals("None", IValue.optionalNull().toString());
    assertEquals("[True, False]", IValue.listFrom(true, false).toString());
    assertEquals("(1,)", IValue.tupleFrom(IValue.from(1)).toString());
    assertEquals("\"a\\\"b\"", IValue.from("a\"b").toString());
    assertEquals("1.0-2.0j", IValue.complexFrom(1, -2).toString());
    assertTrue(IValue.listFrom(new long[100]).toString().endsWith("... 100 in all]"));
  }

  @Test
  void equalsByKindAndContent() {
    assertEquals(IValue.listFrom(1L, 2L), IValue.listFrom(1L, 2L));
    assertEquals(IValue.listFrom(1L, 2L).hashCode(), IValue.listFrom(1L, 2L).hashCode());
    assertNotEquals(IValue.from(1), IValue.from(1.0));
    assertEquals(IValue.from(Double.NaN), IValue.from(Double.NaN));
    assertNotEquals(IValue.from(0.0), IValue.from(-0.0));
    assertEquals(IValue.tupleFrom(IValue.from("a"), IValue.listFrom(true)),
        IValue.tupleFrom(IValue.from("a"), IValue.listFrom(true)));
  }
}
