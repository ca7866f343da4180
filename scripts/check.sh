#!/usr/bin/env bash
# Formatters, linters and type checkers. C++ warnings and -Xlint:all are errors of every build, so setup ran them.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=.venv/bin

run() {
  printf 'check: %s\n' "$1"
  shift
  "$@"
}

java_files() {
  find java examples bench python tests -name '*.java' -print0
}

format_java() {
  java_files | xargs -0 "$bin/clang-format" --dry-run -Werror
}

run "ruff format" "$bin/ruff" format --check --quiet .
run "ruff" "$bin/ruff" check --quiet .
run "mypy" "$bin/mypy" --no-error-summary
run "clang-format, C++" "$bin/clang-format" --dry-run -Werror native/*.cpp native/*.h native/heap/*.cpp bench/*.cpp bench/*.h python/torch4j/bench/sides/*.cpp tests/native/*.cpp
run "clang-format, Java" format_java
run "shellcheck" "$bin/shellcheck" scripts/*.sh .ci/run
echo "check: all good"
