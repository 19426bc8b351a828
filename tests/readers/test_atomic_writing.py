"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from xpgcheck.errors import InputError
from xpgcheck.writers.atomic import write_atomically


def test_text_and_bytes(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a", "é\n")
    write_atomically(tmp_path / "b", b"\xff")
    assert (tmp_path / "a").read_bytes() == b"\xc3\xa9\n"
    assert (tmp_path / "b").read_bytes() == b"\xff"
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\); name a file") as caught:
        write_atomically(path, "new")
    assert caught.value.place == str(path)
    assert os.listdir(tmp_path) == ["a"]
    assert path.read_text() == "old"


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "a", "new")
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file or directory"):
        write_atomically(tmp_path / "absent" / "a", "x")


def test_a_folder_as_the_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="Is a directory"):
        write_atomically(tmp_path / "folder", "x")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_link_keeps_pointing_where_it_does(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "a", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there is no /dev/null")
def test_a_device_is_written_to(tmp_path: Path) -> None:
    write_atomically("/dev/null", "x")
    assert Path("/dev/null").is_char_device()
