"""Check packages for known vulnerabilities: `python -m tests.audit REQUIREMENTS …`.

Exit with status 1 if a package has one or pip-audit fails, and with 2 if PyPI does not answer, or
with 0 given --allow-no-network.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

PIP_AUDIT = Path(__file__).resolve().parent.parent / ".venv" / "audit" / "bin" / "pip-audit"
# Our files name all packages, so nothing needs to be resolved.
OPTIONS = ("--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json")
FAILED, NO_NETWORK = 1, 2
NETWORK_ERROR = re.compile(r"requests\.exceptions\.|urllib3\.exceptions\.|ould not connect")
# Vulnerabilities that have no fix yet and cannot be exploited in SegRanks: id → reason.
ACCEPTED: dict[str, str] = {}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--allow-no-network", action="store_true")
    options = parser.parse_args()
    command = [str(PIP_AUDIT), *OPTIONS, *(word for file in options.files for word in ("-r", file))]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if not result.stdout.strip():
        print(result.stderr)
        if not NETWORK_ERROR.search(result.stderr):
            return FAILED
        print("PyPI does not answer: nothing was audited.")
        return 0 if options.allow_no_network else NO_NETWORK
    packages = json.loads(result.stdout)["dependencies"]
    audited = [package for package in packages if "vulns" in package]
    print(f"{len(audited)} of {len(packages)} packages were audited.")
    status = 0
    for package in audited:
        for found in package["vulns"]:
            fixed = ", ".join(found["fix_versions"]) or "no version yet"
            accepted = ACCEPTED.get(found["id"])
            note = f" (accepted: {accepted})" if accepted else ""
            print(f"{package['name']} {package['version']}: {found['id']}, fixed in {fixed}{note}")
            status = status if accepted else FAILED
    if not audited and not options.allow_no_network:
        return NO_NETWORK
    return status


if __name__ == "__main__":
    sys.exit(main())
