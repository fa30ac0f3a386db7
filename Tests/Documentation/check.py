#!/usr/bin/env python3
"""Runs the commands on the pages of the documentation: check.py PROGRAM [PAGE…]

A page is a session of a new user, with the files that its commands name, and without a configuration. A JSON5 block whose
first line is a comment with a path is that file: it is written when the page comes to it. Commands are run in their order,
in bash. A server runs until the next one on the page, or until the end of the page. Each command must end with success, and what the
page shows of its output must be there, apart from numbers and paths. What cannot be run is listed below with its reason,
which is checked as far as possible: targets of make exist, options are known. Nothing may be listed that no page has.

The Python on the pages is run by Python/tests, the Swift is compiled by `swift build` as Examples.
"""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 120

# Commands that are not run, by how they begin, with the reason.
LISTED = {
    "swift build": "every other test needs it",
    "make ": "only the target is looked up: the targets are the tests, or take long",
    "git clone": "the place of the repository is not known",
    "man portative": "make test-install shows it",
    "apt install": "only the names of the packages are looked up",
    "systemctl --user": "needs a login session; make test-install checks the unit",
    "journalctl --user": "needs a login session",
    "cc -o host": "make test-clients compiles and runs it",
    "./host": "make test-clients compiles and runs it",
    "cc -o live": "make test-clients compiles and runs it",
    "./live": "make test-clients compiles and runs it",
    "gcc -std=gnu11": "make test-clap compiles and runs it",
    "./claphost": "make test-clap compiles and runs it",
    "fluidsynth -ni -F": "takes minutes: it shows a defect",
    "gnu-parallel.sh": "make test-engines runs it",
    "slurm.sh": "make test-engines runs it",
    "dask_map.py": "make test-engines runs it",
    "Tests/": "only the program is looked up: it is a test",
    "portative connect": "needs the sequencer and a keyboard: make test-alsa",
    "portative doctor --latency": "needs a cable: make test-alsa",
    "portative doctor": "fails where there is no sequencer; the text is checked",
    "portative serve --audio jack": "needs a JACK server: the tests of the command and of make test-pipewire",
    'portative set "General MIDI" --learn': "needs a keyboard: make test-alsa",
    "portative set --learn panic": "needs a keyboard: make test-alsa",
    'portative set "General MIDI" --forget': "needs a learned control: make test-alsa",
    "portative take 5m": "needs a keyboard: make test-alsa",
    "portative serve --record": "nothing is recorded until a keyboard is connected: make test-alsa",
    "portative serve --panel --panel-address": "needs that address; the web panel's tests use another",
}

# What comes before a command: the file that fails, and its repair.
PREPARATIONS = {
    "portative render -d audio --format flac --report audio.json library": "mkdir -p library/old; touch library/old/x.mid",
    "portative render -d audio --format flac --report audio.json --resume library": "cp song.mid library/old/x.mid",
}
# Options with which serve does something else and ends.
ENDING = r" --(install|check|panel-link)\b"
# What would go on until it is stopped, or plays a whole song in real time.
ENDLESS = r"portative play (?!.*(-o|--output) )"


def blocks(page, language):
    """Returns the blocks of a language, each as its first line number and its lines."""
    found, current = [], None
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        if current is not None:
            if line.startswith("```"):
                found.append(current)
                current = None
            else:
                current[1].append(line)
        elif line == f"```{language}":
            current = (number + 1, [])
    return found


def files(page):
    """Returns the files that a page shows, each with its line number, its path and its text."""
    for number, lines in blocks(page, "json5"):
        if path := re.fullmatch(r"// (~/\S+)", lines[0]):
            yield number, path[1], "\n".join(lines) + "\n"


def commands(page):
    """Returns the commands of a page, each with its line number and the output that the page shows."""
    found = []
    for start, lines in blocks(page, "console"):
        output = None
        for number, line in enumerate(lines, start):
            if line.startswith("$ "):
                output = []
                found.append((number, re.sub(r"\s+#( .*)?$", "", line[2:]), output))
            elif output is not None:
                output.append(line)
    return found


def pattern(line):
    """Returns what matches a line of output: numbers, paths, secrets and widths of columns may differ."""
    text = re.escape(re.sub(r"\s+", " ", line.strip()))
    text = re.sub(r"/home/me\S*", r"\\S+", text)
    text = re.sub(r"http://\S+", r"http://\\S+", text)
    return re.compile(re.sub(r"\d+(?:\\?[.:]\d+)*", r"[\\d.:]+", text))


def shown(output):
    return re.sub(r"[ \t]+", " ", output)


class Session:
    """A new user's folder, environment and server."""

    def __init__(self, program, page):
        self.page = page
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="portative-documentation."))
        self.server = None
        home = self.folder / "home"
        for path in ["home/.config/portative", "bin", "work/library", "run", "share/portative/nodes"]:
            (self.folder / path).mkdir(parents=True, mode=0o700)
        (self.folder / "bin/portative").symlink_to(program)
        # There is no sound card: what is played is discarded, in real time.
        (self.folder / "bin/aplay").write_text("#!/bin/sh\ncat > \"$TMPDIR/played\" && head -c 4 \"$TMPDIR/played\" | grep -q RIFF\n")
        # A browser that opens nothing.
        (self.folder / "bin/xdg-open").write_text("#!/bin/sh\n")
        for name in ["aplay", "xdg-open"]:
            (self.folder / "bin" / name).chmod(0o755)
        (home / ".asoundrc").write_text("pcm.!default { type null }\nctl.!default { type null }\n")
        shutil.copy(ROOT / "SoundFonts/Portative.sf2", home / "Grand.sf2")
        shutil.copy(ROOT / "nodes/portative.json", self.folder / "share/portative/nodes")
        for name in ["work/song.mid", "work/library/a.mid", "work/library/b.mid"]:
            shutil.copy(ROOT / "SoundFonts/demo.mid", self.folder / name)
        (home / "Songs").mkdir()
        shutil.copy(ROOT / "SoundFonts/demo.mid", home / "Songs")
        (self.folder / "work/songs.jsonl").write_text('{"input": "song.mid", "gain": -3}\n')
        self.home = home
        self.environment = {
            "HOME": str(home), "BROWSER": "none", "PATH": f"{self.folder}/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "XDG_RUNTIME_DIR": f"{self.folder}/run", "XDG_DATA_DIRS": f"{self.folder}/share", "TMPDIR": str(self.folder),
        }

    def write(self, path, text):
        file = self.home / path.removeprefix("~/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, command):
        result = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command], cwd=self.folder / "work", env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
        return result.returncode, result.stdout

    def serve(self, command, expected):
        """Starts a server, and waits until it is ready, as systemd does, and has written what the page shows."""
        self.stop()
        log = self.folder / "server.log"
        address = self.folder / "ready"
        address.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(address))
            manager.settimeout(0.05)
            self.server = subprocess.Popen(
                ["bash", "-c", f"exec {command}"], cwd=self.folder / "work",
                env=self.environment | {"NOTIFY_SOCKET": str(address)},
                stdin=subprocess.DEVNULL, stdout=open(log, "w"), stderr=subprocess.STDOUT)
            end = time.monotonic() + LIMIT
            is_ready = False
            while True:
                missing = [line for line in expected if not line.search(shown(log.read_text()))]
                if is_ready and not missing:
                    return None
                if self.server.poll() is not None or time.monotonic() > end:
                    lack = f"shows no {missing[0].pattern!r}" if missing else "is not ready"
                    return f"the server {lack}:\n{log.read_text()}"
                try:
                    is_ready |= b"READY=1" in manager.recv(4096)
                except TimeoutError:
                    pass

    def stop(self):
        if not self.server:
            return None
        self.server.send_signal(signal.SIGTERM)
        code = self.server.wait(LIMIT)
        self.server = None
        return None if code == 0 else f"the server ended with {code}"

    def close(self):
        self.stop()
        # Nodes that hosts have started.
        for file in self.folder.glob("run/portative/*.json"):
            if number := re.search(r'"processID" *: *(\d+)', file.read_text()):
                os.kill(int(number[1]), signal.SIGTERM)
        shutil.rmtree(self.folder, ignore_errors=True)


def listed(command):
    """Returns the longest entry that the command begins with."""
    return max((start for start in LISTED if command.startswith(start)), key=len, default=None)


def look_up(page, command):
    """Checks a command that is not run, as far as possible. Returns a fault."""
    words = command.split(" && ")[0].split()
    if words[0] == "make":
        targets = [word for word in words[1:] if "=" not in word and re.fullmatch(r"[a-z-]+", word)]
        known = set(re.findall(r"^([a-z-]+):", "".join(
            file.read_text() for file in [ROOT / "Makefile", *ROOT.glob("Packaging/*.mk")]), re.M))
        return next((f"make has no target '{word}'" for word in targets if word not in known), None)
    if words[:2] == ["apt", "install"]:
        result = subprocess.run(["apt-cache", "show", *words[2:]], capture_output=True, text=True)
        return result.stderr.strip() or None
    if words[0].startswith("Tests/"):
        return None if (ROOT / words[0]).exists() else f"there is no {words[0]}"
    return None


def options(program, page):
    """Checks that the options of commands within the text exist."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.M | re.S)
    for span in re.findall(r"`([^`\n]+)`", text):
        if match := re.match(r"(?:portative )?(play|render|info|try|serve|list|set|connect|remote|scene|take|panic|"
                             r"devices|lv2|check|config|doctor)\b(.*)", span):
            if not span.startswith("portative ") and "--" not in span:
                continue
            known = HELP.setdefault(match[1], subprocess.run(
                [program, match[1], "--help"], capture_output=True, text=True).stdout)
            for name in re.findall(r"(?<=\s)--[a-z][a-z0-9-]*", match[2]):
                if not re.search(re.escape(name) + r"\b", known):
                    yield f"{page}: `{span}`: portative {match[1]} has no option {name}"
        elif span.startswith("make "):
            if fault := look_up(page, span):
                yield f"{page}: `{span}`: {fault}"


HELP = {}


def json5(session):
    """Checks the configurations of a page: whole files, or a part of one."""
    if session.page == "Documentation/Protocol.md":
        return
    for number, lines in blocks(session.page, "json5"):
        text = "\n".join(lines)
        forms = [text, "{" + text + "}", "{ ports: [" + text + "] }",
                 '{ ports: [{ name: "Portative: Organ", subtype: "orga", ' + text + "}] }"]
        results = []
        for form in forms:
            (session.folder / "work/part.json").write_text(form)
            results.append(session.run("portative config --config part.json"))
        if not any(code == 0 and "unknown" not in output for code, output in results):
            yield f"{session.page}:{number}: " + results[0][1]


def faults(program, page, used):
    session = Session(program, page)
    try:
        yield from json5(session)
        yield from options(program, page)
        shown_files = list(files(page))
        for number, command, output in commands(page):
            while shown_files and shown_files[0][0] < number:
                session.write(*shown_files.pop(0)[1:])
            place = f"{page}:{number}: {command}"
            if (start := listed(command)) is not None:
                used.add(start)
                if fault := look_up(page, command):
                    yield f"{place}: {fault}"
                continue
            expected = [pattern(line) for line in output if line.strip() not in ("", "…") and not line.startswith("▶")]
            if command.startswith("portative serve") and not re.search(ENDING, command):
                is_silent = page != "README.md" and "--audio" not in command
                if fault := session.serve(command + " --audio none" * is_silent, [
                        line for line in expected if "sound" not in line.pattern and "played" not in line.pattern]):
                    yield f"{place}: {fault}"
                continue
            if "lv2 install" in command:
                (session.folder / "work/portative.so").touch()
                command = command.replace("lv2 install", "lv2 install --library ./portative.so")
            is_failure_shown = any("failed" in line for line in output)
            if command in PREPARATIONS:
                session.run(PREPARATIONS[command])
            if re.match(ENDLESS, command):
                command = f"timeout --preserve-status -s INT 8 {command}"
            try:
                code, text = session.run(command)
            except subprocess.TimeoutExpired:
                yield f"{place}: did not end within {LIMIT} s"
                continue
            if code != 0 and not is_failure_shown and not (code == 130 and command.startswith("timeout ")):
                yield f"{place}: ended with {code}:\n{text}"
            for line in expected:
                if not line.search(shown(text)):
                    yield f"{place}: does not show {line.pattern!r}:\n{text}"
        yield from filter(None, [session.stop()])
    finally:
        session.close()


def main():
    program = os.path.abspath(sys.argv[1])
    files = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    pages = sys.argv[2:] or files.split()
    used, count = set(), 0
    found = []
    for page in pages:
        count += len(commands(page))
        found += faults(program, page, used)
    if not sys.argv[2:]:
        found += [f"check.py lists '{start}', but no page has it" for start in LISTED.keys() - used]
    print("\n".join(found), file=sys.stderr)
    print(f"{count} commands on {len(pages)} pages, {len(found)} faults")
    sys.exit(bool(found))


main()
