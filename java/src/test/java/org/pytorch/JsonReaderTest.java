package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** JSON that is right, and text that is none. */
class JsonReaderTest {
  @Test
  void everyKindOfValue() {
    Object read =
        JsonReader.read(" {\"a\" : [1, -2.5e3, true, false, null], \"\": {}, \"b\": []}\n");
    Map<String, Object> expected =
        Map.of("a", Arrays.asList(1.0, -2500.0, true, false, null), "", Map.of(), "b", List.of());
    assertEquals(expected, read);
  }

  @Test
  void escapesAndOtherCharacters() {
    assertEquals("\"\\/\b\f\n\r\tä€😀",
        JsonReader.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4€\\ud83d\\ude00\""));
  }

  @Test
  void textThatIsNoneTellsWhere() {
    for (String text : new String[] {"", "{", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\":1,}", "nul",
             "1 2", "\"\\x\"", "\"\\u12\"", "\"a", "\"\n\"", "--1", "[".repeat(200)}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> JsonReader.read(text)).getMessage();
      assertTrue(message.startsWith("no JSON: expected "), text + ": " + message);
    }
  }
}
