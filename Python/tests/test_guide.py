"""Runs the Python of Documentation/Datasets.md, but for the formats of other packages, which test_formats.py runs."""

import shutil
import types

import numpy as np
from conftest import FONT, GUIDE, SONG, guide_programs


def test_the_programs_of_the_guide_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(FONT, "font.sf2")
    shutil.copy(SONG, "song.mid")
    (tmp_path / "bad.mid").write_bytes(b"")
    (tmp_path / "out").mkdir()
    # The guide's class needs only these of torch.
    torch = types.SimpleNamespace(
        utils=types.SimpleNamespace(data=types.SimpleNamespace(Dataset=object)), from_numpy=lambda array: array, Tensor=np.ndarray
    )
    names = {"paths": ["song.mid", "bad.mid"], "torch": torch}
    programs = [program for heading, found in guide_programs().items() if heading != "Formats of datasets" for program in found]
    assert len(programs) == 6
    for program in programs:
        exec(compile(program, str(GUIDE), "exec"), names)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["0.npz"]
    audio, roll = names["Songs"](["song.mid"])[0]
    assert audio.shape[0] == 2 and roll.shape[0] == 128 and roll.any()
    dry = names["alone"].stem("dry").audio
    assert dry.any() and np.abs(names["dry"] - dry).max() < 1e-6
    assert (names["notes"]["onset"] <= names["notes"]["sound_release"]).all()
    assert len(names["intervals"]) == len(names["pitches"]) > 1000 and len(names["downbeats"]) > 10
    assert names["part"].duration == 4 and names["first"].audio is names["out"] and names["bars"].labels.start > 0
