#!/bin/bash
# Runs an MPI job on several simulated hosts of this machine. A host is a network namespace, and a bridge
# connects all hosts. The job communicates through TCP.
#
#   tools/hosts.sh [--hosts N] [--ranks N] [--mpi openmpi|mpich] [--rate RATE] COMMAND...
#
#   --hosts N    number of hosts, 2 to 4 (default 2)
#   --ranks N    number of ranks on each host (default 1)
#   --mpi NAME   the MPI library whose mpirun starts the job (default openmpi)
#   --rate RATE  limit of the rate at which each host sends, in the notation of tc: 1gbit, 200mbit
#                (default unlimited)
#
# The script prints on standard error how many bytes the hosts have sent to each other, as counted by
# their interfaces. The script needs root, and removes everything that it has made. The exit status is
# the status of the job, or 1 if nothing was sent between hosts. The exit status is 2 if the arguments
# are wrong, and 77 if the script cannot work on this machine.
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
  # shellcheck disable=SC2046  # each word is a process id
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

# The bridge has a namespace of its own, so that the network of this machine does not change.
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
    # Data within the burst is sent at full speed. TCP makes packets of 64 KiB here. A smaller burst would
    # split all packets, which would take the processor longer than the network.
    [ -z "$rate" ] ||
      tc -n "$(host "$i")" qdisc add dev eth0 root tbf rate "$rate" burst 70kb latency 50ms ||
      return 1
  done
}

# The script below replaces ssh. Its arguments are [FLAGS] HOST COMMAND..., and it runs the command on HOST.
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

# The hosts share the cores of this machine, which are few. Ranks are therefore not bound to cores, and a
# waiting rank yields its core. Open MPI must implement windows by messages. Other components would notice
# that these hosts share memory, or would fail.
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
