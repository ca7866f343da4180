package org.pytorch;

import java.lang.invoke.MethodHandles;

/** The classes that a first call needs, initialized while there is nothing to do but to wait. */
final class PreparedClasses {
  private PreparedClasses() {}

  /** Initializes them all, on this thread. */
  static void prepare() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<?>[] needed = {DeepStack.class, MemoryLimits.class, SystemFile.class, NativeErrors.class,
        SchemaException.class, ScriptException.class, Pressure.class, LibraryVersions.class,
        NativeTorch.class, NativeModule.class, TensorScope.class, Reclaimer.class,
        NativeHandle.class, ModuleHandle.class, TracedHandle.class, BufferHandle.class,
        TensorFactories.class, Tensor.class, MemoryFormat.class, DType.class, TensorData.class,
        JavaArrays.class, TensorShape.class, NativeTensor.class, TensorInfo.class,
        TensorReader.class, IValue.class, IValue.Kind.class, ScriptMethod.class, Utf8.class,
        ValueReader.class, ValueWriter.class, MethodSchema.class, MethodSchema.Argument.class};
    for (Class<?> type : needed) {
      try {
        lookup.ensureInitialized(type);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e); // all are of this package
      }
    }
    DeepStack.prepare();
    DeepStack.expect();
  }
}
