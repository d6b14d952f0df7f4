#!/bin/bash
# Runs a command in a bare Debian 12. The script makes a new root folder with apt and nothing else, by
# mmdebstrap, and removes the folder afterwards. Needs root. The command can use the network of the
# machine, and the folders that are given by --bind.
#
#   tools/bare_debian.sh [--bind FOLDER=PLACE]... -- COMMAND [ARGUMENT...]
#   tools/bare_debian.sh --bind "$PWD=/atoll" -- sh -c 'apt-get install -y make git && make -C /atoll demo'
#
# The exit status is the status of the command, or 2 if the root folder cannot be made.
set -uo pipefail

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
say() { echo "bare_debian.sh: $*" >&2; }

binds=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    --bind) [[ ${2:-} == *=/* ]] || usage; binds+=("$2"); shift 2 ;;
    *) usage ;;
  esac
done
[ "${1:-}" = -- ] && shift
[ $# -gt 0 ] || usage
[ "$(id -u)" -eq 0 ] || { say "needs root"; exit 2; }
command -v mmdebstrap >/dev/null || { say "needs mmdebstrap (tools/packages.sh install long)"; exit 2; }

place=$(mktemp -d "${TMPDIR:-/tmp}/bare-debian-XXXXXX") || exit 2
mounted=()
leave() {
  for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do umount "${mounted[i]}" || umount -l "${mounted[i]}"; done
  # If a folder could not be unmounted, its files are not removed, because they belong to the machine.
  rm -rf --one-file-system "$place"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

put() {  # put FOLDER PLACE [OPTIONS] mounts FOLDER of this machine at PLACE in the new root folder
  mkdir -p "$place$2" && mount --bind ${3:+-o "$3"} "$1" "$place$2" && mounted+=("$place$2")
}

if ! mmdebstrap --quiet --variant=apt bookworm "$place" >&2; then
  say "mmdebstrap failed"
  exit 2
fi
# Apt in the new root folder uses the same sources of packages as apt of the machine.
cp /etc/resolv.conf /etc/hosts "$place/etc/" || exit 2
apt-config dump | grep '^Acquire::' >"$place/etc/apt/apt.conf.d/99acquire"
for folder in /proc /sys /dev /dev/shm; do put "$folder" "$folder" || exit 2; done
for bind in "${binds[@]+"${binds[@]}"}"; do put "${bind%%=*}" "${bind#*=}" || exit 2; done
chroot "$place" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive "$@"
