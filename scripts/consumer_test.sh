#!/usr/bin/env bash
# A second project that depends on the published artefact: compiles it and runs it.
# Argument: the local Maven repository that publishToMavenLocal wrote to; without one, a temporary one is filled first.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
library=$root/build/native
version=$(<"$root/VERSION")
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
repository=${1:-$project/repository}

if [[ $# -eq 0 ]] && ! output=$(gradle --offline --no-daemon -p "$root" -Dmaven.repo.local="$repository" \
  nativeLibrary publishToMavenLocal 2>&1); then
  echo "$output" >&2
  exit 1
fi

mkdir -p "$project/src/main/java"
cat >"$project/settings.gradle" <<'GRADLE'
rootProject.name = 'consumer'
GRADLE
cat >"$project/build.gradle" <<GRADLE
apply plugin: 'java'
repositories { maven { url = 'file://$repository' } }
dependencies { implementation 'org.torch4j:torch4j:$version' }
task go(type: JavaExec, dependsOn: classes) {
    classpath = sourceSets.main.runtimeClasspath
    jvmArgs '-Dtorch4j.library=$library'
    if (it.hasProperty('mainClass')) { it.mainClass.set('Consumer') } else { it.main = 'Consumer' }
}
GRADLE
cat >"$project/src/main/java/Consumer.java" <<'JAVA'
import org.pytorch.Tensor;

public class Consumer {
  public static void main(String[] args) {
    System.out.println("consumer: " + Tensor.fromBlob(new int[] {1, 2}, new long[] {2}));
  }
}
JAVA
if ! output=$(gradle --offline --no-daemon -p "$project" go 2>&1); then
  echo "$output" >&2
  exit 1
fi
grep '^consumer: Tensor(\[2\], dtype=torch.int32) \[1, 2\]$' <<<"$output"
