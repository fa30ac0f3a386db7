"""Calls that type checkers must refuse: mypy reports each comment that it does not need."""

import portative

synthesizer = portative.Synthesizer("font.sf2")
synthesizer.render(5)  # type: ignore[arg-type]
synthesizer.render("song.mid", transpos=2)  # type: ignore[call-arg]
synthesizer.render("song.mid", reverb="maybe")  # type: ignore[arg-type]
synthesizer.render("song.mid", start=[1])  # type: ignore[arg-type]
synthesizer.render_many(["song.mid"], errors="ignore")  # type: ignore[call-overload]
for rendering in synthesizer.render_many(["song.mid"], errors="return"):
    rendering.audio  # type: ignore[union-attr]
portative.Augmentation(tempo=0.9)  # type: ignore[arg-type]
