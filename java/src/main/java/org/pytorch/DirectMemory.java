package org.pytorch;

import java.lang.management.ManagementFactory;

/** How much direct buffers may hold. Looked up only by who needs it: JMX is slow to load. */
final class DirectMemory {
  private static final long LIMIT = find();

  private DirectMemory() {}

  /** -XX:MaxDirectMemorySize, which is as much as -Xmx by default. */
  static long limit() {
    return LIMIT;
  }

  private static long find() {
    try {
      String value =
          ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class)
              .getVMOption("MaxDirectMemorySize")
              .getValue();
      long set = Long.parseLong(value);
      return set > 0 ? set : Runtime.getRuntime().maxMemory();
    } catch (RuntimeException | LinkageError e) {
      return Runtime.getRuntime().maxMemory(); // no HotSpot, or no jdk.management
    }
  }
}
