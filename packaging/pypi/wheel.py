"""Packs a binary as a wheel: wheel.py BINARY README OUT NAME VERSION TAGS ABOUT.

The same input gives the same bytes: names in order, one fixed date, no user and no machine in it.
"""

import base64
import hashlib
import sys
import zipfile

DATE = (1980, 1, 1, 0, 0, 0)


def main(binary, readme, out, name, version, tags, about):
    info = f"{name}-{version}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: cargo xtask package\nRoot-Is-Purelib: false\n"
    for platform in tags.split("."):
        wheel += f"Tag: py3-none-{platform}\n"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: {about}\n"
    metadata += "License: MIT OR Apache-2.0\nDescription-Content-Type: text/markdown\n\n"
    with open(readme, encoding="utf-8") as file:
        metadata += file.read()
    with open(binary, "rb") as file:
        program = file.read()
    files = [
        (f"{name}-{version}.data/scripts/belay", program, 0o755),
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", wheel.encode(), 0o644),
    ]
    record = "".join(f"{path},sha256={digest(data)},{len(data)}\n" for path, data, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data, mode in files:
            entry = zipfile.ZipInfo(path, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


main(*sys.argv[1:])
