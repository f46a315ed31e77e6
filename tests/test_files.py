"""The file tool reads what lies in its folder, in many encodings, and nothing else."""

from __future__ import annotations

import csv
import os
import pickle
import random
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from reactlab.errors import ConfigError, ToolError
from reactlab.tools.files import MAX_LISTED, OUTSIDE, Folder, read_file, sample_folder

SECRET = "the secret outside"
ZH = "会议记录：下周三在上海开会，请带上合同。\n联系人王小梅。"
FR = "Général, café crème, naïve façade – 25 € à Noël: «élève», où ça?"
posix = pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder `data` with files, and around it what must not be read."""
    for place in ("data/sub/deep", "data-old", "other"):
        (tmp_path / place).mkdir(parents=True)
    for outside in ("data-old/a.txt", "other/a.txt", "x", "secret.txt"):
        (tmp_path / outside).write_text(SECRET)
    for inside in ("a.txt", "two words.txt", "报告 2026.txt", "sub/b.txt", "sub/deep/c.txt"):
        (tmp_path / "data" / inside).write_text(f"inside {inside}", encoding="utf-8")
    (tmp_path / "data" / "50%.txt").write_text("half")
    (tmp_path / "data" / "100%25 sure.txt").write_text("sure")
    (tmp_path / "data" / "..odd").write_text("odd")
    return tmp_path / "data"


def refusal(root: Path, path: str) -> str:
    start = time.perf_counter()
    with pytest.raises(ToolError) as caught:
        Folder(root).read(path)
    assert time.perf_counter() - start < 1
    assert SECRET not in str(caught.value)
    assert len(str(caught.value)) < 5_000
    return str(caught.value)


@pytest.mark.parametrize(
    "path",
    [
        *("a.txt", "two words.txt", "报告 2026.txt", "sub/b.txt", "sub/deep/c.txt", "./a.txt"),
        *("sub//b.txt", "sub/../a.txt", "sub/deep/../b.txt", " a.txt\n", '"a.txt"', "'a.txt'"),
    ],
)
def test_files_inside_are_read(root: Path, path: str) -> None:
    assert Folder(root).read(path).startswith("inside ")


def test_names_that_merely_look_odd_are_read(root: Path) -> None:
    assert Folder(root).read("50%.txt") == "half"
    assert Folder(root).read("100%25 sure.txt") == "sure"
    assert Folder(root).read("..odd") == "odd"


# Ways out: up, beside, absolute, in other spellings; there or not, all get the same message.
WAYS_OUT = [
    # up, beside, and down again
    "../secret.txt",
    "../data-old/a.txt",
    "../data-old",
    "../../x",
    "../x",
    "..",
    "../",
    "../..",
    "../does-not-exist",
    "../" * 40 + "etc/passwd",
    "sub/../../data-old/a.txt",
    "sub/../../../x",
    "./../secret.txt",
    "sub/deep/../../../secret.txt",
    "missing/../../secret.txt",
    "a.txt/../../secret.txt",
    # absolute, also as an address, and what the system shows as files
    "/etc/passwd",
    "//etc/passwd",
    "/",
    "///",
    "/proc/self/environ",
    "/dev/stdin",
    "/dev/zero",
    "/dev/fd/0",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd/../secret.txt",
    "/proc/self/fd/0",
    "/sys/kernel/notes",
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "http://localhost/",
    "smb://server/share/a.txt",
    "zip:a.zip!/../secret.txt",
    # back-slashes and drives, on every system
    "..\\secret.txt",
    "..\\data-old\\a.txt",
    "sub\\..\\..\\secret.txt",
    "sub\\b.txt",
    "\\etc\\passwd",
    "\\\\server\\share\\a.txt",
    "//server/share/a.txt",
    "\\\\?\\C:\\Windows\\win.ini",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "C:secret.txt",
    "..\\/secret.txt",
    "\\\\.\\pipe\\x",
    "\\\\.\\CON",
    "\\\\localhost\\C$\\Windows\\win.ini",
    "//./CON",
    "//?/C:/Windows/win.ini",
    # streams beside a file
    "a.txt::$DATA",
    "a.txt:hidden:$DATA",
    "sub:$I30:$INDEX_ALLOCATION/../../secret.txt",
    # per cent codes, once, twice, and mixed
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "..%2fsecret.txt",
    "..%2Fdata-old%2Fa.txt",
    "%2E%2E%2Fdata-old%2Fa.txt",
    "..%5csecret.txt",
    "%252e%252e%252fsecret.txt",
    "%25252e%25252e%25252fsecret.txt",
    "sub%2f..%2f..%2fsecret.txt",
    "%2fetc%2fpasswd",
    "%43:/Windows/win.ini",
    "a.txt%00.png",
    # bytes that end a name early, and names that are none
    "a.txt\x00",
    "../secret.txt\x00.txt",
    "\x00",
    "\ud800",
    "x" * 5_000,
    "../" * 4_000,
    "a/" * 4_000,
    "x" * 300 + "/../../secret.txt",
]


@pytest.mark.parametrize("path", WAYS_OUT, ids=lambda path: f"{ascii(path)[:40]}")
def test_every_way_out_is_refused_with_the_same_message(root: Path, path: str) -> None:
    assert refusal(root, path) == OUTSIDE


def test_an_absolute_path_is_refused_even_when_it_points_inside(root: Path) -> None:
    assert refusal(root, str(root / "a.txt")) == OUTSIDE
    assert refusal(root, str(root.parent / "data-old" / "a.txt")) == OUTSIDE


# Spellings that some system might take for a way out, and that are plain missing files here.
@pytest.mark.parametrize(
    "path",
    [
        *("．．/secret.txt", "․․/secret.txt", "..;/secret.txt", "~/secret.txt", "~root", "$HOME/x"),
        *("....//../secret.txt", "..%c0%afsecret.txt", "%u002e%u002e/secret.txt", "A.TXT.bak"),
        # slashes and dots of other alphabets, and signs that are not seen
        *("..／secret.txt", "..∕secret.txt", "..⁄secret.txt", "‥/secret.txt", "。。/secret.txt"),
        *("..\u200b/secret.txt", ".\u2024/secret.txt", "..\u00a0/secret.txt", "\u202etxt.terces"),
        # devices that Windows finds in every folder
        *("CON", "nul", "AUX.txt", "com1", "LPT1.log", "sub/NUL", "PRN .txt", "CONIN$", "COM¹"),
        # what a shell would make something of
        *("*", "a*.txt/x", "{a,../secret}.txt", "$(cat ../secret.txt)", "`cat ../secret.txt`"),
        *("a.txt;../secret.txt", "a.txt|../secret.txt", "-", "--help", "a.txt\n../secret.txt"),
    ],
)
def test_other_spellings_lead_nowhere(root: Path, path: str) -> None:
    assert refusal(root, path)


@posix
@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("../secret.txt", "link"),
        ("/etc/passwd", "link"),
        ("../other", "link/a.txt"),
        ("..", "link/secret.txt"),
        ("/", "link/etc/passwd"),
        ("../data-old", "link"),
        ("../gone.txt", "link"),
        ("sub/../../secret.txt", "link"),
        ("/proc/self/root/etc/passwd", "link"),
        ("/dev/zero", "link"),
        ("/proc/self/fd/0", "link"),
        ("/proc/self/cwd", "link/tests"),
        ("../data/../secret.txt", "link"),
        ("link", "link"),
        ("link/x", "link/x"),
    ],
)
def test_links_that_leave_the_folder_are_refused(root: Path, target: str, path: str) -> None:
    (root / "link").symlink_to(target)
    refusal(root, path)


@posix
def test_chains_of_links_that_leave_the_folder_are_refused(root: Path) -> None:
    (root / "one").symlink_to("sub/two")
    (root / "sub" / "two").symlink_to("deep/three")
    (root / "sub" / "deep" / "three").symlink_to("../../../secret.txt")
    assert refusal(root, "one") == OUTSIDE


@posix
def test_links_that_stay_inside_are_read(root: Path) -> None:
    (root / "near").symlink_to("sub/b.txt")
    (root / "far").symlink_to(root / "sub" / "deep")
    (root / "sub" / "up").symlink_to("../a.txt")
    folder = Folder(root)
    assert folder.read("near") == "inside sub/b.txt"
    assert folder.read("far/c.txt") == "inside sub/deep/c.txt"
    assert folder.read("sub/up") == "inside a.txt"


@posix
def test_a_folder_that_is_itself_a_link_can_be_the_root(root: Path) -> None:
    (root.parent / "alias").symlink_to(root)
    assert Folder(root.parent / "alias").read("a.txt") == "inside a.txt"


@posix
def test_a_link_swapped_in_at_the_last_moment_is_never_followed(root: Path) -> None:
    """One thread turns `flip` from a folder into a link and back while another reads."""
    (root / "flip").mkdir()
    (root / "flip" / "a.txt").write_text("inside")
    (root / "way-out").symlink_to("../other")
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            (root / "flip").rename(root / "kept")
            (root / "way-out").rename(root / "flip")
            (root / "flip").rename(root / "way-out")
            (root / "kept").rename(root / "flip")

    flipper = threading.Thread(target=flip)
    flipper.start()
    seen = set()
    try:
        for _ in range(1_000):
            with suppress(ToolError):
                seen.add(Folder(root).read("flip/a.txt"))
    finally:
        stop.set()
        flipper.join()
    assert seen <= {"inside"}


@posix
def test_a_pipe_swapped_in_at_the_last_moment_is_never_read(root: Path) -> None:
    """As above, with a file and a pipe."""
    (root / "flip").write_text("inside")
    os.mkfifo(root / "pipe")
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            (root / "flip").rename(root / "kept")
            (root / "pipe").rename(root / "flip")
            (root / "flip").rename(root / "pipe")
            (root / "kept").rename(root / "flip")

    flipper = threading.Thread(target=flip)
    flipper.start()
    seen = set()
    try:
        for _ in range(1_000):
            with suppress(ToolError):
                seen.add(Folder(root).read("flip"))
    finally:
        stop.set()
        flipper.join()
    assert seen <= {"inside"}


@posix
def test_pipes_and_sockets_are_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert "no ordinary file" in refusal(root, "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(root)  # the names of such sockets may not be long
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
        assert "no ordinary file" in refusal(root, "socket")


def test_what_is_missing_is_answered_with_what_is_there(root: Path) -> None:
    message = refusal(root, "two word.txt")
    assert "Did you mean 'two words.txt'?" in message
    assert "sub/" in message
    assert "报告 2026.txt" in message
    assert "no 'sub/nothing.txt'" in refusal(root, "sub/nothing.txt")


@posix
def test_a_file_without_permission_gives_a_message(root: Path) -> None:
    (root / "a.txt").chmod(0)
    if not os.access(root / "a.txt", os.R_OK):
        assert "cannot be read" in refusal(root, "a.txt")
    assert "cannot be read" in refusal(root, "50%.txt/x")


@pytest.mark.parametrize("path", ["", ".", "./", "sub/..", "sub/deep/../.."])
def test_the_folder_itself_lists_its_files(root: Path, path: str) -> None:
    text = Folder(root).read(path)
    assert text.splitlines()[0] == "In the folder:"
    assert {"a.txt", "sub/", "two words.txt", "报告 2026.txt"} <= set(text.splitlines())


def test_a_folder_inside_lists_its_files(root: Path) -> None:
    assert Folder(root).read("sub") == "In the folder 'sub':\nb.txt\ndeep/"
    (root / "empty").mkdir()
    assert Folder(root).read("empty") == "In the folder 'empty':\n(nothing)"


def test_a_long_list_is_cut_and_says_so(root: Path) -> None:
    (root / "many").mkdir()
    for n in range(MAX_LISTED + 50):
        (root / "many" / f"{n:04}").touch()
    assert Folder(root).read("many").endswith("(50 more)")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "gbk", "gb18030"])
@pytest.mark.parametrize("text", [ZH, ZH + " with English", "价格 5 元 and English text goes on"])
def test_chinese_is_read_whatever_its_encoding(root: Path, text: str, encoding: str) -> None:
    (root / "t.txt").write_bytes(text.encode(encoding))
    assert Folder(root).read("t.txt").removesuffix("\n[read as gb18030]") == text


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp1252", "utf-16"],
)
@pytest.mark.parametrize("text", [FR, "das ist schön: Größe, Übung, Straße", "Müller"])
def test_western_text_is_read_whatever_its_encoding(root: Path, text: str, encoding: str) -> None:
    (root / "t.txt").write_bytes(text.encode(encoding))
    assert Folder(root).read("t.txt").removesuffix("\n[read as cp1252]") == text


@pytest.mark.parametrize("text", [ZH, FR])
def test_one_bad_byte_in_utf8_costs_a_character_and_is_noted(root: Path, text: str) -> None:
    data = text.encode()
    (root / "t.txt").write_bytes(
        data[: text.encode().index(b"\n") if b"\n" in data else 3] + b"\xff"
    )
    assert Folder(root).read("t.txt").endswith("[1 unreadable characters replaced; read as utf-8]")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + b"x" * 99,
        b"%PDF-1.7 text that follows",
        b"PK\x03\x04 a packed file",
        b"\x1f\x8b\x08 a packed file",
        b"MZ\x90\x00\x03\x00\x00\x00",
        bytes(range(256)) * 20,
        b"\x00" * 5_000,
        random.Random(3).randbytes(5_000),
    ],
    ids=["png", "pdf", "zip", "gzip", "exe", "all bytes", "zeros", "noise"],
)
def test_a_binary_file_gives_a_message(root: Path, data: bytes) -> None:
    (root / "b").write_bytes(data)
    assert "binary file" in refusal(root, "b")


def test_a_huge_file_is_cut_and_says_so(root: Path) -> None:
    with (root / "huge.txt").open("wb") as file:
        file.write(b"line\n" * 100_000)
        file.truncate(3_000_000_000)  # a hole: takes no space
    text = Folder(root).read("huge.txt")
    assert text.endswith("[cut: the first 100,000 of 3,000,000,000 bytes]")
    assert len(text) < 100_100


def test_the_cut_does_not_break_a_character(root: Path) -> None:
    (root / "zh.txt").write_text("茶" * 1_000, encoding="utf-8")
    text = Folder(root, max_bytes=1_000).read("zh.txt")
    assert text == "茶" * 333 + "\n[cut: the first 1,000 of 3,000 bytes]"


def test_an_empty_file_says_so_and_line_ends_are_plain(root: Path) -> None:
    (root / "e.txt").touch()
    (root / "w.txt").write_bytes(b"one\r\ntwo\r\n")
    assert Folder(root).read("e.txt") == "(the file is empty)"
    assert Folder(root).read("w.txt") == "one\ntwo\n"


def test_it_serves_many_threads_leaks_nothing_and_survives_pickling(root: Path) -> None:
    folder = pickle.loads(pickle.dumps(Folder(root)))
    paths = ["a.txt", "sub/b.txt", "../secret.txt", "", "nothing"] * 40

    def ask(path: str) -> str:
        try:
            return str(folder.read(path))
        except ToolError as error:
            return str(error)

    descriptors = Path("/proc/self/fd")
    before = len(list(descriptors.iterdir())) if descriptors.exists() else 0
    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(ask, paths))
    assert answers[:3] == ["inside a.txt", "inside sub/b.txt", OUTSIDE]
    assert answers[:5] * 40 == answers
    assert before == (len(list(descriptors.iterdir())) if descriptors.exists() else 0)


def test_what_is_no_folder_is_a_configuration_error(root: Path) -> None:
    for path in (root / "a.txt", root / "gone"):
        with pytest.raises(ConfigError, match="is no folder"):
            Folder(path)


def test_a_folder_that_disappears_gives_a_message(root: Path) -> None:
    folder = Folder(root / "sub" / "deep")
    (root / "sub").rename(root / "moved")
    with pytest.raises(ToolError):
        folder.read("c.txt")


def test_the_sample_files_are_there_in_both_languages() -> None:
    assert "退换货政策.md" in read_file("")
    assert "30 天" in read_file("退换货政策.md")
    assert "30 days" in read_file("returns-policy.md")
    assert "closed" in read_file("opening hours.txt")
    assert "Anji" in read_file("suppliers/tea.txt")
    rows = list(csv.DictReader(read_file("prices-2026.csv").splitlines()))
    assert {row["name"]: row["july"] for row in rows}["Desk lamp"] == "149.00"
    assert sample_folder() is sample_folder()
