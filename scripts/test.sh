#!/usr/bin/env bash
# JUnit through Gradle, publishing, then pytest; pytest's closing line is the last.
set -euo pipefail
cd "$(dirname "$0")/.."

log=build/gradle-test.log
mkdir -p build
echo "test: gradle jar javadoc test publishToMavenLocal"
repository=$(mktemp -d)
trap 'rm -rf "$repository"' EXIT
# Debian's Gradle looks for a plugin of its own and says so at every dependency: left out.
if ! gradle --offline --no-daemon -Dmaven.repo.local="$repository" jar javadoc test publishToMavenLocal \
  >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
grep -E '^\[ .*tests (successful|failed)' "$log"
if grep -A3 -E '(WARNING|FATAL ERROR) in native method' "$log"; then
  echo "test: -Xcheck:jni warned (see $log)" >&2
  exit 1
fi
scripts/consumer_test.sh "$repository"

echo "test: pytest"
.venv/bin/python -m pytest -m 'not soak' "$@"
