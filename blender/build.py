"""python3 blender/build.py [WHEEL...] : makes the extension that Blender installs, target/blender/galvani-VERSION.zip.

Wheels may be those of several platforms; without any, that of this machine is built.
"""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "target" / "blender"

# What Blender calls the platforms of wheels.
PLATFORMS = {
    r"linux.*_x86_64": "linux-x64",
    r"linux.*_aarch64": "linux-arm64",
    r"macosx.*_arm64": "macos-arm64",
    r"macosx.*_x86_64": "macos-x64",
    r"win_amd64": "windows-x64",
    r"win_arm64": "windows-arm64",
}


def platform(wheel):
    """The platform of a wheel, by the end of its name."""
    tag = wheel.stem.rsplit("-", 1)[-1]
    found = [name for pattern, name in PLATFORMS.items() if re.search(pattern, tag)]
    if not found:
        sys.exit(f"{wheel.name}: Blender knows no platform `{tag}`")
    return found[0]


def manifest(wheels):
    """The manifest with these wheels."""
    paths = ", ".join(f'"./wheels/{wheel.name}"' for wheel in wheels)
    names = ", ".join(f'"{name}"' for name in sorted({platform(wheel) for wheel in wheels}))
    text = (HERE / "galvani" / "blender_manifest.toml").read_text()
    return text.replace("wheels = []", f"wheels = [{paths}]\nplatforms = [{names}]")


def own_wheel():
    """The wheel of this machine."""
    made = subprocess.run(["cargo", "xtask", "wheel"], cwd=HERE.parent, check=True, stdout=subprocess.PIPE, text=True)
    return Path(made.stdout.splitlines()[-1])


def build(wheels, out):
    """Writes the extension; the same files give the same bytes."""
    files = {path.name: path.read_bytes() for path in sorted((HERE / "galvani").glob("*.py"))}
    files["blender_manifest.toml"] = manifest(wheels).encode()
    files |= {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels}
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, bytes_ in files.items():
            archive.writestr(zipfile.ZipInfo(name), bytes_, zipfile.ZIP_DEFLATED)
    return out


if __name__ == "__main__":
    chosen = [Path(word) for word in sys.argv[1:]] or [own_wheel()]
    version = tomllib.loads(manifest(chosen))["version"]
    print(build(chosen, OUT / f"galvani-{version}.zip"))
