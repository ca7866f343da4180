#!/usr/bin/env bash
# Builds the C++ side of the benchmark and runs all three sides.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake -S . -B build/bench -G Ninja -DTORCH4J_BENCH=ON -DPython_EXECUTABLE="$PWD/.venv/bin/python" >build/bench-cmake.log
cmake --build build/bench --target torch4j-bench-cpp torch4j-bench-first torch4j-bench torch4j-count-malloc >>build/bench-cmake.log
exec .venv/bin/python scripts/bench.py "$@"
