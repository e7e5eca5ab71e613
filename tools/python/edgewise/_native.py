"""What stands between the library and Python: failures, arrays without copies, callbacks, locks.

Arrays. What the library computes is shown as a read-only NumPy array on the library's own memory. Such
an array never changes: before a call changes memory that an array shows, the model goes on in a copy
and the array keeps what it has. So nothing is copied unless somebody holds an array across a change,
and no array dangles."""
from __future__ import annotations

import contextlib
import logging
import os
import threading
import weakref
from typing import Any, Callable, Dict, Optional, Sequence

# Read when libgomp is loaded: threads that wait spin for a bounded time (see ew_use_threads).
if "GOMP_SPINCOUNT" not in os.environ and "OMP_WAIT_POLICY" not in os.environ:
    os.environ["GOMP_SPINCOUNT"] = "2000"

import numpy as np  # noqa: E402

from . import errors  # noqa: E402
from ._ew import ffi, lib  # noqa: E402

log = logging.getLogger("edgewise")
errors._define(lib, ffi)

NULL = ffi.NULL
OK = lib.EW_OK


# ---- failures ------------------------------------------------------------------------------------

def failure(status: int) -> errors.EdgewiseError:
    """The thread's last failure as an exception."""
    last = lib.ew_last_failure()
    text, line = text_of(last.text), last.line
    ids = tuple(number for number in (last.id[0], last.id[1]) if number >= 0)
    kind = errors._BY_STATUS.get(status, errors.EdgewiseError)
    made = kind(text or text_of(lib.ew_status_text(status)), line, ids)
    made.line = line or last.file_line
    return made


def check(status: int) -> None:
    if status:
        raise failure(status)


def text_of(chars) -> str:
    return ffi.string(chars).decode("utf-8", "replace") if chars else ""


def chars(text: str):
    """A C string; the caller keeps it alive as long as it is used."""
    raw = text.encode("utf-8")
    if b"\0" in raw:
        raise errors.BadArgument(f"a name holds a zero byte: {text!r}")
    return ffi.new("char[]", raw)


# ---- arguments -----------------------------------------------------------------------------------

def real_array(values, shape: Sequence[Optional[int]], what: str) -> np.ndarray:
    """`values` as contiguous float64 of this shape (None: any length)."""
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise errors.BadArgument(f"{what}: numbers are expected, {error}") from None
    return _shaped(array, shape, what)


def int_array(values, shape: Sequence[Optional[int]], what: str, dtype=np.int32) -> np.ndarray:
    """`values` as contiguous integers of this shape; a fraction or one beyond the range is refused."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(dtype)
    if array.dtype == bool or not np.issubdtype(array.dtype, np.integer):
        raise errors.BadArgument(f"{what}: whole numbers are expected, and the array is of "
                                 f"{array.dtype}")
    limit = np.iinfo(dtype)
    if array.size and (array.min() < limit.min or array.max() > limit.max):
        raise errors.BadArgument(f"{what}: numbers are from {limit.min} to {limit.max}")
    return _shaped(np.ascontiguousarray(array, dtype=dtype), shape, what)


def _shaped(array: np.ndarray, shape: Sequence[Optional[int]], what: str) -> np.ndarray:
    fits = array.ndim == len(shape) and all(want is None or want == have
                                            for want, have in zip(shape, array.shape))
    if not fits:
        wanted = ", ".join("n" if want is None else str(want) for want in shape)
        raise errors.BadArgument(f"{what}: the shape is ({wanted}), and not {array.shape}")
    return array


def vector(values, what: str) -> np.ndarray:
    """Three numbers; or "x", "-y", ... for a unit vector."""
    if isinstance(values, str):
        axis = values.lstrip("+-")
        if axis not in ("x", "y", "z") or len(values) > 2:
            raise errors.BadArgument(f"{what}: {values!r} is none of x, y, z, -x, -y, -z")
        unit = np.zeros(3)
        unit["xyz".index(axis)] = -1.0 if values[0] == "-" else 1.0
        return unit
    return real_array(values, (3,), what)


def put(target, values) -> None:
    """Numbers into an array of a struct."""
    for place, value in enumerate(values):
        target[place] = value


def pointer(array: np.ndarray, kind: str):
    """The array's memory; the caller keeps the array alive."""
    return ffi.cast(kind, ffi.from_buffer(array)) if array.size else NULL


def word_place(words: str, word: str, what: str) -> int:
    """The place of a word in a list of the library's."""
    listed = words.split()
    if word not in listed:
        raise errors.BadArgument(f"{what}: {word!r} is none of {', '.join(listed)}")
    return listed.index(word)


# ---- lists of ids --------------------------------------------------------------------------------

def list_array(one) -> np.ndarray:
    """A copy of an ew_list."""
    return copied(one.id, (one.n,), np.int32)


@contextlib.contextmanager
def id_list(ids: Optional[np.ndarray] = None):
    """An ew_list that is released at the end, with a copy of the ids."""
    made = ffi.new("ew_list *")
    try:
        if ids is not None and len(ids):
            check(lib.ew_grow_copy(ffi.addressof(made, "id"), ffi.addressof(made, "capacity"),
                                   pointer(ids, "int32_t *"), len(ids), 4))
            made.n = len(ids)
        yield made
    finally:
        lib.ew_list_free(made)


def copied(start, shape, dtype) -> np.ndarray:
    """A copy of an array of the library's, read-only."""
    count = int(np.prod(shape, dtype=np.int64))
    made = np.empty(shape, dtype)
    if count:
        ffi.memmove(ffi.from_buffer(made), start, made.nbytes)
    made.flags.writeable = False
    return made


# ---- arrays without copies -----------------------------------------------------------------------

class _Lease:
    """Memory of an owner that arrays show."""

    __slots__ = ("owner", "by_key", "memory", "array", "group", "detach", "__weakref__")

    def __init__(self, owner, by_key, group, detach):
        self.owner = owner
        self.by_key = by_key
        self.group = group
        self.detach = detach
        self.memory: Callable[[], Any] = lambda: None
        self.array: Callable[[], Any] = lambda: None


class Leases:
    """All arrays on memory of one owner, an object that releases the memory when it dies."""

    def __init__(self, owner):
        self._owner = owner
        self._by_key: Dict[Any, _Lease] = {}

    def array(self, key, start, shape, dtype, group: str, detach) -> np.ndarray:
        """The array of this key, made if there is none. detach(): the owner goes on in a copy; it
        returns the old memory, which is then the array's."""
        lease = self._by_key.get(key)
        shown = lease.array() if lease else None
        if shown is not None:
            return shown
        if not start or 0 in shape:
            empty = np.zeros(shape, dtype)
            empty.flags.writeable = False
            return empty
        memory = lease.memory() if lease else None  # alive where a view of the array is
        if memory is None:
            lease, memory = self._lend(key, start, group, detach)
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        # The buffer keeps `memory` alive, and each array or view the buffer.
        buffer = memoryview(ffi.buffer(memory, size)).toreadonly()
        shown = np.frombuffer(buffer, dtype).reshape(shape)
        lease.array = weakref.ref(shown)
        return shown

    def _lend(self, key, start, group: str, detach):
        lease = _Lease(self._owner, self._by_key, group, detach)

        def died(memory):
            if lease.owner is None:
                lib.ew_release(memory)
            elif lease.by_key.get(key) is lease:
                del lease.by_key[key]

        memory = ffi.gc(ffi.cast("void *", start), died)
        lease.memory = weakref.ref(memory)
        self._by_key[key] = lease
        return lease, memory

    def detach(self, *groups: str) -> None:
        """Before memory of these groups changes (none: of any): arrays keep what they show."""
        for key, lease in list(self._by_key.items()):
            if groups and lease.group not in groups:
                continue
            self._by_key.pop(key, None)
            if lease.memory() is not None:
                lease.detach()
                # An array that a journal keeps would hold its model by these; the collector does not
                # look into arrays.
                lease.owner = lease.by_key = lease.detach = None

    def __len__(self) -> int:
        return len(self._by_key)


def slot_detach(slot, bytes_of: int):
    """For Leases.array: the slot is the address of the pointer in its struct."""
    def detach():
        old = ffi.new("void **")
        check(lib.edgewise_detach(ffi.cast("void **", slot), bytes_of, old))
    return detach


# ---- parts of a model ----------------------------------------------------------------------------

class PartOfModel:
    """A named part of a model, which the model keeps: it does not keep the model, so that a model is
    released with the last reference to it."""

    def __init__(self, model, name: str):
        self._ref, self.name = weakref.ref(model), name

    @property
    def _model(self):
        model = self._ref()
        if model is None:
            raise errors.Stale(f"the model of {self.name!r} is released: keep a reference to it as long "
                               "as its sets and fields are used")
        return model


# ---- progress and interrupts ---------------------------------------------------------------------

class Watch:
    """The progress of one call: `progress(stage, done)` is called about every `interval` seconds. It
    stops the call by returning False or by an exception, which the call then raises. An interrupt
    (Ctrl-C) stops it as well."""

    def __init__(self, progress: Optional[Callable[[str, float], Any]], interval: Optional[float] = None):
        self.progress = progress
        self.error: Optional[BaseException] = None
        self.stopped = False  # by another callback of the same call
        self._handle = ffi.new_handle(self)
        self._watch = ffi.new("edgewise_watch *")
        self._watch.user = self._handle
        self._watch.interval = 0.05 if interval is None else interval

    def struct(self):
        return lib.edgewise_progress_of(self._watch)

    def call(self, stage: str, done: float) -> bool:
        try:
            return self.progress is None or self.progress(stage, done) is not False
        except BaseException as error:
            self.error = error
            return False

    def check(self, status: int) -> None:
        """As `check`; an exception of the callback stands in place of the failure that it caused."""
        if self.error is not None:
            raise self.error
        if status == lib.EW_CANCELED and self.progress is None and not self.stopped:
            raise KeyboardInterrupt  # nobody else cancels
        check(status)


def _interrupted(exception, value, traceback):
    """An interrupt may come before `call` is in its try block."""
    user = traceback.tb_frame.f_locals.get("user") if traceback else None
    if user is not None:
        ffi.from_handle(user).error = value
    return False


@ffi.def_extern(name="edgewise_python_progress", onerror=_interrupted, error=False)
def _progress(user, stage, done):
    watch = ffi.from_handle(user)
    return watch.call(text_of(stage), done)


# ---- processes -----------------------------------------------------------------------------------

# OpenMP's threads do not survive a fork: the child goes on with one thread.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: lib.ew_use_threads(1))

Lock = threading.RLock
