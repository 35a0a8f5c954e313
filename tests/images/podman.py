"""Containers of docker-compose.yml and of `docker run`, started by podman.

All share the network namespace of the caller, so that no port of the machine is taken.
"""

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Without systemd, and with control groups of both versions, which crun refuses.
PODMAN = ("podman", "--runtime=runc", "--cgroup-manager=cgroupfs", "--events-backend=none")
# Below those of this machine, because raising them needs a capability that root may lack.
LIMITS = ("--ulimit=nofile=1024:4096", "--ulimit=nproc=4096:4096")
# The options of all containers.
HERE = ("--network=host", "--log-driver=k8s-file", *LIMITS)
PREFIX = "segranks-try"
# Seconds. Generous, because test machines are slow and shared.
WITHIN = 300.0


def run(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*PODMAN, *words], capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, f"{words}:\n{done.stdout}{done.stderr}"
    return done


def remove_all() -> None:
    """Remove the containers and the volumes of a former try."""
    for name in run("ps", "--all", "--format", "{{.Names}}").stdout.split():
        if name.startswith(PREFIX):
            run("rm", "--force", name, check=False)
    for name in run("volume", "ls", "--quiet").stdout.split():
        if name.startswith(PREFIX):
            run("volume", "rm", "--force", name)


class Container:
    """A container that runs in the background."""

    def __init__(self, name: str, image: str, options: Sequence[str], command: Sequence[str]):
        self.name = f"{PREFIX}-{name}"
        self._words = [*options, image, *command]

    def start(self) -> None:
        run("run", "--detach", f"--name={self.name}", *HERE, *self._words)

    def stop(self) -> int:
        """Stop it as Docker does, remove it, and return its exit status."""
        run("stop", self.name)
        status = int(self.inspect("{{.State.ExitCode}}"))
        run("rm", "--force", self.name)
        return status

    def inspect(self, template: str) -> str:
        return run("inspect", "--format", template, self.name).stdout.strip()

    def logs(self) -> str:
        shown = run("logs", self.name, check=False)
        return shown.stdout + shown.stderr

    def execute(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return run("exec", self.name, *command, check=check)

    def wait_for_end(self) -> int:
        return int(run("wait", self.name).stdout)

    def limits(self) -> dict[str, str]:
        """Return what the kernel says of the first process that is not the init of the container.

        The user, the capabilities, the limits of its control group, and whether / is writable.
        """
        pid = self.inspect("{{.State.Pid}}")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        process = Path("/proc") / (children[0] if children else pid)
        lines = (process / "status").read_text().splitlines()
        status = dict(line.split(":\t", 1) for line in lines)
        found = {name: status[name].split()[0] for name in ("Uid", "CapEff", "NoNewPrivs")}
        groups = dict(
            line.split(":", 2)[1:] for line in (process / "cgroup").read_text().splitlines()
        )
        for group, file in (("memory", "memory.limit_in_bytes"), ("pids", "pids.max")):
            limit = Path(f"/sys/fs/cgroup/{group}{groups.get(group, '/')}") / file
            found[file] = limit.read_text().strip()
        written = self.execute("sh", "-c", "echo > /srv/written || echo > /written", check=False)
        found["root"] = "read-only" if "Read-only file system" in written.stderr else "writable"
        return found


def of_service(name: str, service: dict[str, Any], copy: str = "") -> Container:
    """Return the container of a service of docker-compose.yml."""
    options = [
        f"--hostname={name}{copy}",
        "--add-host=postgres:127.0.0.1",
        "--add-host=redis:127.0.0.1",
        "--read-only-tmpfs=false",
        f"--pids-limit={service['pids_limit']}",
        f"--memory={service['mem_limit']}",
        *(f"--cap-drop={each}" for each in service["cap_drop"]),
        *("--security-opt=no-new-privileges" for _ in service["security_opt"]),
        *(f"--tmpfs={each}" for each in service["tmpfs"]),
        *(f"--env={key}={value}" for key, value in service["environment"].items()),
        # One without a name is of this container alone.
        *(
            f"--volume={PREFIX}-{each}" if ":" in each else f"--volume={each}"
            for each in service.get("volumes", [])
        ),
    ]
    options += ["--read-only"] if service["read_only"] else []
    options += ["--init"] if service["init"] else []
    options += [f"--user={service['user']}"] if "user" in service else []
    options += [f"--shm-size={service['shm_size']}"] if "shm_size" in service else []
    if "stop_grace_period" in service:
        options.append(f"--stop-timeout={service['stop_grace_period'].removesuffix('s')}")
    return Container(name + copy, service["image"], options, service["command"])


def is_healthy(container: Container, service: dict[str, Any]) -> bool:
    """Run the health check of the service once."""
    kind, *command = service["healthcheck"]["test"]
    command = command if kind == "CMD" else ["/bin/sh", "-c", *command]
    return container.execute(*command, check=False).returncode == 0


def wait_until_healthy(container: Container, service: dict[str, Any]) -> None:
    deadline = time.monotonic() + WITHIN
    while not is_healthy(container, service):
        assert time.monotonic() < deadline, f"{container.name} is not healthy:\n{container.logs()}"
        assert container.inspect("{{.State.Running}}") == "true", container.logs()
        time.sleep(1)
