"""Reads the processes of a job and their memory from /proc."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import time
import uuid

SHARED = re.compile(r"\S+ \S+ \S+ \S+ (\d+)\s+/memfd:atoll")


def stat_of(pid):
    """Returns the fields of /proc/PID/stat, beginning with the state, or None if the process has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def processes():
    return [int(entry.name) for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()]


def session(leader):
    """Returns the processes of a session in the order of their start. Ended processes whose status has not been
    collected are left out. The PEs of a job are started in the order of their ranks."""
    found = []
    for pid in processes():
        stat = stat_of(pid)
        if stat and stat[0] != "Z" and int(stat[3]) == leader:
            found.append((int(stat[19]), pid))
    return [pid for _, pid in sorted(found)]


def new_mark():
    """Returns a mark for the environment of a job, by which its processes can be found. All processes of the job
    inherit the mark, even in other sessions."""
    return {"TEST_OF_ATOLL": uuid.uuid4().hex}


def marked(mark):
    """Returns all running processes that have the mark in their environment."""
    (name, value), = mark.items()
    found = []
    for pid in processes():
        stat = stat_of(pid)
        try:
            environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue
        if stat and stat[0] != "Z" and f"{name}={value}".encode() in environment.split(b"\0"):
            found.append(pid)
    return found


def name_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def pes_of(pids, program):
    """Returns (PE, keeper) for each rank that a launcher has started. A keeper is the parent process of a PE, and runs
    the same program."""
    of_program = {pid for pid in pids if name_of(pid) == program}
    parents = {pid: int((stat_of(pid) or [0, 0])[1]) for pid in of_program}
    return [(pid, parent) for pid, parent in parents.items() if parent in of_program]


def kill_all(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run_to_end(command, seconds, environment=None, folder=None):
    """Runs a command. Returns (status or None when it does not end, text of both streams, processes that it has left).
    Kills the processes that the command has left."""
    mark = new_mark()
    process = subprocess.Popen(command, env={**os.environ, **(environment or {}), **mark}, cwd=folder,
                               start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    try:
        text, status = process.communicate(timeout=seconds)[0], process.returncode
    except subprocess.TimeoutExpired:
        kill_all(marked(mark))
        text, status = process.communicate()[0], None
    left = still_there(mark)
    kill_all(left)
    return status, text.decode(errors="replace"), left


def still_there(mark):
    """Waits for up to 5 seconds, and returns the processes that have still not ended. A launcher can end before its
    last rank, so the ranks need some time to end."""
    for _ in range(50):
        if not marked(mark):
            return []
        time.sleep(0.1)
    return marked(mark)


def mpi_launchers(ranks):
    """Returns, for each MPI library, the first words of a command that starts ranks. The commands also work on a
    machine with fewer processors than ranks."""
    return {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                        "--mca", "mpi_yield_when_idle", "1", "-n", str(ranks)],
            "mpich": ["mpiexec.mpich", "-n", str(ranks)]}


def shared_memory(pids):
    """Returns the inodes of all shared memory of jobs that the processes `pids` map."""
    found = set()
    for pid in pids:
        try:
            found.update(SHARED.findall(pathlib.Path(f"/proc/{pid}/maps").read_text()))
        except OSError:
            pass
    return found


def memory_of(pids):
    """Returns (private, shared): the bytes that the processes `pids` hold together. Shared bytes are counted once."""
    private = shared = 0
    for pid in pids:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
            name, kibibytes = line.split()[:2]
            if name == "Pss:":
                private += int(kibibytes) << 10
            if name == "Pss_Shmem:":
                shared += int(kibibytes) << 10
    return private - shared, shared


def processor_seconds(pids):
    """Returns the processor time in seconds that processes and their ended children have used. The resolution of the
    returned time is a clock tick (10 ms)."""
    stats = filter(None, map(stat_of, pids))
    return sum(sum(map(int, stat[11:15])) for stat in stats) / os.sysconf("SC_CLK_TCK")


LAST = ["nice", "-n", "19"]


@contextlib.contextmanager
def load(processes_that_compute):
    """Runs processes that compute as long as the context lasts. Programs that this script starts with the lowest
    priority (`LAST`) share cores with the computing processes. All other programs of this machine have a higher
    priority."""
    loop = [*LAST, "sh", "-c", "while :; do :; done"]
    busy = [subprocess.Popen(loop, stdin=subprocess.DEVNULL) for _ in range(processes_that_compute)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def files_in_dev_shm():
    folder = pathlib.Path("/dev/shm")
    return {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()


def status_of(kind, jobs):
    """Prints the complaints that the futures {(case, way): future} return. Returns the exit status, which is 0 if there
    is no complaint."""
    bad = 0
    for (case, way), job in jobs.items():
        complaint = job.result()
        bad += complaint is not None
        print(f"{case} on {way}: {complaint or 'as it should'}", flush=True)
    print(f"{len(jobs)} {kind}, {bad} not as they should be")
    return 1 if bad or not jobs else 0
