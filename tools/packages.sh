#!/bin/sh
# Lists the Debian packages that Atoll needs, with the reasons, and installs missing packages.
#
#   tools/packages.sh list [GROUP...]    print the packages and why each is needed
#   tools/packages.sh install GROUP...   install missing packages; apt is not called if none is missing
#   tools/packages.sh lists              fetch apt's package lists if they are missing (for the demo)
#
# Groups: build, test, long, asan, bench, peers, experiments, lint, package, wheel, demo. The exit
# status is 0 if all packages are installed, and 2 if one is missing.
set -eu

GROUP_NAMES="build test long asan bench peers experiments lint package wheel demo"

# The columns are group, package and reason. A '?' before the reason means that Atoll works without the
# package, but prints a warning.
table() {
  cat <<'END'
build  g++                  C++20 compiler with coroutines and the sanitizers
build  cmake                configures the build
build  ninja-build          runs the build
build  pkg-config           finds hwloc and zstd
build  libfmt-dev           text formatting
build  libspdlog-dev        logging
build  libcli11-dev         command line of the program atoll
build  nlohmann-json3-dev   JSON results and metrics
build  libhwloc-dev         cores of this machine, pinning
build  libxxhash-dev        hashes of strings
build  zlib1g-dev           graph files compressed with gzip
build  libzstd-dev          graph files compressed with zstd
build  libboost-context-dev stacks of simulated PEs
build  libssl-dev           ?clients of `atoll serve` on other machines: tokens and TLS
build  ccache               ?compiles nothing twice
test   mold                 ?links the tests in a tenth of the time
test   libgtest-dev         GoogleTest
test   libgmock-dev         matchers of GoogleTest
test   python3              tests of the tools and of the demo
test   python3-numpy        tests of the Python package
test   python3-networkx     tests of its backend for NetworkX
test   python3-matplotlib   the test of the tutorial about graphs in Python
test   openssl              ?certificates for the tests of TLS
test   libopenmpi-dev       ?jobs under Open MPI's mpirun
test   openmpi-bin          ?Open MPI's mpirun
test   libmpich-dev         ?jobs under MPICH's mpiexec
test   mpich                ?MPICH's mpiexec
test   iproute2             ?hosts that are network namespaces
test   golang-go            ?builds Porcupine, which decides histories of stacks and queues
long   mmdebstrap           ?a bare Debian, in which the commands of the README are tried
long   python3-venv         NetworkX's own tests, in an environment with a newer NetworkX
asan   clang-19             compiler of the sanitized tests and the fuzzers
asan   libclang-rt-19-dev   its sanitizers and libFuzzer
bench  libopenmpi-dev       ?peers of gups, sort (MPI_Alltoallv), bfs, pagerank and mst, and of one-sided access (MPI, OpenSHMEM)
bench  openmpi-bin          ?mpirun and oshrun for those peers
bench  libmpich-dev         ?the same peers (but gups) of MPICH
bench  mpich                ?mpiexec for them
bench  valgrind             ?callgrind: the price of the counters (tools/count_cost.sh)
experiments  python3-matplotlib  pictures of the experiments
experiments  chromium            ?the test that opens their page
bench  libtbb-dev           ?peers of the global queue, hash set and map: those of oneTBB
bench  libabsl-dev          ?peer of the global hash set and map: flat tables behind locks
bench  libboost-dev         ?peer of the global stack: the lock-free stack of Boost
bench  python3-scipy        ?peer of minimum spanning trees (tools/mst_peers.py)
peers  libtrilinos-tpetra-dev          ?peer of PageRank: sparse matrices of Trilinos
peers  libtrilinos-kokkos-dev          ?headers of that
peers  libtrilinos-kokkos-kernels-dev  ?the same
peers  libtrilinos-teuchos-dev         ?the same
peers  python3-igraph                  ?peer in shared memory (tools/shared_memory_peers.py)
lint   clang-19             second compiler
lint   clang-format-19      layout of the sources
lint   clang-tidy-19        static checks
lint   libclang-rt-19-dev   headers of the sanitizers
lint   python3              checks of the layers
package  dpkg-dev           libraries that a Debian package depends on
package  file               tells programs from other files
wheel  python3-venv         pip, which builds the wheel of the Python package (make wheel)
demo   python3              turns package lists into a graph
END
}

say() { echo "packages.sh: $*" >&2; }

check_groups() {
  for group in "$@"; do
    table | grep -q "^$group " || { say "unknown group '$group' ($GROUP_NAMES)"; exit 2; }
  done
}

# Prints the rows of the named groups, or of all groups if none is named.
rows() {
  if [ $# -eq 0 ]; then table; fi
  for group in "$@"; do table | grep "^$group "; done
}

list() {
  check_groups "$@"
  rows "$@" | while read -r group package reason; do
    case $reason in '?'*) reason="${reason#?} (optional)" ;; esac
    printf '%-6s %-21s %s\n' "$group" "$package" "$reason"
  done
}

# Prints which of the named packages are not installed.
missing() {
  [ $# -gt 0 ] || return 0
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p')
  for package in "$@"; do
    echo "$installed" | grep -qxF -- "$package" || echo "$package"
  done
}

# Returns whether as_root can work. The user must be root, or sudo must be installed and either need no password or be
# able to ask for one.
can_be_root() {
  [ "$(id -u)" -eq 0 ] && return 0
  command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

have_lists() { ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; }

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# Installs packages with the existing package lists. If that fails, fetches new lists and tries again.
install_packages() {
  if ! can_be_root; then
    say "missing, and only root can install: apt-get update && apt-get install -y $*"
    return 2
  fi
  say "installing $*"
  if have_lists && apt_install "$@" >&2; then return 0; fi
  as_root apt-get update >&2 && apt_install "$@" >&2
}

install() {
  [ $# -gt 0 ] || { say "install needs a group: $GROUP_NAMES"; exit 2; }
  check_groups "$@"
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "no Debian here, so nothing is installed; '$0 list $*' shows what is needed"
    return 0
  fi
  # shellcheck disable=SC2046  # names of packages hold no blanks
  required=$(missing $(rows "$@" | awk '$3 !~ /^[?]/ {print $2}' | sort -u))
  # shellcheck disable=SC2046
  optional=$(missing $(rows "$@" | awk '$3 ~ /^[?]/ {print $2}' | sort -u))
  # shellcheck disable=SC2086
  if [ -n "$required" ] && ! install_packages $required; then
    say "could not install:" $required
    exit 2
  fi
  # shellcheck disable=SC2086
  if [ -n "$optional" ] && ! install_packages $optional; then
    say "warning: goes on without" $optional
  fi
}

lists() {
  have_lists && return 0
  command -v apt-get >/dev/null || { say "no Debian here, so no package lists"; exit 2; }
  can_be_root || { say "no package lists, and only root can fetch them: apt-get update"; exit 2; }
  say "fetching the package lists"
  as_root apt-get update >&2
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
  list) list "$@" ;;
  install) install "$@" ;;
  lists) lists ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
