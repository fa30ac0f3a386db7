"""A temporary folder with a home of its own for each test, and the processes that run in it."""

import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import midi

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent.parent
BUILD = ROOT / ".build" / os.environ.get("PORTATIVE_CONFIGURATION", "debug")
SOUNDFONT = ROOT / "SoundFonts/Portative.sf2"
# Of Debian.
OTHER_SOUNDFONT = pathlib.Path("/usr/share/sounds/sf2/TimGM6mb.sf2")
# 142 MB, of Debian: too large to be held in memory whole.
LARGE_SOUNDFONT = pathlib.Path("/usr/share/sounds/sf2/FluidR3_GM.sf2")

MACHINE = os.uname().machine
# The instrument of portative serve.
INSTRUMENT = "urn:portative:instrument:gmsy:Ptvo"

# Ardour's plugin with FluidSynth, and the state in which it plays the same SoundFont.
FLUIDSYNTH = "urn:ardour:a-fluidsynth"
FLUIDSYNTH_STATE = f'<{FLUIDSYNTH}:sf2file> "{SOUNDFONT}"^^atom:Path'

SYSTEM_PLUGINS = f"/usr/lib/lv2:/usr/lib/{MACHINE}-linux-gnu/lv2:/usr/local/lib/lv2"


class Tests:
    """The tests of a module: functions whose names state what is true.

    Each takes a workspace, and may return a remark.
    """

    def __init__(self):
        self.all = []

    def __call__(self, limit=120):
        """Adds a test that may take `limit` seconds."""
        def add(test):
            test.limit = limit
            self.all.append(test)
            return test
        return add


def adopt_orphans():
    """Makes this process the parent of nodes that outlive the host that started them, so that it can end them."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(root):
    """Returns the processes that a process has started, and those that they have started."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = pathlib.Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                children.setdefault(int(fields[1]), []).append(int(entry))
    found, next_ones = [], [root]
    while next_ones:
        next_ones = [child for parent in next_ones for child in children.get(parent, [])]
        found += next_ones
    return found


def wait_for(condition, what, seconds=30, reason=lambda: ""):
    """Waits until the condition is true, and returns its value. The error ends with the reason, such as a program's log."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError("\n".join(filter(None, [f"{what}: not within {seconds} s", reason()])))
        time.sleep(0.02)
    return value


def reap():
    """Waits for the children that have ended; returns whether others are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def processor_seconds(process):
    """Returns the processor time of all threads of a process, also of those that have ended."""
    # The clock that clock_getcpuclockid(3) returns, which Python does not offer.
    return time.clock_gettime(~process << 3 | 2)


def write_preset(path, uri, plugin, controls, state=""):
    """Writes a preset: values of control ports, and properties in Turtle."""
    ports = "".join(
        f'lv2:port [ lv2:symbol "{symbol}" ; pset:value {value:.1f} ] ;' for symbol, value in controls.items())
    path.parent.mkdir()
    path.write_text(f"""
@prefix atom: <http://lv2plug.in/ns/ext/atom#> .
@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
@prefix pset: <http://lv2plug.in/ns/ext/presets#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix state: <http://lv2plug.in/ns/ext/state#> .
<{uri}> a pset:Preset ;
  lv2:appliesTo <{plugin}> ; rdfs:seeAlso <{path.name}> ; rdfs:label "Test" ;
  {ports}
  state:state [ {state} ] .
""")


class Workspace:
    """A temporary folder with home and XDG folders, and all processes that a test starts."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="portative-hosts."))
        self.processes = []
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", XDG_DATA_DIRS=str(self.folder / "none"))
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
            folder = self.folder / name.lower().removeprefix("xdg_")
            folder.mkdir(mode=0o700)
            self.environment[name] = str(folder)
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "DBUS_SESSION_BUS_ADDRESS"):
            self.environment.pop(name, None)
        self.plugins = self.folder / "lv2"
        self.plugins.mkdir()
        self.environment["LV2_PATH"] = f"{self.plugins}:{SYSTEM_PLUGINS}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(3)
            except subprocess.TimeoutExpired:
                pass
        # Killed ones leave orphans, which are adopted a moment later.
        while orphans := descendants(os.getpid()):
            for orphan in orphans:
                try:
                    os.kill(orphan, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)
        for process in self.processes:
            process.wait()
        reap()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command, status=0, timeout=300, **environment):
        """Runs a program to its end and returns its output; fails if its exit status is another, unless that is None."""
        process = self.start("run", *command, **environment)
        process.wait(timeout)
        self.processes.remove(process)
        output = self.log("run")
        failed = "".join(line + "\n" for line in output.splitlines() if line.lstrip().startswith("FAILED"))
        assert status is None or process.returncode == status, (
            f"{command[0]} ended with {process.returncode}:\n{failed}{output[-4000:]}")
        return output

    def start(self, name, *command, **environment):
        """Starts a program that writes to the log of this name."""
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [str(word) for word in command], env={**self.environment, **environment}, stdin=subprocess.PIPE,
                stdout=log, stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def state(self):
        """Returns what shows why a test has failed: the running nodes, the ends of their logs, and the files of the runtime folder."""
        logs = sorted(pathlib.Path(self.environment["XDG_STATE_HOME"], "portative").glob("*.log*"))
        parts = [self.portative("list", "--status", status=None)]
        parts += [f"{log.name}:\n{log.read_text(errors='replace')[-2000:]}" for log in logs]
        files = sorted(path.name for path in pathlib.Path(self.environment["XDG_RUNTIME_DIR"], "portative").glob("*"))
        return "\n".join([*parts, "runtime folder: " + " ".join(files)])

    def end(self, process, seconds=10):
        """Ends a program by SIGTERM, unless it has been ended, and waits until it has ended."""
        if process in self.processes:
            process.terminate()
            process.wait(seconds)
            self.processes.remove(process)

    def kill(self, process):
        process.kill()
        process.wait()
        self.processes.remove(process)

    def compile(self, output, source, *options):
        """Compiles a C program of this folder and returns its path."""
        path = self.folder / output
        self.run("gcc", "-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-o", path,
                 TESTS / source, *options)
        return path

    def add_probe(self):
        """Puts the bundle of the probe where hosts find it."""
        bundle = self.plugins / "probe.lv2"
        bundle.mkdir()
        for name in ("manifest.ttl", "probe.ttl"):
            shutil.copy(TESTS / "probe.lv2" / name, bundle)
        self.compile(bundle / "probe.so", "probe.lv2/probe.c", "-O2", "-fPIC", "-shared")
        self.probe_log = self.folder / "probe"
        self.environment["PROBE_LOG"] = str(self.probe_log)

    def add_node(self, name):
        """Installs the node of a C file of this folder."""
        library = self.folder / "libportative.so.0"
        if not library.exists():
            library.symlink_to(BUILD / "libportative-c.so")
        node = self.compile(name, f"{name}.c", "-O1", f"-I{ROOT / 'Sources/C/CPortative'}", library,
                            f"-Wl,-rpath,{self.folder}")
        self.run(node, "--install")

    def add_portative(self):
        """Installs the manifest of Portative's node, and the bundles of its plugins where hosts find them."""
        self.portative("serve", "--quiet", "--soundfont", SOUNDFONT, "--midi", "none", "--install")
        for attempt in range(3):
            try:
                return self.portative("lv2", "install", "--folder", self.plugins)
            except AssertionError as error:
                # On a busy or emulated machine, a node may need longer for its ports than the installation waits.
                if attempt == 2 or "it is still running" not in str(error):
                    raise

    def add_preset(self, plugin, controls, state=""):
        """Adds a bundle with a preset of a plugin, and returns the preset's URI."""
        uri = "urn:portative:test:preset"
        write_preset(self.plugins / "preset.lv2" / "manifest.ttl", uri, plugin, controls, state)
        return uri

    def portative(self, *arguments, **options):
        return self.run(BUILD / "portative", *arguments, **options)

    def render(self, events, frames, options=(), soundfont=SOUNDFONT):
        """Renders messages at their frames to a file, and returns its path."""
        song, output = self.folder / "expected.mid", self.folder / "expected.wav"
        midi.write(song, events, frames)
        self.portative("render", "--quiet", "--soundfont", soundfont, "--rate", midi.RATE, "--bits", "32f",
                       "--tail", "exact", *options, "--output", output, song)
        return output

    def status(self):
        """Returns the status of each running node. One that ends meanwhile is an error of the command."""
        output = self.portative("list", "--status", "--json", status=None)
        return [json.loads(line) for line in output.splitlines() if line.startswith("{")]

    def manifest(self):
        """Returns the path of the node's manifest."""
        return pathlib.Path(self.environment["XDG_DATA_HOME"], "portative/nodes/portative.json")

    def end_nodes(self):
        """Ends all nodes, and waits until they have ended."""
        for status in self.status():
            os.kill(status["node"]["processID"], signal.SIGTERM)
        wait_for(lambda: not self.status(), "the end of the nodes")

    def hosts(self):
        """Returns the number of hosts of the instrument."""
        ports = [status["ports"][0] for status in self.status() if status["ports"]]
        return sum(port.get("hostCount", int("host" in port)) for port in ports)

    def node(self):
        """Returns the process whose instrument a host plays, or None."""
        # A node that starts has no ports yet.
        return next((status["node"]["processID"] for status in self.status()
                     if any("host" in port for port in status["ports"][:1])), None)
