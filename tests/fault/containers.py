#!/usr/bin/env python3
"""Runs jobs whose processes are in separate containers, or cannot be inspected by other processes.

usage: containers.py OSHRUN SHMEM_PROGRAM PROGRAM

SHMEM_PROGRAM ends with status 0 if its PEs reach each other's memory. Each job must end within two minutes with status
0, and leave no process. The result of PROGRAM must be verified. Cases that this machine does not allow (namespaces,
other users) are skipped, and the script reports each skipped case.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from job_processes import mpi_launchers, run_to_end

SECONDS = 120
APART = "cannot be handed the memory of others of its host, and counts as of another node"
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]

# For each kind of container: the command-line prefix that starts a process in a container of its own. The program and
# its arguments come after the prefix.
CONTAINERS = {
    "plain": [],
    "user namespaces": ["unshare", "-U", "-r"],
    "process namespaces": ["unshare", "-p", "--fork", "--mount-proc"],
    "network namespaces": ["unshare", "-n"],
    "no /proc": ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"],
}
# The container "no /proc" is left out, because a SHMEM program finds its static variables in /proc/self/maps. A network
# namespace does no harm, because programs under oshrun do not use the network.
OF_OSHRUN = ["plain", "user namespaces", "process namespaces", "network namespaces"]
# MPICH and UCX do not work across namespaces. The shared memory of Open MPI needs a different process number
# for each rank.
OF_RANKS = {"openmpi": ["plain", "user namespaces", "process namespaces"], "mpich": ["plain"]}
FLAGS_OF_RANKS = {("openmpi", "process namespaces"): ["--mca", "btl", "tcp,self"]}


def is_possible(before):
    return subprocess.run([*before, "true"], capture_output=True, check=False).returncode == 0


def complaint_about(status, text, left, verified):
    if status is None:
        return f"it runs on after {SECONDS} s"
    if left:
        return f"processes are left: {left}"
    if status != 0:
        return f"its status is {status}"
    if verified and "verified: the result is right" not in text:
        return "its result is not verified"
    if APART in text:
        return "ranks are apart that can share memory"
    return None


def jobs(arguments, folder):
    """Yields each job as (name, launcher, words before the program, program, whether its result is verified)."""
    graph = pathlib.Path(folder, "chain.el")
    graph.write_text("0 1\n1 2\n2 3\n")
    components = ["cc", str(graph), "--verify"]
    for name in OF_OSHRUN:
        for pes in ("2", "3"):
            yield (f"oshrun -np {pes}, {name}", [arguments.oshrun, "-np", pes], CONTAINERS[name],
                   [arguments.shmem_program], False)
    for library, names in OF_RANKS.items():
        launcher = mpi_launchers(3)[library]
        for name in names if shutil.which(launcher[0]) else []:
            flags = FLAGS_OF_RANKS.get((library, name), [])
            yield (f"{library}, {name}", [*launcher, *flags], CONTAINERS[name], [arguments.program, *components],
                   True)
    yield ("processes, no /proc", [], CONTAINERS["no /proc"], [arguments.program, *components, "--pes", "3"], True)
    yield from jobs_of_unreadable_programs(arguments, folder)


def jobs_of_unreadable_programs(arguments, folder):
    os.chmod(folder, 0o755)
    for name in ("shmem_program", "program"):
        copy = pathlib.Path(folder, name)
        shutil.copy(getattr(arguments, name), copy)
        copy.chmod(0o711)
    graph = pathlib.Path(folder, "chain.el")
    yield ("oshrun, a program that may not be read", [*NOBODY, arguments.oshrun, "-np", "3"], [],
           [str(pathlib.Path(folder, "shmem_program"))], False)
    launcher = mpi_launchers(3)["openmpi"]
    if shutil.which(launcher[0]):
        yield ("openmpi, a program that may not be read", [*NOBODY, *launcher], [],
               [str(pathlib.Path(folder, "program")), "cc", str(graph), "--verify"], True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("oshrun", "shmem_program", "program"):
        parser.add_argument(name, type=os.path.abspath)
    arguments = parser.parse_args()
    bad = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, launcher, container, program, verified in jobs(arguments, folder):
            if container and not is_possible(container) or launcher[:1] == NOBODY[:1] and not is_possible(NOBODY):
                print(f"{name}: left out, for this machine does not allow it")
                continue
            status, text, left = run_to_end([*launcher, *container, *program], SECONDS, {"HOME": folder}, folder)
            complaint = complaint_about(status, text, left, verified)
            tried += 1
            bad += complaint is not None
            print(f"{name}: " + (f"{complaint}\n{text}" if complaint else "as it should"), flush=True)
    print(f"{tried} jobs in containers, {bad} not as they should be")
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
