package org.pytorch;

import java.util.List;

/** How a model is loaded. Immutable: each {@code with} method gives a new object. */
public final class LoadOptions {
  private static final LoadOptions DEFAULTS =
      new LoadOptions(Device.CPU, List.of(), false, false, true);

  private final Device device;
  private final List<String> extraFiles;
  private final boolean freeze;
  private final boolean optimizeForInference;
  private final boolean checkIntegrity;

  private LoadOptions(Device device, List<String> extraFiles, boolean freeze,
      boolean optimizeForInference, boolean checkIntegrity) {
    this.device = device;
    this.extraFiles = extraFiles;
    this.freeze = freeze;
    this.optimizeForInference = optimizeForInference;
    this.checkIntegrity = checkIntegrity;
  }

  /**
   * On the CPU, no extra files, as saved.
   *
   * @return the defaults
   */
  public static LoadOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Where parameters and buffers go, whatever device they were saved on.
   *
   * @param wanted the device; refused at load when libtorch lacks it
   * @return new options
   */
  public LoadOptions withDevice(Device wanted) {
    return new LoadOptions(IValueChecks.notNull(wanted, "device"), extraFiles, freeze,
        optimizeForInference, checkIntegrity);
  }

  /**
   * Extra files of the archive to read; see {@link Module#extraFiles()}.
   *
   * @param names their names, as given to {@code torch.jit.save}
   * @return new options
   */
  public LoadOptions withExtraFiles(String... names) {
    return new LoadOptions(device, List.of(IValueChecks.elements(names, "names")), freeze,
        optimizeForInference, checkIntegrity);
  }

  /**
   * Whether to inline parameters as constants, as {@code torch.jit.freeze} does.
   *
   * @param wanted true to freeze
   * @return new options
   */
  public LoadOptions withFreeze(boolean wanted) {
    return new LoadOptions(device, extraFiles, wanted, optimizeForInference, checkIntegrity);
  }

  /**
   * Whether to freeze and then rewrite for inference, as {@code torch.jit.optimize_for_inference}
   * does. Fused operators may round otherwise than the plain ones.
   *
   * @param wanted true to optimize
   * @return new options
   */
  public LoadOptions withOptimizeForInference(boolean wanted) {
    return new LoadOptions(device, extraFiles, freeze, wanted, checkIntegrity);
  }

  /**
   * Whether to compare the CRC of every member of the archive, and the SHA-256 that torch4j's
   * export writes, before libtorch reads it. On by default: libtorch itself loads a file with a
   * flipped bit in its weights silently.
   *
   * @param wanted false to save the time
   * @return new options
   */
  public LoadOptions withIntegrityCheck(boolean wanted) {
    return new LoadOptions(device, extraFiles, freeze, optimizeForInference, wanted);
  }

  boolean checkIntegrity() {
    return checkIntegrity;
  }

  Device device() {
    return device;
  }

  List<String> extraFiles() {
    return extraFiles;
  }

  int flags() {
    return (freeze ? NativeCodes.LOAD_FREEZE : 0)
        | (optimizeForInference ? NativeCodes.LOAD_OPTIMIZE : 0);
  }
}
