# libtorch4j.so: the JNI library; and libtorch4j_heap.so.

file(GLOB native_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/native/*.cpp)
add_library(torch4j SHARED ${native_sources})
add_dependencies(torch4j torch4j_jar)
target_link_libraries(torch4j PRIVATE jni libtorch)
target_compile_features(torch4j PRIVATE cxx_std_20)
target_compile_definitions(torch4j PRIVATE
  TORCH4J_VERSION="${TORCH4J_VERSION}" TORCH4J_LIBTORCH_VERSION="${LIBTORCH_VERSION}")
target_compile_options(torch4j PRIVATE
  -Wall -Wextra -Wmissing-declarations -Werror -fvisibility=hidden -fvisibility-inlines-hidden)
target_link_options(torch4j PRIVATE
  # now: a libtorch that lacks a symbol fails in System.load as an exception, not at the first call as a dead JVM.
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/native/exports.map -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack)
set_target_properties(torch4j PROPERTIES
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/native/exports.map
  BUILD_RPATH ${LIBTORCH_LIB}
  # The wheel's layout: site-packages/torch4j/lib beside site-packages/torch/lib.
  INSTALL_RPATH "$ORIGIN/../../torch/lib")

if(TORCH4J_SANITIZE)
  target_compile_options(torch4j PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer
    -fno-sanitize=vptr)  # wants type information that libtorch does not export
  target_link_options(torch4j PRIVATE -fsanitize=address,undefined -fno-sanitize=vptr)
else()
  # Left out under the sanitizers, whose runtime is found at load time through LD_PRELOAD.
  target_link_options(torch4j PRIVATE -Wl,--no-undefined)
endif()

# libtorch4j_heap.so: what has to be done before libtorch is mapped. It needs the C library only.
add_library(torch4j_heap SHARED ${PROJECT_SOURCE_DIR}/native/heap/prepare_heap.cpp)
target_link_libraries(torch4j_heap PRIVATE jni)
target_compile_features(torch4j_heap PRIVATE cxx_std_20)
# no-builtin-malloc: the compiler would leave out blocks that nobody writes to.
target_compile_options(torch4j_heap PRIVATE -Wall -Wextra -Wmissing-declarations -Werror -fvisibility=hidden
  -fno-builtin-malloc -fno-builtin-free)
target_link_options(torch4j_heap PRIVATE
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/native/exports.map -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack
  -Wl,--as-needed -Wl,--no-undefined)
add_dependencies(torch4j torch4j_heap)
