"""Recordings, the sound of presets, SoundFonts and songs in the panel, driven as a user would."""

import base64
import json
import pathlib
import struct
import time
import wave

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from case import PanelCase
from server import ROOT, wait_for


class SoundTests(PanelCase):
    # Recordings

    def record_notes(self):
        """Records some notes, and returns the name of the recording."""
        before = set(self.recordings_folder.glob("*.wav"))
        self.browser.one("#record").click()
        wait_for(lambda: "peak" in self.browser.text("#record-state"), "the recording has begun")
        self.browser.one("#keys").click()
        for key in "asd":
            self.browser.keys(f"+{key}")
            self.held({"a": 48, "s": 50, "d": 52}[key])
            self.browser.keys(f"-{key}")
        wait_for(lambda: "dB" in self.browser.text("#record-state"), "the peak")
        wait_for(lambda: self.browser.page("return status?.recording?.seconds ?? 0") > 1.2, "a second")
        self.browser.one("#record").click()
        return wait_for(lambda: set(self.recordings_folder.glob("*.wav")) - before, "the file").pop()

    @property
    def recordings_folder(self):
        return pathlib.Path(self.server.folder.name) / "data/portative/recordings"

    def test_what_is_heard_is_recorded_played_trimmed_renamed_and_deleted(self):
        self.assertEqual(self.browser.text("#record"), "Record")
        file = self.record_notes()
        wait_for(lambda: self.browser.text("#record") == "Record", "the recording has ended")
        frames = (file.stat().st_size - 80) // 8
        self.assertGreater(frames / 48000, 1)
        self.assertGreater(max(abs(value[0]) for value in struct.iter_unpack("<f", file.read_bytes()[-frames // 2 * 8:])), 0)
        self.assertTrue(file.with_suffix(".mid").read_bytes().startswith(b"MThd"))
        self.browser.view("takes")
        self.row(file.stem)
        # Played.
        self.press(f"Play {file.stem}")
        wait_for(lambda: self.browser.script("return parseFloat(document.querySelector('.seek')?.value ?? 0)") > 0.1, "it plays")
        self.press(f"Pause {file.stem}")
        # Trimmed.
        self.press(f"Trim {file.stem}")
        self.browser.one('input[aria-label="From of the part"]').send_keys(Keys.CONTROL + "a", Keys.NULL, "0:00.2", Keys.TAB)
        self.browser.one('input[aria-label="To of the part"]').send_keys(Keys.CONTROL + "a", Keys.NULL, "0:00.7", Keys.TAB)
        self.browser.click(".recording form button[type=submit]")
        self.row(f"{file.stem} trimmed")
        trimmed = file.with_name(f"{file.stem} trimmed.wav")
        whole, part = (path.read_bytes() for path in (file, trimmed))
        part = part[part.index(b"data") + 8:]
        self.assertEqual(len(part), 24000 * 8)
        whole = whole[whole.index(b"data") + 8:]
        self.assertEqual(whole[9600 * 8:][:len(part)], part)
        # Renamed, with the keyboard.
        self.press(f"Rename {trimmed.stem}")
        self.browser.driver.switch_to.active_element.send_keys(Keys.CONTROL + "a", Keys.NULL, "Intro – é", Keys.ENTER)
        self.row("Intro – é")
        self.assertFalse(trimmed.exists())
        # Downloaded, by a link that is good for once.
        self.press("Download Intro – é")
        saved = wait_for(lambda: list(self.browser.downloads.glob("Intro*.wav")), "the download")[0]
        wait_for(lambda: saved.stat().st_size == (file.parent / "Intro – é.wav").stat().st_size, "the whole download")
        # Deleted after a question.
        self.press("Delete Intro – é")
        self.assertIn("Intro – é", self.browser.text("#confirm-text"))
        self.browser.one("#confirm button[value='']").click()
        self.assertTrue((file.parent / "Intro – é.wav").exists())
        self.press("Delete Intro – é")
        self.browser.one("#confirm-yes").click()
        wait_for(lambda: not (file.parent / "Intro – é.wav").exists(), "it is deleted")
        self.row(file.stem)

    # The sound of presets

    def hear(self):
        """Counts the phrases that the page plays, and notes how long they are."""
        self.browser.script("""
          window.phrases = [];
          const play = HTMLMediaElement.prototype.play;
          HTMLMediaElement.prototype.play = function () { window.phrases.push(this); return play.call(this); };
        """)

    def heard(self, count):
        wait_for(lambda: self.browser.script("return phrases.length") == count, f"{count} phrases")
        return wait_for(lambda: self.browser.script("return phrases.at(-1).duration || null"), "its length")

    def preset(self):
        # Until a unit reports its preset, the port is named.
        return wait_for(lambda: (name := self.browser.text("#now-name")) != "Portative: General MIDI" and name, "the preset")

    def test_a_long_press_sounds_and_chooses_nothing(self):
        self.choose_port("Portative: General MIDI")
        self.browser.wait_until_connected()
        self.hear()
        before, port = self.preset(), self.notes("General MIDI")
        box = self.browser.script("const b = [...document.querySelectorAll('#preset-list .choose')].find((b) => b.dataset.name.includes('Organ'));"
                                  "b.scrollIntoView({ block: 'center' }); const r = b.getBoundingClientRect();"
                                  "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done([r.x + 40, r.y + r.height / 2]))))")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.command("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
            if kind == "mousePressed":
                length = self.heard(1)
        self.assertTrue(1 < length < 6, length)
        self.assertEqual(self.preset(), before)
        # The port has played nothing.
        self.assertEqual(self.notes("General MIDI"), port)
        # It ends by itself.
        wait_for(lambda: self.browser.script("return phrases.at(-1).paused"), "the end")
        # A short press chooses.
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.command("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        wait_for(lambda: "Organ" in self.preset(), "the preset is chosen")

    def test_presets_are_heard_with_the_keyboard(self):
        self.choose_port("Portative: General MIDI")
        self.browser.wait_until_connected()
        self.hear()
        self.browser.one("#preset-search").send_keys("strings", Keys.ARROW_DOWN)
        before = self.preset()
        self.browser.keys(f"+{Keys.SHIFT}", f"+{Keys.ENTER}", f"-{Keys.ENTER}", f"-{Keys.SHIFT}")
        self.heard(1)
        self.browser.keys(f"+{Keys.ESCAPE}", f"-{Keys.ESCAPE}")
        wait_for(lambda: self.browser.script("return phrases.at(-1).paused"), "Escape ends it")
        # Listen is a mode, in which what has the focus sounds.
        self.browser.one("#listen").click()
        self.browser.one("#preset-search").send_keys(Keys.ARROW_DOWN)
        self.heard(2)
        self.assertEqual(self.preset(), before)

    def test_a_soundfont_is_chosen_and_its_presets_are_listed(self):
        self.choose_port("Portative: General MIDI")
        self.browser.wait_until_connected()
        other = pathlib.Path(self.server.folder.name) / "Other.sf2"
        if not other.exists():
            other.symlink_to("/usr/share/sounds/sf2/TimGM6mb.sf2")
        first = self.browser.script("return document.querySelector('#preset-list .choose').dataset.name")
        Select(self.browser.one("#soundfont")).select_by_visible_text("Another file…")
        self.browser.one("#soundfont-path").send_keys(Keys.CONTROL + "a", Keys.NULL, str(other), Keys.ENTER)
        real = str(other.resolve())
        wait_for(lambda: self.browser.script("return document.querySelector('#soundfont').value") == real, "the SoundFont", 120)
        wait_for(lambda: self.browser.script("return document.querySelector('#preset-list .choose').dataset.name") != first, "other presets")
        # A file that is none changes nothing, and says so.
        Select(self.browser.one("#soundfont")).select_by_visible_text("Another file…")
        self.browser.one("#soundfont-path").send_keys(Keys.CONTROL + "a", Keys.NULL, "/etc/passwd", Keys.ENTER)
        wait_for(lambda: ".sf2" in self.browser.text("#notice"), "the reason")
        self.assertEqual(self.browser.script("return document.querySelector('#soundfont').value"), real)
        self.server.renew()

    # A song

    def load(self, path=ROOT / "SoundFonts/demo.mid"):
        self.browser.view("song")
        self.browser.one("#song-file").send_keys(str(path))
        wait_for(lambda: self.browser.one("#song-player").is_displayed(), "the song", 120)

    def song(self):
        return self.browser.page("return song")

    def test_a_song_is_loaded_played_mixed_and_rendered(self):
        self.load()
        self.assertFalse(self.song()["isPlaying"])
        self.browser.one("#song-play").click()
        wait_for(lambda: self.song()["position"] > 0.3, "it plays")
        self.browser.one("#song-bar-on").click()
        wait_for(lambda: self.song().get("bar", 0) >= 2, "the second bar")
        self.browser.one("#song-play").click()
        wait_for(lambda: not self.song()["isPlaying"], "it has stopped")
        # The mixer.
        first = self.song()["channels"][0]
        self.press(f"Mute channel {first['channel']}")
        wait_for(lambda: self.song()["channels"][0]["isMuted"], "mute")
        self.browser.one("#undo").click()
        wait_for(lambda: not self.song()["channels"][0]["isMuted"], "undone")
        self.press(f"Solo channel {first['channel']}")
        wait_for(lambda: self.song()["channels"][0]["isSoloed"], "solo")
        self.browser.script("const s = document.querySelector('#song-transpose-up'); s.click()")
        wait_for(lambda: self.song()["transposition"] == 1, "transposed")
        tempo = self.browser.one("#song-tempo")
        tempo.send_keys(Keys.ARROW_LEFT)
        wait_for(lambda: self.song()["tempoPercent"] == 99, "slower")
        # Rendered as it is set: the command is the judge.
        Select(self.browser.one("#song-format")).select_by_visible_text("WAV")
        self.browser.click("#song-render")
        saved = wait_for(lambda: [path for path in self.browser.downloads.glob("*.wav")], "the file", 240)[0]
        wait_for(lambda: "given to the browser" in self.browser.text("#song-render-message"), "the message")
        self.assertGreater(saved.stat().st_size, 100_000)
        judge = saved.with_name("judge.wav")
        self.server.run("render", "--bits", "24", "--only", f"{first['channel']}", "--transpose", "1", "--tempo", "99%", "-o", str(judge), str(ROOT / "SoundFonts/demo.mid"), seconds=240)
        def content(path):
            data = path.read_bytes()
            return data[data.index(b"data") + 8:]
        wait_for(lambda: saved.stat().st_size == judge.stat().st_size, f"{saved.stat().st_size} bytes of {judge.stat().st_size}")
        self.assertEqual(content(saved), content(judge))
        self.browser.one("#song-remove").click()
        wait_for(lambda: self.browser.one("#song-empty").is_displayed(), "it is removed")

    def test_a_song_is_rendered_as_flac(self):
        self.load()
        Select(self.browser.one("#song-format")).select_by_visible_text("FLAC")
        self.browser.click("#song-render")
        saved = wait_for(lambda: list(self.browser.downloads.glob("*.flac")), "the file", 240)[0]
        wait_for(lambda: "given to the browser" in self.browser.text("#song-render-message"), "the message", 240)
        judge = saved.with_name("judge.flac")
        self.server.run("render", "--bits", "24", "-o", str(judge), str(ROOT / "SoundFonts/demo.mid"), seconds=240)
        wait_for(lambda: saved.read_bytes() == judge.read_bytes(), f"{saved.stat().st_size} bytes of {judge.stat().st_size}")
        self.browser.one("#song-remove").click()

    def test_an_audio_file_is_a_song_without_a_mixer(self):
        track = self.browser.downloads.parent / "track.flac"
        self.server.run("render", "-o", str(track), str(ROOT / "SoundFonts/demo.mid"), seconds=240)
        self.load(track)
        self.assertEqual((self.song()["kind"], self.song()["channels"]), ("audio", []))
        self.assertFalse(self.browser.one("#song-mixer-card").is_displayed())
        for part in ("tempo", "transpose-up", "render", "bar-on"):
            self.assertFalse(self.browser.one(f"#song-{part}").is_enabled(), part)
        self.browser.one("#song-play").click()
        wait_for(lambda: self.song()["position"] > 0.3, "it plays")
        self.browser.page("jumpTo(20)")
        wait_for(lambda: self.song()["position"] >= 20, "the place")
        self.browser.one("#song-remove").click()
        wait_for(lambda: self.browser.one("#song-empty").is_displayed(), "it is removed")

    def test_the_words_of_a_song_are_shown_where_they_are_sung(self):
        events = bytearray(b"\0\xff\x51\x03\x07\xa1\x20")
        for index, word in enumerate((b"Hal", b"lo ", b"world", b"\r", b"a", b"gain")):
            events += bytes([0 if index == 0 else 96, 0xFF, 5, len(word)]) + word
        events += b"\0\x90\x3c\x50\x83\x60\x80\x3c\0\0\xff\x2f\0"
        song = self.browser.downloads.parent / "words.kar"
        song.write_bytes(b"MThd\0\0\0\6\0\0\0\1\0\x60MTrk" + struct.pack(">I", len(events)) + events)
        self.load(song)
        wait_for(lambda: "Hallo world" in self.browser.text("#song-words"), "the words")
        self.assertEqual(self.browser.text("#song-next-line"), "again")
        def sung():
            return self.browser.page("return [...document.querySelectorAll('#song-line .sung')].map((part) => part.textContent)")
        for time, words in ((0.7, ["Hal", "lo "]), (1.2, ["Hal", "lo ", "world"]), (2.2, ["a"]), (0.1, ["Hal"])):
            self.browser.page("jumpTo(arguments[0])", time)
            wait_for(lambda: sung() == words, f"{words} at {time} s, but {sung()}")
        self.browser.one("#song-remove").click()

    def test_what_is_no_song_is_refused_with_a_reason(self):
        self.browser.view("song")
        text = self.browser.downloads.parent / "text.mid"
        text.write_text("This is no song.")
        self.browser.one("#song-file").send_keys(str(text))
        wait_for(lambda: self.browser.text("#notice"), "the reason")

    def test_songs_and_recordings_are_usable_by_all(self):
        self.record_notes()
        self.load()
        wait_for(lambda: self.browser.all(".channel"), "the mixer")
        self.browser.click("#song-mixer .isMuted")
        for width, height in ((1280, 900), (360, 740), (740, 360)):
            for dark in (True, False):
                self.browser.resize(width, height, dark, mobile=width < 1280, still=True)
                self.browser.view("song")
                self.check_with_axe((width, dark, "a song"))
                self.browser.view("takes")
                self.browser.click(".trim-button" if dark else ".rename-button")
                self.check_with_axe((width, dark, "a recording"))
        self.browser.script("document.querySelector('#confirm-text').textContent = document.querySelector('#confirm-yes').textContent = 'Delete'; document.querySelector('#confirm').showModal()")
        self.check_with_axe("a question")
        self.browser.script("document.querySelector('#confirm').close(); document.querySelector('#soundfont-dialog').showModal()")
        self.check_with_axe("a path")
        self.browser.script("document.querySelector('#soundfont-dialog').close()")
        # With fingers.
        self.browser.resize(360, 740, mobile=True)
        self.browser.command("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        try:
            for view in ("takes", "song"):
                self.browser.view(view)
                self.assertEqual(self.small_targets(), [], view)
                wide = self.browser.script("return Math.max(...[...document.querySelectorAll('main, .card, .mixer, .recordings')].map((part) => part.scrollWidth - part.clientWidth))")
                self.assertLessEqual(wide, 0, view)
        finally:
            self.browser.command("Emulation.setTouchEmulationEnabled", enabled=False)
        self.browser.one("#song-remove").click()

    # Zones of modules

    def test_a_zone_of_a_module_has_its_name_and_no_preset(self):
        configuration = self.server.configuration.replace("{ ports:", '{ outputs: [{ name: "Blofeld" }], ports:', 1)
        self.server.stop()
        self.server.file.write_text(configuration)
        self.server.start()
        self.browser.open(self.server.link)
        self.server.run("set", "Stage", 'zones=[{keys: "..B3", output: "Blofeld", outputChannel: 2}, {keys: "C4..", preset: "Grand Piano"}]')
        self.browser.view("edit")
        wait_for(lambda: "Blofeld" in self.browser.text("#zone-list"), "the module")
        self.assertEqual(len(self.browser.all('[aria-label="Sound of zone 1"]')), 0)
        self.assertEqual(len(self.browser.all('[aria-label="Sound of zone 2"]')), 1)
        Select(self.browser.one('[aria-label="Channel of the module of zone 1"]')).select_by_visible_text("5")
        wait_for(lambda: '"outputChannel":5' in self.browser.page("return server.request('zones', { component: componentOf(port) }).then((a) => JSON.stringify(JSON.parse(a.zones)))"), "the channel")
        self.browser.one("#undo").click()
        wait_for(lambda: '"outputChannel":2' in self.browser.page("return server.request('zones', { component: componentOf(port) }).then((a) => JSON.stringify(JSON.parse(a.zones)))"), "it is undone")
        self.server.renew()
