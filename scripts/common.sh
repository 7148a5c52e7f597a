# Sourced by the scripts beside it: where the tree is, which Java and Maven run, what to say when one is missing.
# Bash 3.2 is enough.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# File names outside ASCII need a UTF-8 locale: a JVM started without one cannot open them.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
  *.[Uu][Tt][Ff]-8 | *.[Uu][Tt][Ff]8 | UTF-8) ;;
  *) export LC_ALL=C.UTF-8 ;;
esac

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# missing WHAT PACKAGE...: says what is missing and how to install it (the first of the packages that is known), exit 2.
missing() {
  local what=$1 package
  shift
  if command -v apt-get >/dev/null; then
    for package in "$@"; do
      if apt-cache show "$package" >/dev/null 2>&1; then
        break
      fi
      package=$1
    done
    say "$what is missing. Install it with: sudo apt-get install $package"
  else
    say "$what is missing. Install it with your package manager (Debian's name for it: $1)"
  fi
  exit 2
}

# Sets java (the executable), java_home and java_version (the feature release), or explains what is missing.
find_java() {
  local release version
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || {
      say "JAVA_HOME ($JAVA_HOME) holds no bin/java. Correct it or unset it."
      exit 2
    }
  else
    java=$(command -v java) || missing "Java 17 or later" openjdk-17-jdk-headless openjdk-21-jdk-headless openjdk-25-jdk-headless
    java=$(readlink -f "$java" 2>/dev/null || printf '%s' "$java")
  fi
  java_home=$(dirname -- "$(dirname -- "$java")")
  # The file "release" tells the version without starting a JVM.
  release=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$java_home/release" 2>/dev/null) || true
  if [ -z "$release" ]; then
    version=$("$java" -version 2>&1) || {
      say "$java does not run: $version"
      exit 2
    }
    release=$(printf '%s\n' "$version" | sed -n 's/.* version "\([^"]*\)".*/\1/p')
  fi
  java_version=${release%%[!0-9]*}
  if [ "${java_version:-0}" -lt 17 ]; then
    say "found Java $release at $java"
    missing "Java 17 or later" openjdk-17-jdk-headless openjdk-21-jdk-headless openjdk-25-jdk-headless
  fi
}

# Checks that a build can run, and makes Maven use the Java that find_java found.
need_build_tools() {
  if [ ! -x "$java_home/bin/javac" ]; then
    say "found a Java without a compiler at $java"
    missing "a JDK, 17 or later," "openjdk-$java_version-jdk-headless" openjdk-17-jdk-headless openjdk-21-jdk-headless
  fi
  command -v mvn >/dev/null || missing "Maven 3.8 or later" maven
  export JAVA_HOME=$java_home
  # Maven's own libraries use what later JDKs warn about; the warnings are not ours.
  if [ "$java_version" -ge 24 ]; then
    export MAVEN_OPTS="${MAVEN_OPTS:-} --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
  fi
}

# Maven reads MAVEN_ARGS itself only from 3.9 on.
maven() {
  # shellcheck disable=SC2086 # several arguments are meant
  (cd -- "$root" && mvn -B ${MAVEN_ARGS:-} "$@")
}
