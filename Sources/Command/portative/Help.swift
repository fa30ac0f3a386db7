import BatchRenderer
import Options

/// The help texts.
enum Help {
  static let short = """
    portative render SONG.mid …  turns MIDI files into audio files
    portative serve              plays USB keyboards, and lets programs play too
    See portative --help.

    """

  static let overview = """
    portative plays SoundFonts, each note on its exact frame.

    Usage:
      portative render [OPTIONS] SONG.mid …   turn MIDI files into audio files
      portative merge -o ALL.json PART.json … join the reports of a list's parts
      portative serve [OPTIONS]               play from keyboards, and be hosted
      portative list [OPTIONS]                the ports that a host could use
      portative describe PORT                 a port's parameters and presets
      portative play [OPTIONS] SONG.mid       be a host: play a song on a port
      portative connect [KEYBOARD PORT]       which keyboard plays which port
      portative status                        who plays what, and how it is doing
      portative remote COMMAND                start, stop or move what a host plays
      portative doctor                        whether this machine is ready to play
      portative VERB --help                   all options of a verb
      portative --version

    Exit codes:
      0 done, 1 failed, 2 wrong usage, 3 input unusable (song, configuration),
      4 output not written, 5 SoundFont missing or unusable,
      6 warnings under --strict; ended by a signal, as the shell counts:
      130 SIGINT (Ctrl-C), 143 SIGTERM (serve: 0), 129 SIGHUP, 141 SIGPIPE

    """

  static let render = """
    Usage: portative render [OPTIONS] SONG.mid …
           portative render [OPTIONS] --directory DIR|--beside FOLDER …

    Turns MIDI files into audio files, each beside its song unless --output or
    --directory says otherwise. A file appears only when it is complete.
    - is standard input. Of a folder, all songs in it and its folders are rendered:
    files whose names end in .mid, .midi, .smf, .kar, .rmi. Symbolic links in it are
    not followed and other file systems not entered unless asked. One bad song does
    not stop the others.

    Files that are already there are replaced if portative wrote them and they have
    not changed since, if the report that --report names lists them, or if --output
    names them. Any other file is left alone, and the song fails with exit code 4,
    unless --overwrite is given. Nothing is written outside --directory: neither a
    manifest nor a symbolic link leads out of it.

    \(RenderArguments.table.help)

    The SoundFont is the first of: --soundfont, $PORTATIVE_SOUNDFONT, "soundfont"
    in ~/.config/portative/config.json or /etc/xdg/portative/config.json, the
    system's default in /usr/share, the user's in ~/.local/share/soundfonts, the one
    that comes with portative.

    Examples:
      portative render song.mid
      portative render --rate 96000 --bits 24 -o song.flac song.mid
      portative render -d audio --format opus *.mid
      portative render --dry-run --beside library
      portative render -d audio --report audio.json --resume library
      portative render -o - song.mid | aplay

    """

  static let merge = """
    Usage: portative merge [OPTIONS] PART.json …

    Joins the reports of all parts of a list, which render --shard I/N --report wrote,
    into that of the whole. Fails if a part is missing; else it ends with the code that
    one run would have ended with.

    \(MergeOptions.table.help)

    Example:
      portative merge -o all.json part.*.json

    """

  static let serve = """
    Usage: portative serve [OPTIONS]

    Plays instruments from keyboards, and publishes them and effects for other
    programs, until SIGTERM or Ctrl-C ends it. SIGHUP lets it read the configuration
    again; ports that have not changed play on, and a configuration that cannot be
    used changes nothing.

    \(ServeOptions.table.help)

    Without a configuration there is a port for each unit: synth, layer, resonator,
    delay and metronome. Others are listed in ~/.config/portative/config.json or
    /etc/xdg/portative/config.json:

      {
        soundfont: "~/Grand.sf2",
        ports: [
          { name: "Portative: General MIDI", subtype: "gmsy" },
          { name: "Portative: Piano", subtype: "pian", gain: -3,
            preset: { bank: 0, program: 0 } },
          { name: "Portative: Echo", subtype: "echo", unit: "delay",
            parameters: { feedback: 60 } },
          { name: "Portative: Far Piano", subtype: "farp", unit: "chain",
            type: "instrument", nodes: ["Piano", "Echo"] },
        ],
      }

    A port may also have: manufacturer, tags, icon; as a synth or layer soundfont,
    timing, reverb, reverbEngine, chorus, polyphony; and keyboards: names of those
    that play it, as in ["Nord*"]. Others play the first port that takes MIDI; see
    portative connect. A delay may be an effect or, played by controllers, a
    musicEffect. Parameters are those that portative describe shows. A field that is
    not known is ignored, with a warning. A server has 128 ports at most, a chain 16
    nodes.

    Exit codes:
      0 ended by SIGTERM or Ctrl-C, or --check found nothing, 1 failed, as when the
      node runs already, 2 wrong usage, 3 configuration unusable, 4 --install could
      not write, 5 SoundFont missing or unusable

    Examples:
      portative serve
      portative serve --check --config Organ.json
      portative serve --config Organ.json --name organ
      portative serve --audio hw:1 --period 64
      portative serve --install            # once; then hosts start it by themselves

    """

  static let list = """
    Usage: portative list [OPTIONS]

    Lists the ports that a host could use: those that run, and those whose node
    starts when a host uses it. Where a port is to be named, any of these will do:
    its name, or an unambiguous part of it; its component, as "instrument gmsy Ptvo"
    or gmsy; each of them after its node's name, as in organ/Flutes.

    \(ListOptions.table.help)

    """

  static let describe = """
    Usage: portative describe [--json] PORT

    Shows what a port can be told: its parameters, with what they are now, and its
    presets. A port that a host plays goes on playing. Its node is started if it does
    not run.

    \(DescribeOptions.table.help)

    Example:
      portative describe delay

    """

  static let play = """
    Usage: portative play [OPTIONS] SONG.mid

    Plays a song through ports of nodes, each event on its frame, and writes what
    comes back to a file, or lets it be heard. A node that does not run is started.
    - is standard input.

    \(PlayOptions.table.help)

    Where two nodes have ports of one name, write the node's before: organ/Flutes.
    Effects that take MIDI get the song's. On a terminal, keys move the transport;
    nodes may do so too, by portative remote; ? shows the keys. With --audio the
    cycles have to be ready in time; how they did is said in the end.

    A node or a sound device that is gone while the song is heard does not end it:
    the song goes on without the node, or unheard, and takes it back when it is
    there again; a node with a manifest is started again. After --patience it ends.
    A recording stays on the song's time, with silence where a node was gone. It
    ends, and another begins, where the device comes back at another rate.

    Examples:
      portative serve &
      portative play -o song.wav --effect delay song.mid
      portative play --audio default --metronome --loop-bars 5-8 song.mid
      portative play --node "General MIDI" --audio none --cycle 64 song.mid

    """

  static let connect = """
    Usage: portative connect [--json]
           portative connect KEYBOARD PORT
           portative connect --remove KEYBOARD [PORT]

    Shows which keyboard plays which port, or changes it. The server remembers it: a
    keyboard that is plugged in again returns to its place.

    \(ConnectOptions.table.help)

    KEYBOARD and PORT are names, parts of names in upper or lower case, or numbers
    as in the list. KEYBOARD may also be a serial number or a socket as in the list,
    for two of a kind.

    What you do by hand comes before the configuration's lists of keyboards, until
    these lists change. The server's log says so where it matters.

    Examples:
      portative connect
      portative connect launchkey piano
      portative connect --remove launchkey

    """

  static let status = """
    Usage: portative status [--json]

    Shows which nodes run, who plays their ports, and how they do. LOAD is the
    time spent rendering, of the time that was rendered.

    \(StatusOptions.table.help)

    """

  static let remote = """
    Usage: portative remote [--node NAME] COMMAND

    Commands the host that plays a port, from the node's side: as a foot switch or a
    panel beside it does.

      play           play, or stop if it plays
      record         record, or stop recording
      rewind         go back to the beginning
      start          play from the beginning, or as the host has it
      stop           stop
      continue       play from where it stopped
      jump BEAT      go to a beat: quarter notes from the beginning, which is 0
      loop on|off    play the loop again and again, or not

    \(RemoteOptions.table.help)

    Without --node there has to be one host only that takes commands. A host does
    what it can: what it does not take is said.

    Examples:
      portative remote play
      portative remote jump 16
      portative remote --node Piano loop on

    """

  static let doctor = """
    Usage: portative doctor [--json]
           portative doctor --latency INPUT [OPTIONS]

    Looks whether this machine can be played on: keyboards, sound, SoundFonts,
    realtime priority. Each thing that is not good comes with its remedy. Exits
    with 1 if playing would fail.

    With --latency it measures how long a key takes to be heard: it plays clicks,
    as serve would, and listens to them. Connect the output to the input by a cable,
    and not to loudspeakers or headphones.

    \(DoctorOptions.table.help)

    Examples:
      portative doctor
      portative doctor --latency hw:1 --audio hw:1 --period 64
      portative doctor --latency hw:Loopback,1 --audio hw:Loopback,0   # snd-aloop

    """
}
