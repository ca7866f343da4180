#!/usr/bin/env bash
# Runs tests with libtorch4j.so under AddressSanitizer and UBSan. libtorch and the JVM are not instrumented, so the
# JVM's own use of SIGSEGV is left alone and leaks are not looked for.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake -S . -B build/sanitize -G Ninja -DTORCH4J_SANITIZE=ON -DPython_EXECUTABLE="$PWD/.venv/bin/python" >/dev/null
cmake --build build/sanitize
TORCH4J_LIBRARY=$PWD/build/sanitize/libtorch4j.so \
  LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so) $(g++ -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=handle_segv=0:detect_leaks=0:allow_user_segv_handler=1:halt_on_error=1 \
  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
  .venv/bin/python -m pytest -q -W ignore tests/test_bridge.py tests/test_official_behaviour.py "$@"
