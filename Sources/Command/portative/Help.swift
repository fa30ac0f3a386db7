import BatchRenderer
import Options

/// The help texts.
enum Help {
  static let short = """
    portative render SONG.mid …  renders MIDI files to audio files
    portative serve              plays USB keyboards, and publishes instruments
    See portative --help.

    """

  static let overview = """
    portative plays SoundFonts, each note on its exact frame.

    Usage:
      portative render [OPTIONS] SONG.mid …   render MIDI files to audio files
      portative merge -o ALL.json PART.json … join the reports of a list's parts
      portative serve [OPTIONS]               publish instruments and effects
      portative list [OPTIONS]                list the ports that hosts can use
      portative describe PORT                 show a port's parameters and presets
      portative presets [PORT|FILE] [WORD …]  list presets of a port or SoundFont
      portative set PORT gain=-3 …            change the sound of a running port
      portative get PORT [SETTING …]          show its parameters, preset, SoundFont
      portative scene [NAME|next|previous]    change what keyboards play
      portative zones PORT [LIST]             split and layer keyboards
      portative panic [PORT]                  end everything that sounds
      portative take [DURATION] [PORT]        write what keyboards have just played
      portative learn PORT PARAMETER          assign a knob or key of a keyboard
      portative play [OPTIONS] SONG.mid       play a song through ports
      portative connect [KEYBOARD PORT]       connect keyboards to ports
      portative status                        show running nodes and their load
      portative panel                         print the link of a server's web panel
      portative remote COMMAND                control the host that plays a port
      portative lv2 list|install|remove       plugins that play ports in other hosts
      portative doctor                        check whether this machine can play
      portative VERB --help                   show all options of a verb
      portative --version

    Exit codes:
      0 success, 1 failure, 2 wrong usage, 3 input unusable (song, configuration),
      4 output not written, 5 SoundFont missing or unusable,
      6 warnings under --strict; ended by a signal, as a shell reports it:
      130 SIGINT (Ctrl-C), 143 SIGTERM (serve: 0), 129 SIGHUP, 141 SIGPIPE

    """

  static let render = """
    Usage: portative render [OPTIONS] SONG.mid …
           portative render [OPTIONS] --directory DIR|--beside FOLDER …

    Renders MIDI files to audio files. Each is written beside its song, unless
    --output or --directory names another place, and appears only when it is
    complete. - is standard input. In a folder and its subfolders, all songs are
    rendered: files whose names end in .mid, .midi, .smf, .kar or .rmi. Symbolic
    links are followed and other file systems are entered only with the options
    below. A song that fails does not stop the others.

    An existing file is replaced if portative wrote it and it has not changed since,
    if the report that --report names lists it, or if --output names it. To replace
    any other file, use --overwrite; without it, the song fails with exit code 4.
    With --directory, no file is written outside of that folder, whatever a manifest
    or a symbolic link says.

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

    Joins the reports that render --shard I/N --report wrote for the parts of a
    list. The result is the report of the whole list, and the exit code is that of a
    run that renders all of it. Fails if a part is missing.

    \(MergeOptions.table.help)

    Example:
      portative merge -o all.json part.*.json

    """

  static let serve = """
    Usage: portative serve [OPTIONS]

    Plays instruments from keyboards, and publishes instruments and effects for
    other programs, until SIGTERM or Ctrl-C. On SIGHUP, it reads the configuration
    again: unchanged ports continue to play, and an unusable configuration has no
    effect. On a terminal, a panel shows the ports with their levels and the log;
    press ? for its keys. --panel offers another panel, as a web page.

    \(ServeOptions.table.help)

    Without a configuration, there is one port for each unit: synth, multi-synth,
    layer, resonator, delay and metronome. To publish other ports, list them in
    ~/.config/portative/config.json or /etc/xdg/portative/config.json:

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

    Other fields of a port are manufacturer, tags and icon. A synth, multi-synth or
    layer can have soundfont, timing, reverb, reverbEngine, chorus, polyphony,
    threads (that render its notes in exact timing, 1 to 64; the default is 1),
    and keyboards: the names of those that play it, such as ["Nord*"]. Other
    keyboards play the first port that accepts MIDI; see portative connect. A
    multi-synth has 34 outputs; keyboards play it in stereo. A delay is an
    effect or, to be played by controllers, a musicEffect. portative describe lists
    the parameters of a port. Unknown fields cause a warning. A server has at most
    128 ports, a chain at most 16 nodes.

    Exit codes:
      0 ended by SIGTERM or Ctrl-C, or --check found no error, 1 failure, such as a
      node of this name that is already running, 2 wrong usage, 3 configuration
      unusable, 4 --install could not write, 5 SoundFont missing or unusable

    Examples:
      portative serve
      portative serve --check --config Organ.json
      portative serve --config Organ.json --name organ
      portative serve --audio hw:1 --period 64
      portative serve --panel --open
      portative serve --install            # once; afterwards, hosts start it

    """

  static let panel = """
    Usage: portative panel [--open] [NODE]

    Prints the link of the web panel of a server that runs with --panel. Who has the
    link can play and change everything that the panel shows: do not share it.

    \(PanelOptions.table.help)

    Examples:
      portative serve --panel
      portative panel --open

    """

  static let list = """
    Usage: portative list [OPTIONS]

    Lists the ports that hosts can use: those of running nodes, and those of nodes
    that start when a host uses them. To name a port, use its name or an unambiguous
    part of it, or its component, such as "instrument gmsy Ptvo" or gmsy. The name
    of its node may precede it: organ/Flutes.

    \(ListOptions.table.help)

    """

  static let presets = """
    Usage: portative presets [--json] [PORT|SOUNDFONT] [WORD …]

    Lists the presets of a port or of a SoundFont file, whose names contain all
    words. A word such as 0:40 is a bank and a program. Without a port or file, the
    presets are those of the SoundFont that portative render plays.

    \(PresetsOptions.table.help)

    Examples:
      portative presets piano
      portative presets ~/Grand.sf2
      portative presets "General MIDI" string ensemble

    """

  static let set = """
    Usage: portative set PORT SETTING=VALUE …

    Changes the sound of a running port from the next cycle on, whether keyboards or
    a host play it. A host is told. The settings are those that portative get and
    portative describe show, and

      preset=NAME     by name, by words of the name, or as BANK:PROGRAM; for the
                      first MIDI channel
      soundfont=FILE  what sounds fades; programs and parameters remain

    What keyboards play keeps the settings until the server ends. To keep them
    longer, write them into the configuration.

    \(SetOptions.table.help)

    Examples:
      portative set piano gain=-3 reverb.room=0.4
      portative set piano preset="Church Organ" chorus.on=off
      portative set piano soundfont=~/Grand.sf2

    """

  static let scene = """
    Usage: portative scene [--json] [--node NODE]
           portative scene [--node NODE] NAME|next|previous
           portative scene [--node NODE] [--replace] save NAME

    Shows the scenes of the configuration, or changes what keyboards play on the
    ports. Notes that are held keep their sound until their keys and pedals are
    released; the next note has the new sound. The sounds of the scenes around the
    current one are made ahead, so that a change takes no time. Hosts that play a
    port are not affected.

    NAME may be a part of the name that no other scene has. next and previous
    follow the set list of the configuration, otherwise the order of the scenes.

    save adds what keyboards play now to the configuration file as a scene: the
    zones, and what 'portative set' has changed. Comments in the file remain.

    \(SceneOptions.table.help)

    Examples:
      portative scene next
      portative scene Verse
      portative scene save "Second verse"

    """

  static let zones = """
    Usage: portative zones PORT
           portative zones PORT LIST|-
           portative zones PORT --clear

    Shows or changes what parts of keyboards play on a port, while it is played.
    Held notes keep their sound. LIST is a list of zones as in the configuration;
    - reads it from standard input. The zones last until a scene is chosen or the
    server ends: 'portative scene save NAME' keeps them.

    A zone can have: keyboards, channel, keys, velocities, transpose, velocity,
    controllers, invertPedal, mode, soundfont, preset, parameters, level, pan.

    \(ZonesOptions.table.help)

    Example, a bass below C4 and strings above:
      portative zones "Grand Piano" '[{keys: "..B3", preset: "0:32"},
        {keys: "C4..", preset: "0:48", level: -6}]'

    """

  static let panic = """
    Usage: portative panic [PORT]

    Ends everything that sounds in real time, on a port or on all: notes, held keys
    and pedals, reverb and echoes, and songs that portative play plays. The settings
    remain, and the next note sounds as usual. Files that are being rendered are not
    affected.

    \(PanicOptions.table.help)

    """

  static let take = """
    Usage: portative take [OPTIONS] [DURATION] [PORT]

    Writes what keyboards have played on the sound device of portative serve to a
    MIDI file, each event on its frame: the last half hour, or as much as "takes" in
    the configuration says, or the last DURATION: 90, 90s, 5m, 1h or 1:30. The file
    begins with the first note: silence before it is left out. It has a track for
    each port that was played, or only that of PORT. What hosts play or keyboards
    play through a host is not recorded.

    The settings in force before the file begins are at its beginning, also if the
    messages that made them are no longer kept. Notes that began before are left
    out, and notes that are still held end with the file. If the device was closed
    and opened again in between, the file has all of it, in the time that passed.

    It shows the command that renders the file through the port, with the settings
    that were changed with portative set. --audio does so at once. The result has
    the bits that were heard, as long as the port is played by keyboards only and
    nothing before the take still sounds. Reverb and chorus depend on the time since
    the instrument began to render, so --audio takes it into account; with the
    command, use --keep-silence.

    \(TakeOptions.table.help)

    Without PORT, one node only may have been played.

    Examples:
      portative take
      portative take 5m -o idea.mid --audio idea.wav
      portative take 1:30 piano

    """

  static let learn = """
    Usage: portative learn [OPTIONS] PORT PARAMETER
           portative learn [OPTIONS] [PORT] panic
           portative learn --list [PORT]
           portative learn --clear PORT [PARAMETER]|[PORT] panic|--all

    Waits until a control of a keyboard that plays PORT is moved: a knob, fader,
    wheel, pedal or button. From then on, the parameter follows it, or panic does.
    The port no longer receives what the control sends. Controllers of 14 bits are
    recognized. Panic also learns keys; without PORT, it ends the sound of all ports
    of a node. The server stores what it has learned.

    \(LearnOptions.table.help)

    VALUE is a number or the name of a value. A parameter has one learned control;
    a control may have several parameters. Controls can also be written into the
    configuration, as "controls"; learned ones take precedence.

    Examples:
      portative learn piano reverb.room --to 0.8
      portative learn piano panic
      portative learn --clear piano reverb.room

    """

  static let get = """
    Usage: portative get [--json] PORT [SETTING …]

    Shows the settings of a port as portative set takes them, or the values of some.
    A port that keyboards or a host play is not interrupted. If its node is not
    running, it is started.

    \(GetOptions.table.help)

    Example:
      portative get piano gain

    """

  static let describe = """
    Usage: portative describe [--json] PORT

    Shows a port's presets and its parameters with their current values. A port that
    a host plays is not interrupted. If its node is not running, it is started.

    \(DescribeOptions.table.help)

    Example:
      portative describe delay

    """

  static let play = """
    Usage: portative play [OPTIONS] SONG.mid

    Plays a song through ports of nodes, each event on its exact frame, and writes
    the result to a file or plays it on a sound device. Nodes that are not running
    are started. - is standard input.

    \(PlayOptions.table.help)

    If two nodes have ports with the same name, add the node: organ/Flutes. Effects
    that accept MIDI receive that of the song. On a terminal, keys control the
    transport; ? lists them. Nodes can control it with portative remote. With
    --audio, late cycles are counted, and reported at the end.

    If a node or the sound device disappears during playback, the song continues
    without it, and uses it again when it is back. A node with a manifest is started
    again. After --patience, playback ends. A recording keeps the song's time, with
    silence where a node was missing. If the device comes back with another rate,
    the recording ends and another one begins.

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

    Shows or changes which keyboard plays which port. The server stores changes, and
    restores the connections of a keyboard that is plugged in again.

    \(ConnectOptions.table.help)

    KEYBOARD and PORT are names, parts of names in upper or lower case, or numbers
    as in the list. To distinguish two keyboards of one kind, use the serial number
    or the socket from the list as KEYBOARD.

    Manual changes take precedence over the lists of keyboards in the configuration
    until these lists change. The server's log reports when they do.

    Examples:
      portative connect
      portative connect launchkey piano
      portative connect --remove launchkey

    """

  static let status = """
    Usage: portative status [--json]

    Shows the running nodes, the hosts and keyboards that play their ports, and
    statistics. LOAD is the time spent on rendering, relative to the time rendered.

    \(StatusOptions.table.help)

    """

  static let remote = """
    Usage: portative remote [--node NAME] COMMAND

    Controls the host that plays a port, as a foot switch or a panel beside the node
    would.

      play           play, or stop if it plays
      record         record, or stop recording
      rewind         return to the beginning
      start          play from the beginning, or from where the host starts
      stop           stop
      continue       play from where it stopped
      jump BEAT      go to a beat, in quarter notes from the beginning (0)
      loop on|off    turn the loop on or off

    \(RemoteOptions.table.help)

    Without --node, there must be exactly one host that accepts commands. A command
    that the host does not support is an error.

    Examples:
      portative remote play
      portative remote jump 16
      portative remote --node Piano loop on

    """

  static let lv2 = """
    Usage: portative lv2 list [--json] [--folder DIR]
           portative lv2 install [OPTIONS] [NODE …]
           portative lv2 remove [--folder DIR] [NODE …]

    Installs LV2 plugins, with which hosts such as Ardour play ports. There is a
    plugin for each port of a node, with the port's name, parameters and presets,
    and a bundle for each node that hosts can start.

    install starts the nodes and acquires each of their ports for a moment. Run it
    again after a node's ports, parameters or SoundFont have changed. Without NODE,
    it installs all nodes that have a manifest, and remove removes the bundles of
    all nodes. list shows the installed plugins, in the folders of $LV2_PATH or in
    those where hosts look by default, and the ports that have none.

    \(LV2Options.table.help)

    A bundle is replaced or removed only if portative wrote it.

    Examples:
      portative lv2 install
      portative lv2 install organ
      portative lv2 remove

    """

  static let doctor = """
    Usage: portative doctor [--json]
           portative doctor --latency INPUT [OPTIONS]

    Checks whether this machine is ready to play: keyboards, sound, SoundFonts and
    realtime priority. Each problem is shown with its remedy. The exit code is 1 if
    playing would fail.

    With --latency, it measures the time from a key to its sound: it plays clicks
    as serve does, and records them. Connect the output to the input with a cable,
    and disconnect loudspeakers and headphones.

    \(DoctorOptions.table.help)

    Examples:
      portative doctor
      portative doctor --latency hw:1 --audio hw:1 --period 64
      portative doctor --latency hw:Loopback,1 --audio hw:Loopback,0   # snd-aloop

    """
}
