/// What `--help` says.
enum Help {
  static let short = """
    portative render SONG.mid …  turns MIDI files into audio files; see portative --help

    """

  static let overview = """
    portative plays MIDI files with a SoundFont, each note on its exact frame.

    Usage:
      portative render [OPTIONS] SONG.mid …   turn MIDI files into audio files
      portative render --help                 all its options
      portative --version

    Exit codes:
      0 done, 1 failed, 2 wrong usage, 3 input unusable, 4 output not written,
      5 SoundFont missing or unusable, 6 warnings under --strict

    """

  static let render = """
    Usage: portative render [OPTIONS] SONG.mid …

    Turns MIDI files into audio files, each beside its song unless --output or
    --directory says otherwise. A file appears only when it is whole.
    - is standard input.

    \(RenderOptions.table.help)

    The SoundFont is the first of: --soundfont, $PORTATIVE_SOUNDFONT, "soundfont"
    in ~/.config/portative/config.json or /etc/xdg/portative/config.json, the
    system's default in /usr/share, the user's in ~/.local/share/soundfonts, the one
    that comes with portative.

    Examples:
      portative render song.mid
      portative render --rate 96000 --bits 24 -o song.flac song.mid
      portative render -d audio --format opus *.mid
      portative render -o - song.mid | aplay

    """
}
