"""The one writer of files: each appears whole or not at all, and for its owner alone.

A file that is handed out (a release's, its certificate, an external report) follows the umask as
files do. Every other file may hold a secret or data: only its owner may read it, also where an
older file was open to others.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from sqlanon.common.interrupts import held
from sqlanon.errors import EngineError, SpecError, SqlanonError

Replaces = bool | Callable[[Path], bool]
PRIVATE = 0o600
_PREFIX = ".sqlanon-"
_THERE = (
    "is there already: name another file, or replace it by --overwrite (in Python overwrite=True)"
)
# The system's errors for a file that should have been named otherwise; all others are the disk's.
_USERS = frozenset(
    {
        errno.EACCES,
        errno.EEXIST,
        errno.EINVAL,
        errno.EISDIR,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EPERM,
        errno.EROFS,
    }
)


def unwritable(file: Path, error: OSError) -> SqlanonError:
    """The error of a file that cannot be written: by the user's fault, or the disk's."""
    return _said(f"{str(file)!r} cannot be written", error)


def _said(what: str, error: OSError) -> SqlanonError:
    kind = SpecError if error.errno in _USERS else EngineError
    return kind(f"{what}: {error.strerror}")


def check_folder(file: Path) -> None:
    """Refuse a file in a folder in which none can be made.

    Raises:
        SpecError: if there is no such folder, or nothing can be written to it.
        EngineError: if the disk takes no file.
    """
    folder = file.parent
    if not folder.is_dir():
        raise SpecError(f"{str(file)!r}: there is no folder {str(folder)!r}")
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _said(f"{str(file)!r}: no file can be made in {str(folder)!r}", error) from None


def check_free(file: Path, replaces: Replaces = False, mend: str = _THERE) -> None:
    """Refuse the name of a file that cannot be given to a new one.

    A link is never followed, and never replaced: it leads to where nobody may have looked.

    Args:
        file: the file.
        replaces: whether one that is there may be replaced, or what tells it of a file.
        mend: what is said of one that is there and may not.

    Raises:
        SpecError: if something else is there.
    """
    if file.is_symlink():
        what = "is a link: name the file that it leads to, or remove the link"
        raise SpecError(f"{str(file)!r} {what}")
    if file.is_dir():
        raise SpecError(f"{str(file)!r} is a folder: name a file")
    if not file.exists():
        return
    if not file.is_file():
        raise SpecError(f"{str(file)!r} is no file that could be replaced: name another")
    if not (replaces(file) if callable(replaces) else replaces):
        raise SpecError(f"{str(file)!r} {mend}")


def write(
    texts: Mapping[Path, str | bytes],
    replaces: Replaces = False,
    handed_out: bool = False,
    gone: Sequence[Path] = (),
) -> None:
    """Write files, and the folders that they lie in: all of them or none.

    Args:
        texts: the files, and what they hold.
        replaces: whether files that are there may be replaced, or what tells it of a file.
        handed_out: whether they are for others, too.
        gone: files that are removed with it.

    Raises:
        SpecError: if one cannot be written there.
        EngineError: if the disk fails.
    """
    made: list[Path] = []
    try:
        for file in texts:
            made += _make_folders(file)
        with appearing(list(texts), replaces, handed_out, gone) as hidden:
            for path, text in zip(hidden, texts.values(), strict=True):
                path.write_bytes(text.encode() if isinstance(text, str) else text)
    except BaseException:
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


@contextmanager
def appearing(
    files: Sequence[Path],
    replaces: Replaces = False,
    handed_out: bool = False,
    gone: Sequence[Path] = (),
) -> Iterator[list[Path]]:
    """Paths to write to in place of files, which then appear whole: all of them or none.

    They lie in a hidden folder next to the files, which nobody else may look into. A file
    that was not there at the beginning replaces none that somebody made meanwhile.

    Args:
        files: what is to appear.
        replaces: whether files that are there may be replaced, or what tells it of a file.
        handed_out: whether they are for others, too.
        gone: files that are removed with it.

    Raises:
        SpecError: if a file is there and not to be replaced, or cannot be written.
        EngineError: if the disk fails.
    """
    for file in files:
        check_folder(file)
        check_free(file, replaces)
    older = {file for file in files if file.exists()}
    with ExitStack() as stack:
        try:
            beside = {
                parent: stack.enter_context(temporary_folder(parent))
                for parent in dict.fromkeys(file.parent for file in (*files, *gone))
            }
            hidden = [beside[file.parent] / file.name for file in files]
            yield hidden
            for path in hidden:
                _finish(path, handed_out)
            with held():
                _place(dict(zip(files, hidden, strict=True)), older, gone, beside)
        except OSError as error:
            asked = _asked(error, files)
            if asked is None:
                raise
            raise unwritable(asked, error) from None


def replace_folder(source: Path, target: Path) -> None:
    """Copy a folder in place of another, whole or not at all; all of it may be handed out.

    Raises:
        SpecError: if the other is a link, or nothing can be written there.
        EngineError: if the disk fails.
    """
    if target.is_symlink():
        raise SpecError(f"{str(target)!r} is a link: remove it")
    try:
        with temporary_folder(target.parent) as hidden:
            new, old = hidden / "new", hidden / "old"
            shutil.copytree(source, new)
            if target.exists():
                target.rename(old)
            try:
                new.rename(target)
            except OSError:
                if old.exists():
                    old.rename(target)
                raise
    except shutil.Error as error:  # what it says is a list of files
        raise EngineError(f"{str(target)!r} cannot be written: {error.args[0][0][2]}") from None
    except OSError as error:
        raise unwritable(target, error) from None


@contextmanager
def temporary_folder(parent: Path | None = None) -> Iterator[Path]:
    """A folder for its owner alone, which is gone afterwards: no signal leaves it behind.

    Args:
        parent: where it lies; by default in the system's temporary folder.
    """
    folder = None
    try:
        with held():
            folder = TemporaryDirectory(prefix=_PREFIX, dir=parent, ignore_cleanup_errors=True)
        yield Path(folder.name)
    finally:
        with held():
            if folder is not None:
                folder.cleanup()


def _make_folders(file: Path) -> list[Path]:
    """The folders that were made for a file, outermost first."""
    lacking = [folder for folder in file.parents if not folder.exists()]
    made: list[Path] = []
    try:
        for folder in reversed(lacking):
            folder.mkdir()
            made.append(folder)
    except OSError as error:
        for folder in reversed(made):
            folder.rmdir()
        raise unwritable(file, error) from None
    return made


def _finish(path: Path, handed_out: bool) -> None:
    """A hidden file as it is to appear: with its rights, and on the disk."""
    path.chmod(_open_mode(path) if handed_out else PRIVATE)
    with path.open("rb+") as opened:
        os.fsync(opened.fileno())


def _open_mode(path: Path) -> int:
    """The rights of a new file here, as the umask has them."""
    probe = path.with_name(".mode")
    probe.unlink(missing_ok=True)
    opened = os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        return os.fstat(opened).st_mode & 0o666
    finally:
        os.close(opened)
        probe.unlink()


def _place(
    made: Mapping[Path, Path], older: set[Path], gone: Sequence[Path], beside: Mapping[Path, Path]
) -> None:
    """Give files their names and remove others, or undo all of it."""
    kept: dict[Path, Path | None] = {}  # what was there before each
    try:
        for file, path in made.items():
            before = beside[file.parent] / f".{len(kept)}"
            if file in older:
                _keep(file, before)
                kept[file] = before
                path.replace(file)
            else:
                _name(path, file)
                kept[file] = None
        for file in gone:
            before = beside[file.parent] / f".{len(kept)}"
            file.rename(before)
            kept[file] = before
    except BaseException:
        for file, was in reversed(kept.items()):
            if was is None:
                file.unlink(missing_ok=True)
            elif was.exists():
                was.replace(file)
        raise
    for folder in beside:
        _sync(folder)


def _keep(file: Path, copy: Path) -> None:
    """A second name for a file, or a copy where the disk knows no second names."""
    try:
        copy.hardlink_to(file)
    except OSError:
        shutil.copy2(file, copy)


def _name(path: Path, file: Path) -> None:
    """Give a new file its name, in place of none that somebody made meanwhile."""
    try:
        file.hardlink_to(path)
    except FileExistsError:
        raise SpecError(f"{str(file)!r} {_THERE}") from None
    except OSError:  # a disk that knows no second names
        check_free(file)
        path.rename(file)


def _sync(folder: Path) -> None:
    """Sync the names in a folder to the disk, where the system can do that with a folder."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _asked(error: OSError, files: Sequence[Path]) -> Path | None:
    """The file that an error is of; None if it is of something else."""
    if error.filename is None:
        return files[0]
    named = Path(os.fsdecode(error.filename))
    hidden = any(part.startswith(_PREFIX) for part in named.parts)
    if not hidden and named.parent not in {file.parent for file in files}:
        return None
    return next((file for file in files if file.name in named.parts), files[0])
