# Finds libtorch and makes the target `libtorch`: an explicit LIBTORCH_HOME is final, else the active Python's torch.
#
# Torch's own CMake package is not used: it wants compilers and libraries that its wheel was built with, and leaves
# build folders of other machines in RUNPATH.

set(LIBTORCH_HOME "$ENV{LIBTORCH_HOME}" CACHE PATH "folder with include/ and lib/ of libtorch (final when given)")

if(NOT LIBTORCH_HOME)
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
  # Asked by path and not by import: pip's isolated build environment hides the packages of the real one.
  execute_process(
    COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/find_torch.py
    OUTPUT_VARIABLE torch_folder OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE torch_missing)
  if(torch_missing)
    message(FATAL_ERROR
      "torch4j needs libtorch to build. ${Python_EXECUTABLE} has no torch.\n"
      "Either:  pip install torch==2.13.0   (with that Python), then build again\n"
      "or:      cmake -DLIBTORCH_HOME=/path/to/libtorch   (a folder with include/ and lib/)")
  endif()
else()
  set(torch_folder ${LIBTORCH_HOME})
endif()

if(NOT EXISTS ${torch_folder}/lib/libtorch_cpu.so OR NOT EXISTS ${torch_folder}/include/ATen/ATen.h)
  message(FATAL_ERROR "LIBTORCH_HOME=${torch_folder}: expected include/ATen/ATen.h and lib/libtorch_cpu.so there")
endif()

# The wheel and the libtorch zip both carry the version in this header.
file(STRINGS ${torch_folder}/include/torch/headeronly/version.h version_lines
  REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
string(REGEX MATCHALL "[0-9]+" version_numbers "${version_lines}")
list(JOIN version_numbers "." LIBTORCH_VERSION)
set(LIBTORCH_LIB ${torch_folder}/lib)
message(STATUS "libtorch ${LIBTORCH_VERSION} in ${torch_folder}")

add_library(libtorch INTERFACE)
target_include_directories(libtorch SYSTEM INTERFACE
  ${torch_folder}/include ${torch_folder}/include/torch/csrc/api/include)
target_link_libraries(libtorch INTERFACE ${LIBTORCH_LIB}/libc10.so ${LIBTORCH_LIB}/libtorch_cpu.so)
