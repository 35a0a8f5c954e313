"""The software bill of materials: what a full installation has, as CycloneDX."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from hatch_build import PINNED, pins

# All that can be installed, with all that it needs.
REQUIREMENTS = (
    "requirements-light.txt", "requirements.txt", "requirements-models.txt",
)  # fmt: skip
EFLOMAL = "requirements-eflomal.txt"


def bill_of_materials(root: Path, version: str) -> str:
    """Return the bill of SegRanks: the packages that it pins, and the scripts that it contains.

    Licences and dependencies are those of the packages in the running environment. Exit if a
    package is missing there, or of another version.
    """
    texts = [(root / file).read_text(encoding="utf-8") for file in REQUIREMENTS]
    pinned = {canonicalize_name(name): pin for text in texts for name, pin in PINNED.findall(text)}
    pinned[canonicalize_name("eflomal")] = pins(root / EFLOMAL)["eflomal"]
    found = _environment(root)
    components, references = [], {}
    for component in found["components"]:
        name = canonicalize_name(component["name"])
        # Builds of a version, such as "2.13.0+cpu", are the same version.
        if component["version"].partition("+")[0] != pinned.get(name):
            continue
        purl = f"pkg:pypi/{name}@{pinned.pop(name)}"
        references[component["bom-ref"]] = purl
        # Where this machine has it from.
        component.pop("externalReferences", None)
        components.append(
            component | {"bom-ref": purl, "purl": purl, "version": purl.partition("@")[2]}
        )
    if pinned:
        sys.exit(
            "These packages are missing, or of other versions, in the environment that builds the "
            f"release: {', '.join(pinned)}. Run make development."
        )
    scripts = [_script(folder) for folder in sorted((root / "static" / "vendor").iterdir())]
    needed = {
        references[entry["ref"]]: sorted(
            references[one] for one in entry.get("dependsOn", ()) if one in references
        )
        for entry in found["dependencies"]
        if entry["ref"] in references
    }
    segranks = found["metadata"]["component"] | {"bom-ref": "segranks", "version": version}
    direct = {
        canonicalize_name(name) for file in (*REQUIREMENTS, EFLOMAL) for name in pins(root / file)
    }
    needed["segranks"] = sorted(
        component["bom-ref"]
        for component in (*components, *scripts)
        if component in scripts or canonicalize_name(component["name"]) in direct
    )
    found["metadata"]["component"] = segranks
    found["components"] = sorted((*components, *scripts), key=lambda one: one["bom-ref"])
    found["dependencies"] = [
        {"ref": ref, **({"dependsOn": others} if others else {})}
        for ref, others in sorted(needed.items())
    ]
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _environment(root: Path) -> dict[str, Any]:
    """Return the bill of everything that the running environment has."""
    program = Path(sys.prefix) / "release" / "bin" / "cyclonedx-py"
    options = ("--output-reproducible", "--pyproject", root / "pyproject.toml", "--short-PURLs")
    done = subprocess.run(
        [program, "environment", *options, sys.executable],
        check=True,
        capture_output=True,
        text=True,
    )
    bill: dict[str, Any] = json.loads(done.stdout)
    return bill


def _script(folder: Path) -> dict[str, Any]:
    """Return the component of a script of other people, in the folder NAME-VERSION."""
    name, _, version = folder.name.rpartition("-")
    purl = f"pkg:npm/{name}@{version}"
    text = (folder / "LICENSE").read_text(encoding="utf-8")
    licence = "MIT" if re.search(r"\bMIT\b", text) else "BSD-3-Clause"
    return {
        "type": "library", "name": name, "version": version, "bom-ref": purl, "purl": purl,
        "licenses": [{"license": {"id": licence}}],
    }  # fmt: skip
