"""OpenCL devices."""
from __future__ import annotations

from typing import Any, Dict, List, Optional

from . import errors
from ._native import check, ffi, lib, text_of


class Device:
    """An OpenCL device."""

    def __init__(self, platform: int, device: int):
        made, out = ffi.new("ew_device_def *", lib.ew_default_device_def()), ffi.new("ew_device **")
        made.platform, made.device = platform, device
        check(lib.ew_device_open(out, made))
        self.struct = ffi.gc(out[0], lib.ew_device_close)


def open_device(name: Optional[str]) -> Optional[Device]:
    if name in (None, "host"):
        return None
    words = str(name).split(":")
    if words[0] != "opencl" or len(words) > 2:
        raise errors.BadArgument(f"device: {name!r} is none of host, opencl, opencl:P.D")
    if len(words) == 1:
        return Device(-1, -1)
    place = words[1].split(".")
    if len(place) != 2 or not all(one.isdigit() for one in place):
        raise errors.BadArgument(f"device: {name!r} is not of the form opencl:P.D")
    return Device(int(place[0]), int(place[1]))


def devices() -> List[Dict[str, Any]]:
    """The OpenCL devices of this machine."""
    rows, n = ffi.new("ew_device_info **"), ffi.new("int32_t *")
    check(lib.ew_device_list(rows, n))
    try:
        return [{"device": f"opencl:{one.platform}.{one.device}", "name": text_of(one.name)}
                for one in (rows[0][k] for k in range(n[0]))]
    finally:
        lib.ew_release(rows[0])
