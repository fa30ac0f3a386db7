"""portative play as JACK's timebase master. The judge is another client, which sees JACK's transport and hears the song."""

import bisect
import json
import struct
import time

import midi
from jackserver import Server
from support import BUILD, SOUNDFONT, Tests, wait_for

tests = Tests()

TICKS = 960
# The bars' meters and tempos: (bars, beats, type, quarter notes per minute), in which a tick is a whole number of frames.
PARTS = [(2, 4, 4, 125), (3, 7, 8, 100), (2, 6, 8, 100), (4, 3, 4, 150)]


def write_song(path):
    """Writes a song of `PARTS` without notes, and returns its bars, its beats and its end in frames."""
    track, bars, beats, frame, delta = bytearray(), [], [], 0.0, 0
    for count, upper, lower, tempo in PARTS:
        track += delta_time(delta) + b"\xff\x51\x03" + (60000000 // tempo).to_bytes(3, "big")
        track += delta_time(0) + b"\xff\x58\x04" + bytes([upper, lower.bit_length() - 1, 24, 8])
        length = 60 * midi.RATE / tempo * 4 / lower
        for _ in range(count):
            bars.append((frame, upper, lower, tempo))
            beats += [round(frame + beat * length) for beat in range(upper)]
            frame += upper * length
        delta = count * upper * TICKS * 4 // lower
    track += delta_time(delta) + b"\xff\x2f\0"
    path.write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, TICKS) + b"MTrk" + struct.pack(">I", len(track)) + track)
    return bars, beats, frame


def delta_time(value):
    digits = [value & 127]
    while value := value >> 7:
        digits.insert(0, value & 127 | 128)
    return bytes(digits)


class Player:
    """portative play on a JACK server, and the judge, who hears the song or a metronome in the graph."""

    def __init__(self, workspace, cycle=1024, master=(), moves=(), options=("--timebase", "free"), hears_follower=False):
        self.workspace = workspace
        self.server = Server(workspace, cycle)
        configuration = workspace.folder / "config.json"
        ports = [{"name": "Test: Stage", "subtype": "stag", "reverb": False, "chorus": False}]
        if hears_follower:
            ports.append({"name": "Test: Metronome", "subtype": "clic", "unit": "metronome"})
        configuration.write_text(json.dumps({"soundfont": str(SOUNDFONT), "ports": ports}))
        self.serve = workspace.start("serve", BUILD / "portative", "serve", "--audio", "jack" if hears_follower else "none",
                                     "--midi", "none", "--no-panel", "--config", configuration)
        ready = "sound: jack" if hears_follower else "published"
        wait_for(lambda: workspace.log("serve").count(ready) == len(ports), "the ports", 60)
        self.output = f"{'Test Metronome' if hears_follower else 'Portative'}:out_left"
        self.master = workspace.compile("jack-timebase", "jack-timebase.c", "-O2", "-ljack", "-lm")
        if master:
            self.start_master(*master)
        tool = workspace.compile("jack-position", "jack-position.c", "-O2", "-ljack")
        self.recording = workspace.folder / "position"
        self.judge = workspace.start("position", tool, self.recording, *moves)
        wait_for(lambda: "ready" in workspace.log("position"), "the judge")
        song = workspace.folder / "song.mid"
        self.bars, self.beats, self.end = write_song(song)
        self.process = workspace.start(
            "play", BUILD / "portative", "play", "--audio", "jack", "--node", "Test: Stage", "--metronome",
            "--timeout", 60, *options, song)
        wait_for(lambda: self.connect(), "the player's port", 60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.workspace.end(self.process)
        self.workspace.end(self.serve)
        self.server.end()

    def connect(self):
        if not {"Portative:out_left", self.output} <= set(self.workspace.run("jack_lsp").splitlines()):
            return False
        try:
            self.workspace.run("jack_connect", self.output, "position:in")
        except AssertionError:
            return False  # JACK connects no port of a client that is not active yet.
        return True

    def start_master(self, *song):
        self.workspace.start("timebase", self.master, *song)
        wait_for(lambda: "ready" in self.workspace.log("timebase"), "the timebase master")

    def wait_for_log(self, text):
        wait_for(lambda: text in self.workspace.log("play"), f"'{text}' in the log", 60)

    def finish(self):
        """Ends the judge, and returns the cycles that it has seen, and the frames of the song on which clicks began."""
        self.workspace.end(self.judge)
        lines = self.workspace.log("position").splitlines()[1:]
        cycles = [tuple(float(word) for word in line.split()) for line in lines]
        data = self.recording.read_bytes()
        samples = struct.unpack(f"{len(data) // 4}f", data)
        clicks, at = [], 0
        silence = 1000
        for cycle in cycles:
            frames, rolls, frame = int(cycle[0]), cycle[1], int(cycle[2])
            for offset in range(frames):
                sample = samples[at + offset]
                # On a busy machine, cycles are missing, and the rest of a click is heard from the first frame of a cycle.
                if sample and silence >= 1000 and (offset or not self.sounds(frame)):
                    clicks.append(frame + offset if rolls else None)
                silence = 0 if sample else silence + 1
            at += frames
        return cycles, clicks

    def sounds(self, frame):
        """Whether a click that began before a frame of the song sounds there."""
        return any(0 < frame - beat < 4000 for beat in self.beats)

    def expect_positions(self, cycles):
        """Fails unless JACK had the song's bars, beats and tempo in each rolling cycle; returns the number of these."""
        starts = [bar[0] for bar in self.bars]
        rolling = [cycle for cycle in cycles if cycle[1] and cycle[2] < self.end]
        for _, _, frame, valid, bar, beat, tick, bar_start, upper, lower, ticks, tempo in rolling:
            number = bisect.bisect_right(starts, frame + 0.01)
            start, expected_upper, expected_lower, quarters = self.bars[number - 1]
            assert valid, f"no bars at frame {frame}"
            assert (bar, upper, lower) == (number, expected_upper, expected_lower), f"bar {bar} at frame {frame}"
            assert abs(tempo - quarters * lower / 4) < 1e-9, f"tempo {tempo} at frame {frame}"
            expected = (frame - start) / midi.RATE / 60 * tempo
            assert abs(beat - 1 + tick / ticks - expected) < 1e-5, f"beat {beat}, tick {tick} at frame {frame}"
            # Ticks of the present beat from the beginning of the song.
            quarter = sum(upper * 4 / lower for _, upper, lower, _ in self.bars[:number - 1])
            assert abs(bar_start - quarter * lower / 4 * ticks) < 1e-3, f"bar start {bar_start} at frame {frame}"
        return len(rolling)


@tests(limit=180)
def JACK_has_the_bars_and_the_tempo_of_a_song_and_the_song_is_where_the_transport_is(workspace):
    remarks = []
    for cycle in 256, 1024:
        with Player(workspace, cycle) as player:
            player.wait_for_log("JACK gets the song's bars and tempo")
            assert player.process.wait(90) == 0, workspace.log("play")
            cycles, clicks = player.finish()
        count = player.expect_positions(cycles)
        assert count * cycle >= player.end - 2 * cycle, f"{count} rolling cycles"
        assert not cycles[-1][1], "the transport still rolls after the song"
        remarks.append(expect_clicks(player, clicks, 30) + f", {count} cycles of {cycle} frames")
    return "\n".join(remarks)


@tests(limit=180)
def a_metronome_in_the_graph_clicks_on_the_beats_of_a_song(workspace):
    with Player(workspace, hears_follower=True) as player:
        assert player.process.wait(90) == 0, workspace.log("play")
        _, clicks = player.finish()
    # The song's end is a beat, too, if the transport still rolls.
    return expect_clicks(player, [click for click in clicks if click != player.end], 30)


def expect_clicks(player, clicks, least):
    """Fails unless all clicks are on beats."""
    wrong = [click for click in clicks if click not in player.beats]
    assert not wrong, f"clicks on {wrong}, beats on {player.beats}"
    assert len(clicks) >= least, f"only {len(clicks)} clicks"
    return f"{len(clicks)} clicks on {len(player.beats)} beats"


@tests(limit=180)
def the_song_goes_where_another_program_moves_the_transport(workspace):
    moves = ["@100000:300000", "@300000:350001", "@400000:10000"]
    with Player(workspace, moves=moves) as player:
        assert player.process.wait(90) == 0, workspace.log("play")
        cycles, clicks = player.finish()
    player.expect_positions(cycles)
    jumps = [after[2] for before, after in zip(cycles, cycles[1:]) if after[2] not in (before[2], before[2] + before[0])]
    assert jumps == [300000, 350001, 10000], f"the transport jumped to {jumps}"
    return expect_clicks(player, clicks, 30)


@tests(limit=180)
def the_song_waits_while_another_program_stops_the_transport(workspace):
    with Player(workspace) as player:
        player.wait_for_log("JACK gets the song's bars and tempo")
        for command in "stop", "locate 200000", "play", "stop", "play":
            control(workspace, command)
        assert player.process.wait(90) == 0, workspace.log("play")
        cycles, clicks = player.finish()
    player.expect_positions(cycles)
    assert any(not cycle[1] and cycle[2] == 200000 for cycle in cycles), "the transport was not at 200000"
    return expect_clicks(player, clicks, 30)


def control(workspace, command):
    """Gives a command to jack_transport."""
    tool = workspace.start("control", "jack_transport")
    tool.stdin.write(f"{command}\nquit\n".encode())
    tool.stdin.close()
    tool.wait(30)
    workspace.processes.remove(tool)


@tests(limit=180)
def a_loop_moves_the_transport_back(workspace):
    with Player(workspace, options=["--timebase", "free", "--loop-bars", "2-2"]) as player:
        # A lap takes two seconds.
        time.sleep(12)
        assert player.process.poll() is None, "the song has ended"
        workspace.end(player.process)
        cycles, clicks = player.finish()
    player.expect_positions(cycles)
    begin, end = player.bars[1][0], player.bars[2][0]
    returns = [after[2] for before, after in zip(cycles, cycles[1:]) if after[2] < before[2]]
    assert len(returns) >= 2 and all(begin <= frame < begin + 2 * 1024 for frame in returns), returns
    assert max(cycle[2] for cycle in cycles) < end + 2 * 1024
    wrong = [click for click in clicks if click is not None and click not in player.beats and click < end]
    assert not wrong, f"clicks on {wrong}"
    return f"{len(returns)} laps"


@tests(limit=180)
def another_timebase_master_is_respected_or_replaced_and_may_take_over(workspace):
    other = (0, "0:77:5:4")
    with Player(workspace, master=other) as player:
        player.wait_for_log("another program is JACK's timebase master")
        time.sleep(3)
        cycles, clicks = player.finish()
    assert all(cycle[11] == 77 for cycle in cycles if cycle[1] and cycle[3]), "the tempo is not the other's"
    expect_clicks(player, clicks, 1)
    with Player(workspace, master=other, options=["--timebase", "take"]) as player:
        player.wait_for_log("JACK gets the song's bars and tempo")
        player.start_master(*other)
        player.wait_for_log("another program is now JACK's timebase master")
        assert player.process.poll() is None, "the song has ended"
        cycles, clicks = player.finish()
    tempos = [cycle[11] for cycle in cycles if cycle[1] and cycle[3]]
    assert tempos[-1] == 77 and 125 in tempos, set(tempos)
    expect_clicks(player, clicks, 1)
