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

# google-java-format is not to be had without Maven Central: what can be checked without it is.
java_layout() {
  local bad
  bad=$(grep -nP '\t|\s+$|^.{101,}' -r java examples bench --include='*.java' || true)
  [[ -z $bad ]] || { printf 'tabs, trailing blanks or more than 100 columns:\n%s\n' "$bad" >&2; return 1; }
}

run "ruff format" "$bin/ruff" format --check --quiet .
run "ruff" "$bin/ruff" check --quiet .
run "mypy" "$bin/mypy" --no-error-summary
run "clang-format" "$bin/clang-format" --dry-run -Werror native/*.cpp native/*.h bench/*.cpp
run "java layout" java_layout
run "shellcheck" "$bin/shellcheck" scripts/*.sh .ci/run
echo "check: all good"
