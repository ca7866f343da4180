package org.pytorch;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The JMX bean. A class of its own: JMX takes tens of milliseconds to load. */
final class MemoryBean implements TorchMemoryMXBean {
  static void register() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName(NAME);
      synchronized (MemoryBean.class) {
        if (!server.isRegistered(name)) {
          server.registerMBean(new MemoryBean(), name);
        }
      }
    } catch (JMException e) {
      throw new IllegalStateException("cannot register " + NAME + ": " + e.getMessage(), e);
    }
  }

  @Override
  public long getLiveTensors() {
    return MemoryStats.now().liveTensors();
  }

  @Override
  public long getLiveModules() {
    return MemoryStats.now().liveModules();
  }

  @Override
  public long getBytes() {
    return MemoryStats.now().bytes();
  }

  @Override
  public long getPeakBytes() {
    return MemoryStats.now().peakBytes();
  }

  @Override
  public long getCachedBytes() {
    return MemoryStats.now().cachedBytes();
  }

  @Override
  public long getLimitBytes() {
    return MemoryStats.now().limitBytes();
  }

  @Override
  public long getReclaimedByGc() {
    return MemoryStats.now().reclaimedByGc();
  }

  @Override
  public void releaseCache() {
    NativeTorch.releaseCache();
  }
}
