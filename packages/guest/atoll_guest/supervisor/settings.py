"""One sandbox's own facts."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

from ..isolation import cgroup


@dataclass
class Settings:
    """Paths are those the sandbox's code sees."""

    id: str
    limits: dict[str, Any]
    env: dict[str, str]
    paths: dict[str, str]
    orphan_timeout_s: float
    group: cgroup.Group
    is_isolated: bool
    # The file system refuses what goes past the disk limit.
    is_disk_enforced: bool = False

    @staticmethod
    def provisional(group: cgroup.Group, is_isolated: bool) -> Settings:
        """For a sandbox that is nobody's yet. Without a limit on how long it may wait."""
        limits = {"memoryBytes": 1 << 40, "diskBytes": 1 << 40, "cpus": 1, "outputBytes": 0, "openFiles": 1 << 20}
        paths = {"workspace": "/workspace", "session": "/session", "artifacts": "/session", "outputs": "/data"}
        return Settings("", limits, dict(os.environ), paths, 0.0, group, is_isolated)

    @staticmethod
    def from_request(params: dict[str, Any], group: cgroup.Group, is_isolated: bool) -> Settings:
        return Settings(
            id=params["id"],
            limits=params["limits"],
            env={**_own_packages(params["env"]), **params["env"]},
            paths=params["paths"],
            orphan_timeout_s=params["orphanTimeoutMs"] / 1000,
            group=group,
            is_isolated=is_isolated,
            is_disk_enforced=params.get("info", {}).get("capabilities", {}).get("diskLimit") == "enforced",
        )


def _own_packages(env: dict[str, str]) -> dict[str, str]:
    """What the sandbox's user installs is found by every Python inside; a virtual environment does not look there by itself."""
    base = env.get("PYTHONUSERBASE")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return {"PYTHONPATH": f"{base}/lib/{version}/site-packages"} if base else {}
