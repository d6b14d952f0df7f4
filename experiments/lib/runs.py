"""Runs commands and keeps what they gave: what is there is not run again."""

import hashlib
import json
import os
import pathlib
import subprocess
import tempfile


HOSTS = pathlib.Path(__file__).resolve().parents[2] / "tools/hosts.sh"


class Failed(Exception):
    """A run that ended wrong; carries what it said."""


def digest_of(program):
    return hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:16]


class Runner:
    def __init__(self, program, folder, limit_seconds=900):
        self.program = pathlib.Path(program).resolve()
        self.version = digest_of(self.program)
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.limit_seconds = limit_seconds

    def file_of(self, run):
        key = json.dumps([self.version, run.command, run.with_metrics, run.hosts])
        return self.folder / (hashlib.sha256(key.encode()).hexdigest()[:24] + ".json")

    def is_done(self, run):
        return self.file_of(run).exists()

    def result(self, run):
        """The JSON of the run, from before or from now. Raises Failed."""
        file = self.file_of(run)
        if not file.exists():
            text = json.dumps({"command": run.command, "result": self.execute(run)}, indent=1)
            unfinished = file.with_suffix(f".{os.getpid()}.part")
            unfinished.write_text(text)
            unfinished.rename(file)  # whole or not at all
        return json.loads(file.read_text())["result"]

    def execute(self, run):
        with tempfile.TemporaryDirectory() as scratch:
            metrics = pathlib.Path(scratch) / "metrics.json"
            command = [str(self.program), *run.command, "--json", "-"]
            if run.hosts:
                command = [str(HOSTS), "--hosts", str(run.hosts), *command]
            if run.with_metrics:
                command += ["--metrics", str(metrics)]
            result = self.output_of(command)
            if run.with_metrics:
                result.update(json.loads(metrics.read_text()))
            return result

    def output_of(self, command):
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  timeout=self.limit_seconds)
        except subprocess.TimeoutExpired:
            raise Failed(f"took longer than {self.limit_seconds} s") from None
        if done.returncode != 0:
            raise Failed(done.stderr.strip() or f"ended with status {done.returncode}")
        return json.loads(done.stdout)
