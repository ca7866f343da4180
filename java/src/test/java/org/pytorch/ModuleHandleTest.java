package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ModuleHandleTest {
  /** Counts how often it is freed, in place of freeing. */
  private static final class Counted extends ModuleHandle {
    final AtomicInteger freed = new AtomicInteger();

    Counted() {
      super(ModuleHandleTest.class, 7);
      Reclaimer.add(this);
    }

    @Override
    void free() {
      freed.incrementAndGet();
    }
  }

  @Test
  void closingFreesAtOnceWhenNobodyIsInside() {
    Counted handle = new Counted();
    assertEquals(7, handle.enter());
    handle.exit();
    assertTrue(handle.close());
    assertEquals(1, handle.freed.get());
    assertFalse(handle.close());
    assertThrows(IllegalStateException.class, handle::join);
    assertThrows(IllegalStateException.class, handle::enter);
    assertEquals(1, handle.freed.get());
  }

  @Test
  void theLastUserFrees() {
    Counted handle = new Counted();
    int place = handle.join();
    handle.enter();
    handle.close();
    assertThrows(IllegalStateException.class, handle::join);
    handle.exit();
    assertEquals(0, handle.freed.get());
    handle.leave(place);
    assertEquals(1, handle.freed.get());
  }

  @Test
  void aPlaceMayBeLeftByAnotherThread() throws InterruptedException {
    Counted handle = new Counted();
    int place = handle.join();
    handle.close();
    Thread other = new Thread(() -> handle.leave(place));
    other.start();
    other.join();
    assertEquals(1, handle.freed.get());
  }

  @Test
  void itIsFreedOnceAndNeverUnderAUser() throws InterruptedException {
    AtomicInteger faults = new AtomicInteger();
    for (int round = 0; round < 300; round++) {
      Counted handle = new Counted();
      List<Thread> users = new ArrayList<>();
      CountDownLatch inside = new CountDownLatch(1);
      for (int i = 0; i < 4; i++) {
        users.add(new Thread(() -> use(handle, inside, faults)));
        users.get(i).start();
      }
      inside.await();
      handle.close();
      for (Thread user : users) {
        user.join();
      }
      assertEquals(1, handle.freed.get(), "round " + round);
    }
    assertEquals(0, faults.get());
  }

  private static void use(Counted handle, CountDownLatch inside, AtomicInteger faults) {
    try {
      while (true) {
        int place = handle.join();
        faults.addAndGet(handle.freed.get());
        inside.countDown();
        faults.addAndGet(handle.freed.get());
        handle.leave(place);
      }
    } catch (IllegalStateException e) {
      assertEquals("module is closed", e.getMessage());
    }
  }
}
