package org.pytorch;

import java.util.Map;

/** The official loader of the lite interpreter; here it loads what {@link Module#load} loads. */
public class LiteModuleLoader {
  private LiteModuleLoader() {}

  /**
   * As {@link Module#load(String, Map, Device)}.
   *
   * @param modelPath path of a TorchScript archive
   * @param extraFiles names asked for, and filled; null for none
   * @param device where the parameters go
   * @return the model
   */
  public static Module load(String modelPath, Map<String, String> extraFiles, Device device) {
    return Module.load(modelPath, extraFiles, device);
  }

  /**
   * As {@link Module#load(String)}.
   *
   * @param modelPath path of a TorchScript archive
   * @return the model
   */
  public static Module load(String modelPath) {
    return Module.load(modelPath);
  }
}
