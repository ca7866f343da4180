#!/usr/bin/env bash
# Makes .venv, installs what is missing, and builds and installs torch4j into it. A second call takes seconds.
set -euo pipefail
cd "$(dirname "$0")/.."

TORCH=torch==2.13.0
STAMP=.venv/torch4j.stamp
MODELS=.venv/models.stamp

say() { printf 'setup: %s\n' "$*"; }

# Debian package by the file or command that shows that it is there.
missing_packages() {
  local -A packages=(
    [javac]=openjdk-17-jdk-headless [g++]=g++ [cmake]=cmake [ninja]=ninja-build [ccache]=ccache
    [gradle]=gradle [/usr/share/maven-repo/org/junit/jupiter]=junit5
  )
  local probe
  for probe in "${!packages[@]}"; do
    if [[ $probe == /* ]]; then
      [[ -e $probe ]] || echo "${packages[$probe]}"
    else
      command -v "$probe" >/dev/null || echo "${packages[$probe]}"
    fi
  done
  python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
}

# A JDK that is there may be too old; CMake takes JAVA_HOME before PATH.
check_javac() {
  local javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac version
  version=$("$javac" -version 2>&1 | sed -nE 's/^javac ([0-9]+).*/\1/p') || true
  ((${version:-0} >= 17)) && return
  say "JDK 17 or later expected (JAVA_HOME, else PATH); $javac is of Java ${version:-unknown}" >&2
  exit 1
}

install_packages() {
  local missing
  missing=$(missing_packages | sort | tr '\n' ' ')
  [[ -n $missing ]] || return 0
  local command="apt-get update && apt-get install -y --no-install-recommends $missing"
  if [[ $(id -u) -eq 0 && -f /etc/debian_version ]]; then
    say "installing system packages: $missing"
    local output
    output=$(bash -c "$command" 2>&1) || { printf '%s\n' "$output" >&2; exit 1; }
  else
    printf 'setup: missing system packages. Install them, then run make again:\n  sudo sh -c "%s"\n' "$command" >&2
    exit 1
  fi
}

make_venv() {
  [[ -x .venv/bin/python ]] || { say "making .venv"; python3 -m venv .venv; }
  if ! .venv/bin/python cmake/find_torch.py >/dev/null; then
    say "installing $TORCH"
    .venv/bin/pip install -q "$TORCH" 2> >(grep -v '^WARNING: Location' >&2)
  fi
}

# What the install depends on. Python sources are used where they are, but an editable install knows them by name.
fingerprint() {
  {
    find CMakeLists.txt pyproject.toml VERSION cmake native java/src/main -type f -print0 | sort -z | xargs -0 sha256sum
    find python/torch4j -type f -not -name '*.pyc' | sort
  } | sha256sum
}

install_project() {
  local now
  now=$(fingerprint)
  if [[ -f $STAMP && $(<"$STAMP") == "$now" ]]; then
    say "nothing to build"
    return
  fi
  say "building and installing torch4j into .venv (a first build takes two minutes)"
  .venv/bin/pip install -q 'scikit-build-core>=0.11' 2> >(grep -v '^WARNING: Location' >&2)
  # Without isolation the build folder stays valid, and one changed file compiles one file.
  .venv/bin/pip install -q --no-build-isolation -e '.[dev]' 2> >(grep -v '^WARNING: Location' >&2)
  install_models
  printf '%s' "$now" >"$STAMP"
}

# torch4j and torch are there already: this adds the packages of the extra alone, and replaces nothing.
install_models() {
  local wanted
  wanted=$(sha256sum pyproject.toml)
  [[ -f $MODELS && $(<"$MODELS") == "$wanted" ]] && return
  say "installing packages that ship models, for the tests"
  .venv/bin/pip install -q 'torch4j[models]' 2> >(grep -v '^WARNING: Location' >&2) ||
    { say "not to be had: the tests marked models will be skipped"; return; }
  printf '%s' "$wanted" >"$MODELS"
}

install_packages
check_javac
make_venv
install_project
