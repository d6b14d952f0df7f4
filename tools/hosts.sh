#!/bin/bash
# Runs an MPI job on several hosts of one machine: network namespaces joined by a bridge. The job
# communicates through TCP.
#
#   tools/hosts.sh [--hosts N] [--ranks N] [--mpi openmpi|mpich] [--rate RATE] COMMAND...
#
#   --hosts N    hosts, 2 to 4 (2)
#   --ranks N    ranks on each host (1)
#   --mpi NAME   whose mpirun starts the job (openmpi)
#   --rate RATE  limit of what each host sends, in the notation of tc: 1gbit, 200mbit (unlimited)
#
# The script prints on standard error how many bytes the hosts have sent each other, by the counters of
# their interfaces. It needs root, and removes whatever it has made. Exit status: that of the job;
# 1 if nothing crossed the network; 2 for wrong use; 77 if it cannot work (skipped).
set -u

say() { echo "hosts.sh: $*" >&2; }
skip() { say "skipped: $*"; exit 77; }
usage() { sed -n '5,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }

hosts=2 ranks=1 mpi=openmpi rate=
while [ $# -gt 0 ]; do
  case $1 in
    --hosts) hosts=${2:-} ;;
    --ranks) ranks=${2:-} ;;
    --mpi) mpi=${2:-} ;;
    --rate) rate=${2:-} ;;
    --*) usage ;;
    *) break ;;
  esac
  [ $# -ge 2 ] || usage
  shift 2
done
[ $# -gt 0 ] || usage
case $hosts in 2|3|4) ;; *) usage ;; esac
case $ranks in ''|*[!0-9]*) usage ;; esac
case $mpi in openmpi|mpich) ;; *) usage ;; esac

[ "$(id -u)" -eq 0 ] || skip "only root can make network namespaces"
for tool in ip tc unshare; do
  command -v $tool >/dev/null || skip "there is no $tool (Debian: iproute2, util-linux)"
done
launcher=$(command -v mpirun.$mpi || command -v mpirun) || skip "there is no mpirun of $mpi"

name=atoll$$
folder=$(mktemp -d)

host() { echo "$name-$1"; }
each_host() { seq 1 "$hosts"; }

processes() {
  for i in $(each_host); do ip netns pids "$(host "$i")" 2>/dev/null; done
}

clean_up() {
  trap '' INT TERM HUP
  # shellcheck disable=SC2046  # one word a process
  for signal in TERM KILL; do
    [ -n "$(processes)" ] && kill -$signal $(processes) 2>/dev/null
    for wait in 1 2 3 4 5 6 7 8 9 10; do
      [ -n "$(processes)" ] || break
      sleep 0.1
    done
  done
  for i in $(each_host); do
    ip netns del "$(host "$i")" 2>/dev/null
    rm -rf "/etc/netns/$(host "$i")"
  done
  rmdir /etc/netns 2>/dev/null
  ip netns del "$name-net" 2>/dev/null
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The bridge has a namespace of its own, so that nothing of this machine's network is touched.
make_hosts() {
  ip netns add "$name-net" &&
  ip -n "$name-net" link add bridge type bridge &&
  ip -n "$name-net" link set bridge up || return 1
  for i in $(each_host); do
    mkdir -p "/etc/netns/$(host "$i")"
    { echo "127.0.0.1 localhost"; for j in $(each_host); do echo "10.77.0.$j $(host "$j")"; done
    } > "/etc/netns/$(host "$i")/hosts"
    ip netns add "$(host "$i")" &&
    ip -n "$(host "$i")" link add eth0 type veth peer name "to$i" netns "$name-net" &&
    ip -n "$name-net" link set "to$i" master bridge up &&
    ip -n "$(host "$i")" addr add "10.77.0.$i/24" dev eth0 &&
    ip -n "$(host "$i")" link set lo up &&
    ip -n "$(host "$i")" link set eth0 up || return 1
    # The burst passes at full speed. TCP makes packets of 64 KiB here. A smaller burst would cut all of
    # them up, which takes the processor longer than the network.
    [ -z "$rate" ] ||
      tc -n "$(host "$i")" qdisc add dev eth0 root tbf rate "$rate" burst 70kb latency 50ms ||
      return 1
  done
}

# This script replaces ssh: [FLAGS] HOST COMMAND... runs on that host under its name.
make_agent() {
  cat > "$folder/agent" <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1; shift
exec ip netns exec "$host" unshare --uts sh -c 'hostname "$0"; cd "$1"; shift; eval "$*"' \
  "$host" "$PWD" "$@"
END
  chmod +x "$folder/agent"
}

sent_bytes() {
  total=0
  for i in $(each_host); do
    bytes=$(ip netns exec "$(host "$i")" cat /sys/class/net/eth0/statistics/tx_bytes)
    total=$((total + bytes))
  done
  echo $total
}

host_list() {
  list=
  for i in $(each_host); do list="$list${list:+,}$(host "$i"):$ranks"; done
  echo "$list"
}

# A host has its part of the cores of this machine, which are few. Ranks are therefore not bound, and a
# rank that waits yields its core. Windows of Open MPI use its messages: other components find out that
# these hosts share one memory, or fail.
set_launcher_flags() {
  if [ $mpi = openmpi ]; then
    flags=(--allow-run-as-root --host "$(host_list)" -n $((hosts * ranks)) --bind-to none
           --mca plm rsh --mca plm_rsh_agent "$folder/agent" --mca pml ob1
           --mca btl self,vader,tcp --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0
           --mca osc pt2pt
           --mca mpi_yield_when_idle 1)
    for variable in $(compgen -v ATOLL_); do flags+=(-x "$variable"); done
  else
    flags=(-launcher ssh -launcher-exec "$folder/agent" -iface eth0 -hosts "$(host_list)"
           -n $((hosts * ranks)))
    export UCX_TLS=tcp,self UCX_NET_DEVICES=eth0
  fi
}

make_hosts || skip "this kernel gives no network namespaces, bridges or rates"
make_agent
set_launcher_flags
before=$(sent_bytes)
"$folder/agent" "$(host 1)" "$(printf '%q ' "$launcher" "${flags[@]}" "$@")" &
wait $!
status=$?
crossed=$(($(sent_bytes) - before))
say "$crossed bytes crossed between $hosts hosts"
[ "$status" -ne 0 ] || [ "$crossed" -gt 0 ] || { say "nothing crossed the network"; exit 1; }
exit "$status"
