package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a scope closes, and what it keeps. */
class TensorScopeTest {
  private static Tensor tensor() {
    return Tensor.fromBlob(new float[] {1, 2}, new long[] {2});
  }

  @Test
  void everythingMadeInsideIsClosedAtTheEnd() {
    Tensor before = tensor();
    Tensor made;
    Tensor derived;
    try (TensorScope scope = TensorScope.open()) {
      made = tensor();
      derived = made.reshape(new long[] {2, 1});
      assertFalse(made.isClosed());
      scope.keep(before); // was never in it
    }
    assertTrue(made.isClosed());
    assertTrue(derived.isClosed());
    assertFalse(before.isClosed());
    before.close();
  }

  @Test
  void keptGoesToTheScopeAround() {
    Tensor kept;
    Tensor lost;
    try (TensorScope outer = TensorScope.open()) {
      try (TensorScope inner = TensorScope.open()) {
        kept = inner.keep(tensor());
        lost = tensor();
      }
      assertFalse(kept.isClosed());
      assertTrue(lost.isClosed());
      tensor().close(); // closed before the end: nothing happens twice
      assertEquals(2, kept.numel());
      assertFalse(outer == null);
    }
    assertTrue(kept.isClosed());
  }

  @Test
  void keptOutOfTheOutermostBelongsToTheCaller() {
    Tensor kept;
    try (TensorScope scope = TensorScope.open()) {
      kept = scope.keep(tensor());
    }
    assertEquals(2.0f, kept.toFloatArray()[1]);
    kept.close();
  }

  @Test
  void allTensorsInsideAValueAreKept() {
    IValue value;
    try (TensorScope scope = TensorScope.open()) {
      IValue named = IValue.namedTupleFrom(new String[] {"a"}, IValue.from(tensor()));
      IValue dict = IValue.dictFrom(Map.of(IValue.from(tensor()), IValue.listFrom(tensor())));
      IValue text = IValue.dictStringKeyFrom(Map.of("x", IValue.from(tensor())));
      value = scope.keep(IValue.tupleFrom(named, dict, text, IValue.from(1L)));
    }
    int[] count = new int[1];
    value.forEachTensor(tensor -> {
      assertFalse(tensor.isClosed());
      tensor.close();
      count[0]++;
    });
    assertEquals(4, count[0]);
  }

  @Test
  void viewsOfMemoryOutliveTheScope() {
    ByteBuffer bytes;
    try (TensorScope scope = TensorScope.open()) {
      bytes = scope.keep(tensor()).asByteBuffer();
      bytes = tensor().asByteBuffer();
    }
    assertEquals(2.0f, bytes.getFloat(4));
  }

  @Test
  void closingTheOuterClosesTheInner() {
    TensorScope outer = TensorScope.open();
    TensorScope inner = TensorScope.open();
    Tensor made = tensor();
    outer.close();
    assertTrue(made.isClosed());
    inner.close();
    Tensor free = tensor();
    assertThrows(IllegalStateException.class, () -> inner.keep(free));
    assertFalse(free.isClosed());
    free.close();
  }

  @Test
  void anotherThreadIsRefusedAndHasItsOwn() throws InterruptedException {
    AtomicReference<Throwable> refused = new AtomicReference<>();
    AtomicReference<Tensor> elsewhere = new AtomicReference<>();
    try (TensorScope scope = TensorScope.open()) {
      Thread thread = new Thread(() -> {
        elsewhere.set(tensor());
        refused.set(assertThrows(IllegalStateException.class, scope::close));
      });
      thread.start();
      thread.join();
    }
    assertTrue(refused.get().getMessage().startsWith("scope belongs to thread "));
    assertFalse(elsewhere.get().isClosed());
    elsewhere.get().close();
  }

  @Test
  void manyTensorsInOneScope() {
    long before = Reclaimer.live(NativeHandle.Kind.TENSOR);
    try (TensorScope scope = TensorScope.open()) {
      for (int i = 0; i < 1000; i++) {
        Tensor made = tensor();
        if (i % 3 == 0) {
          made.close();
        }
      }
      assertTrue(Reclaimer.live(NativeHandle.Kind.TENSOR) - before <= 666);
      scope.keep(tensor()).close();
    }
    assertTrue(Reclaimer.live(NativeHandle.Kind.TENSOR) <= before);
  }
}
