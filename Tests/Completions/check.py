#!/usr/bin/env python3
"""Types commands into bash, zsh and fish, and presses Tab: check.py PROGRAM [SHELL…]

Each shell runs on a terminal of its own, with the completions that the program writes and without the user's files. A
key prints the line after completion, which must have the expected words, however the shell has quoted them. Shells that
are not installed are an error.
"""
import os
import pathlib
import pty
import re
import select
import shlex
import subprocess
import sys
import tempfile
import time

# What is typed before Tab, and the words of the line afterwards.
CASES = [
    ("portative rend", ["portative", "render"]),
    ("portative render --soundf", ["portative", "render", "--soundfont"]),
    ("portative render --timing st", ["portative", "render", "--timing", "stock"]),
    ("portative render --timing=st", ["portative", "render", "--timing=stock"]),
    ("portative render --format opu", ["portative", "render", "--format", "opus"]),
    # Only files with the right ending, in upper and lower case, and folders.
    ("portative render so", ["portative", "render", "song.mid"]),
    ("portative render LO", ["portative", "render", "LOUD.MID"]),
    ("portative render -s Gr", ["portative", "render", "-s", "Grand.sf2"]),
    ("portative render -d fo", ["portative", "render", "-d", "folder/"]),
    ("portative render --image -q song.mid fo", ["portative", "render", "--image", "-q", "song.mid", "folder/"]),
    ("portative render pa", ["portative", "render", "part.json"]),
    ("portative serve --midi no", ["portative", "serve", "--midi", "none"]),
    ("portative lv2 ins", ["portative", "lv2", "install"]),
    ("portative remote ju", ["portative", "remote", "jump"]),
    # The values of options are not operands.
    ("portative remote --node x ju", ["portative", "remote", "--node", "x", "jump"]),
    # Names of ports have spaces, and are found in any case.
    ("portative set gra", ["portative", "set", "Grand Piano"]),
    ("portative set 'Gra", ["portative", "set", "Grand Piano"]),
    ("portative play -n gra", ["portative", "play", "-n", "Grand Piano"]),
    # The operand after a port is not another port.
    ("portative set organ gra", ["portative", "set", "organ", "gra"]),
]
MARK = "<<line:"
LIMIT = 60

SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "PS1=; PS2=; set +o history; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; "
        "{ ! [ -e /usr/share/bash-completion/bash_completion ] || . /usr/share/bash-completion/bash_completion; }; "
        ". ./completion.bash; bind -x '\"\\C-g\": printf \"%s%s>>\" \"<<line:\" \"$READLINE_LINE\"'",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "PROMPT=; PROMPT_EOL_MARK=; unsetopt zle_bracketed_paste beep; autoload -Uz compinit; compinit -D -u; "
        "fpath=($PWD/functions $fpath); autoload -Uz _portative; compdef _portative portative; "
        "print-line() { printf '%s%s>>' '<<line:' \"$BUFFER\" }; zle -N print-line; bindkey '^G' print-line",
    ),
    "fish": (
        ["fish", "--no-config", "--interactive", "--init-command", "function fish_prompt; end; function fish_right_prompt; end"],
        "set -g fish_greeting; set -g fish_autosuggestion_enabled 0; source ./completion.fish; "
        "bind \\cg 'printf \"%s%s>>\" \"<<line:\" (commandline)'",
    ),
}


class Terminal:
    """A shell on a terminal."""

    def __init__(self, command, folder, environment):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.text = ""

    def send(self, text):
        os.write(self.descriptor, text.encode())

    def wait(self, pattern):
        """Returns the first match in what the shell writes from now on."""
        end = time.monotonic() + LIMIT
        while not (match := re.search(pattern, self.text, re.S)):
            if time.monotonic() > end:
                raise TimeoutError(f"no {pattern!r} within {LIMIT} s in {self.text[-2000:]!r}")
            if select.select([self.descriptor], [], [], 1)[0]:
                self.text += os.read(self.descriptor, 65536).decode(errors="replace")
        self.text = self.text[match.end():]
        return match

    def close(self):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


def words(line):
    """Returns the words of a line, whose last quote may be open."""
    for end in ("", "'", '"'):
        try:
            return shlex.split(line + end)
        except ValueError:
            continue
    return [line]


def faults(shell, folder, environment):
    command, setup = SHELLS[shell]
    # A file, because typed commands are echoed and may be longer than what a terminal takes.
    (folder / f"setup.{shell}").write_text(f"{setup}\nprintf '%s%s\\n' rea dy-to-type\n")
    terminal = Terminal(command, folder, environment)
    try:
        terminal.send(f"source ./setup.{shell}\r")
        terminal.wait("ready-to-type")
        for typed, expected in CASES:
            terminal.send(f"{typed}\t")
            # Until the completion is done, the shell does not read the key.
            terminal.send("\x07")
            line = terminal.wait(re.escape(MARK) + "(.*?)>>")[1]
            # zsh adds the sign, and removes it again if a space is typed.
            if words(line.removesuffix("=")) != expected:
                yield f"{shell}: {typed!r} became {line!r}, expected {expected}"
            terminal.send("\x15")
    finally:
        terminal.close()


def main():
    program, shells = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(SHELLS)
    with tempfile.TemporaryDirectory(prefix="portative-completions.") as name:
        folder = pathlib.Path(name)
        for path in ["song.mid", "song.txt", "LOUD.MID", "LOUD.TXT", "Grand.sf2", "Grand.txt", "part.json", "part.txt", "fo.txt"]:
            (folder / path).touch()
        for path in ["folder", "bin", "functions", "run", "home/.local/share/portative/nodes"]:
            (folder / path).mkdir(parents=True, mode=0o700)
        (folder / "bin/portative").symlink_to(program)
        ports = [("Test: Grand Piano", "grnd"), ("Test: Organ", "orga")]
        manifest = ", ".join(
            f'{{ type: "instrument", subtype: "{code}", manufacturer: "Test", name: "{title}", version: "1.0.0" }}'
            for title, code in ports)
        (folder / "home/.local/share/portative/nodes/test.json").write_text(
            f'{{ manifest: 1, command: ["none"], ports: [{manifest}] }}')
        environment = {
            "HOME": f"{folder}/home", "PATH": f"{folder}/bin:/usr/bin:/bin", "TERM": "vt100", "LC_ALL": "C.UTF-8",
            "XDG_RUNTIME_DIR": f"{folder}/run", "XDG_DATA_DIRS": f"{folder}/none", "COLUMNS": "200",
        }
        for shell in SHELLS:
            text = subprocess.run([program, "completion", shell], check=True, capture_output=True, text=True).stdout
            (folder / f"completion.{shell}").write_text(text)
        (folder / "functions/_portative").write_text((folder / "completion.zsh").read_text())
        found = [fault for shell in shells for fault in faults(shell, folder, environment)]
    print("\n".join(found))
    sys.exit(bool(found))


main()
