/// The fields of the configuration file as its manual describes them. A test compares them with those that are decoded.
package struct SettingsReference: Sendable {
  /// The fields of one object.
  package struct Section: Sendable {
    package let title: String
    package let introduction: String
    package let fields: [Field]
  }

  package struct Field: Sendable {
    package let name: String
    /// The type of its values, such as `number`.
    package let value: String
    package let text: String

    init(_ name: String, _ value: String, _ text: String) {
      self.name = name
      self.value = value
      self.text = text
    }
  }

  package static let sections = [
    Section(
      title: "FIELDS OF THE FILE",
      introduction: "All fields are optional.",
      fields: [
        Field("soundfont", "path", "The SoundFont of ports that name none."),
        Field(
          "ports", "list of ports",
          "The ports that portative serve publishes, at most 128. The default is one for each built-in unit."
        ),
        Field("midi", "object", "Which keyboards are connected."),
        Field(
          "scenes", "list of scenes", "What keyboards play, to be chosen while they are played."),
        Field(
          "setList", "list of names",
          "The scenes in the order in which they are played; by default, the order of scenes."),
        Field("takes", "object", "What is kept for portative take."),
        Field("controls", "list of controls", "What knobs, pedals, keys and program changes do."),
        Field("outputs", "list of outputs", "MIDI ports through which modules are played."),
      ]),
    Section(
      title: "PORTS",
      introduction:
        "A port has a name and a subtype, or lv2. The other fields are optional.",
      fields: [
        Field("name", "text", "The name, as in \"Maker: Name\"."),
        Field(
          "subtype", "4 characters", "Identifies the port together with type and manufacturer."),
        Field(
          "manufacturer", "4 characters", "The default is \"Ptvo\", or \"LV2 \" with lv2."),
        Field(
          "lv2", "URI",
          "An LV2 plugin that the port plays, as portative list --lv2 lists it; # and the name of a preset may follow. Name, "
            + "subtype and type are the plugin's if they are not given."),
        Field(
          "files", "object",
          "The files that the plugin plays, such as samples, by the names of its properties, which portative list --lv2 lists: "
            + "{ sample: \"bell.wav\" }. A property that only the plugin's state has is named by its URI."
        ),
        Field("texts", "object", "Texts for the plugin, likewise."),
        Field(
          "isolation", "word",
          "\"process\" (the default): the plugin has a process of its own, so that a crash is silence for this port only, "
            + "and the plugin is started again; or \"shared\": it is in the server's process."),
        Field(
          "instruments", "object",
          "What plays channels: an object with channels, as \"1\" or \"2,3\", and for each \"lv2:URI\", \"sf2:FILE\" or the "
            + "name of a port. The others are played by the SoundFont."),
        Field(
          "unit", "word",
          "What sounds: \"synth\" (the default), \"multi-synth\", \"split\" (the default with instruments), "
            + "\"layer\", \"resonator\", \"delay\", \"metronome\", \"chain\" or \"lv2\" (the default with lv2)."
        ),
        Field(
          "type", "word",
          "\"instrument\", \"effect\", \"musicEffect\" or \"generator\". The default is the unit's first type."
        ),
        Field(
          "parameters", "object",
          "Initial values by the identifiers of parameters, which portative info PORT lists."),
        Field(
          "nodes", "list of ports",
          "The ports of a chain, from first to last, or LV2 plugins as \"lv2:URI\"; at most 16."),
        Field("tags", "list of words", "Words by which hosts find the port."),
        Field("icon", "path", "An image that hosts show."),
        Field(
          "keyboards", "list of names",
          "The keyboards that play the port, with *, ? and […] as in file names. Other keyboards play the first port that "
            + "accepts MIDI."),
        Field("soundfont", "path", "The SoundFont of a synth, multi-synth, split or layer."),
        Field(
          "preset", "object",
          "The bank (0 to 16383; 128 is drums) and program (0 to 127) that the port plays on every channel. By default, it "
            + "follows program changes."),
        Field("gain", "number", "Relative to FluidSynth's default, in decibels."),
        Field(
          "timing", "word",
          "\"exact\" (the default), or \"stock\" for the grid of FluidSynth."),
        Field("reverb", "true or false", "The default is true."),
        Field("reverbEngine", "word", "The reverb, where FluidSynth has several."),
        Field("chorus", "true or false", "The default is true."),
        Field(
          "bankStyle", "word",
          "How banks choose presets: \"auto\" (the default) follows GM, GM2, GS and XG resets; \"gs\", \"gm\", \"gm2\", \"xg\" "
            + "and \"mma\" do not; \"library\" leaves System Exclusive to FluidSynth."),
        Field("polyphony", "number", "The greatest number of voices that sound at the same time."),
        Field(
          "threads", "number",
          "The threads that render notes in exact timing, 1 (the default) to 64."),
        Field(
          "zones", "list of zones",
          "Splits and layers; the default is one zone for the whole keyboard."),
      ]),
    Section(
      title: "ZONES",
      introduction:
        "A zone is a part of what keyboards play on a port. Zones that overlap are layers. What a zone does not set is that of "
        + "its port.",
      fields: [
        Field(
          "keyboards", "list of names", "The keyboards that play the zone; the default is all."),
        Field("channel", "number", "The channel on which they play, 1 to 16; the default is all."),
        Field("keys", "range", "\"C2..B3\", \"C4..\", \"60\" or [36, 59]; C4 is key 60."),
        Field("velocities", "range", "[lowest, highest], 1 to 127."),
        Field("transpose", "number", "In semitones, −127 to 127."),
        Field(
          "velocity", "curve",
          "\"linear\" (the default), \"soft\", \"hard\", one velocity for all notes, or points such as "
            + "[[1, 20], [127, 110]]."),
        Field(
          "controllers", "list",
          "What passes: \"all\" (the default), \"none\", or a list of controllers 0 to 119, \"bend\", \"pressure\" and "
            + "\"program\"."),
        Field(
          "routes", "list of objects",
          "Controllers that act as others: from and to, each 0 to 119 except pedals (64 to 69) or \"pressure\"; a curve "
            + "as for velocity; and a range, the values at 0 and at 127: { from: 2, to: 11, range: [20, 127] }."
        ),
        Field(
          "invertPedal", "true or false", "For a sustain pedal that works the wrong way round."),
        Field("mode", "word", "\"poly\" (the default), \"mono\" or \"legato\"."),
        Field(
          "portamento", "object",
          "Notes glide: time, the milliseconds of each glide, or perOctave, those of an octave; and when, \"always\" (the "
            + "default) or \"legato\", while another key is held: { time: 120, when: \"legato\" }."),
      ] + sound + [
        Field(
          "output", "name", "The MIDI output through which a module plays the zone instead."),
        Field(
          "outputChannel", "number",
          "The channel on which the module plays, 1 to 16; the default is that of the keyboard."),
      ]),
    Section(
      title: "SCENES",
      introduction:
        "A scene has a name and ports: an object with the names of ports, each with zones and the sound of those that set "
        + "none.",
      fields: [
        Field("name", "text", "The name, 1 to 64 characters, as for portative scene."),
        Field(
          "ports", "object",
          "What is played on which port; a port that is not named plays as without a scene."),
        Field("transpose", "number", "In semitones, for all ports, drums excepted."),
        Field(
          "held", "word",
          "What becomes of held notes when the scene is chosen: \"hold\" (the default), \"end\", or \"next\": the next note ends "
            + "them."),
        Field("send", "list of objects", "What modules receive when the scene is chosen."),
        Field(
          "text", "text",
          "What the player wants to read, such as words or chords: at most 2000 characters."),
        Field(
          "track", "object or word",
          "The song that plays beside the keyboards; \"stop\" stops it. Without it, what plays goes on."
        ),
        Field(
          "tempo", "number",
          "The tempo of the song and the metronome, 20 to 400 quarter notes per minute."),
        Field("click", "true or false", "Whether the metronome clicks; the default is as before."),
      ]),
    Section(
      title: "TRACKS OF SCENES",
      introduction: "The file is required.",
      fields: [
        Field("file", "path", "A MIDI file, or an audio file at the rate of the sound device."),
        Field(
          "start", "true or false",
          "Whether it starts with the scene (the default), or by a control."),
        Field("countIn", "number", "The bars that are counted in before it, 0 to 16."),
        Field("level", "number", "In decibels, -60 to 12; the default is 0."),
        Field("transpose", "number", "In semitones, -36 to 36, drums excepted."),
        Field("muted", "list of numbers", "The channels of a MIDI file that are not heard."),
      ]),
    Section(
      title: "PORTS OF SCENES",
      introduction: "All fields are optional.",
      fields: [
        Field("zones", "list of zones", "The default is one zone for the whole keyboard.")
      ] + sound),
    Section(
      title: "MODULES OF SCENES",
      introduction: "Fields of an object of send. The output is required.",
      fields: [
        Field("output", "name", "The name of a MIDI output."),
        Field("channel", "number", "1 to 16; the default is 1."),
        Field(
          "bank", "number or list",
          "The value of controller 0, or the values of controllers 0 and 32: [87, 64]."),
        Field("program", "number", "0 to 127."),
        Field(
          "controllers", "object", "Values by the numbers of controllers: { \"7\": 100 }."),
      ]),
    Section(
      title: "OUTPUTS",
      introduction: "A MIDI output is a port that other programs see. It has a name.",
      fields: [
        Field("name", "text", "The name, 1 to 63 bytes."),
        Field(
          "connect", "list of names",
          "The modules and programs to connect when they appear, with *, ? and […] as in file names; the default is none."
        ),
      ]),
    Section(
      title: "CONTROLS",
      introduction:
        "A control has one of controller, note, program, pitchBend and pressure. It sets a parameter of a port, or does "
        + "something.",
      fields: [
        Field("controller", "number", "0 to 119; with fine, 0 to 31."),
        Field("fine", "true or false", "Whether the controller has 14 bits."),
        Field(
          "relative", "word",
          "How an endless encoder sends steps: \"twosComplement\", \"offset\" or \"signMagnitude\"."
        ),
        Field("note", "number", "A key, 0 to 127."),
        Field("program", "number or word", "A program change, 0 to 127 or \"any\"."),
        Field("pitchBend", "true", "The pitch wheel."),
        Field("pressure", "true", "Channel pressure."),
        Field("channel", "number", "1 to 16; the default is all."),
        Field(
          "keyboard", "name",
          "The keyboard, with *, ? and […] as in file names; the default is all."),
        Field("port", "name", "The name of a port, or a part of it."),
        Field("parameter", "text", "The identifier of a parameter of the port."),
        Field("from", "number", "The value at the lower end; the default is the minimum."),
        Field("to", "number", "The value at the upper end; the default is the maximum."),
        Field(
          "pickup", "true or false",
          "Whether the parameter follows only after the control has passed its value."),
        Field(
          "does", "word",
          "\"panic\", \"scene\", \"nextScene\", \"previousScene\", \"transposeUp\", \"transposeDown\", "
            + "\"transposeReset\", \"toggleTrack\", \"startTrack\", \"stopTrack\", \"tapTempo\" or \"toggleClick\"."
        ),
        Field(
          "scene", "name",
          "The scene that \"scene\" chooses; with program \"any\", the program is its number."),
      ]),
    Section(
      title: "KEYBOARDS",
      introduction: "The fields of midi:",
      fields: [
        Field(
          "connect", "word",
          "\"hardware\" (the default) connects keyboards when they appear; \"none\" connects only what a port lists or "
            + "portative connect has connected."),
        Field(
          "ignore", "list of names", "Keyboards to ignore, with *, ? and […] as in file names."),
        Field(
          "names", "list of names of keyboards",
          "Names of your own, by which all else in the file and portative connect name keyboards."),
      ]),
    Section(
      title: "NAMES OF KEYBOARDS",
      introduction:
        "An element of names has a name, and says which keyboards have it, as portative devices shows them. The first that "
        + "applies counts.",
      fields: [
        Field("name", "text", "The name, 1 to 63 bytes."),
        Field("is", "name", "The name of the product, with *, ? and […] as in file names."),
        Field("serial", "text", "The serial number."),
        Field("at", "text", "Where it is plugged in, with *, ? and […] as in file names."),
      ]),
    Section(
      title: "TAKES",
      introduction: "The field of takes:",
      fields: [
        Field(
          "minutes", "number",
          "For how long what keyboards play is kept, 0 (not at all) to 1440; the default is 30.")
      ]),
  ]

  /// The fields of a sound.
  private static let sound = [
    Field("soundfont", "path", "The SoundFont."),
    Field(
      "preset", "name or object",
      "A name, words that only one preset has, or bank and program; of a plugin, a name."),
    Field("parameters", "object", "Values by the identifiers of parameters."),
    Field("level", "number", "In decibels, −60 to 12; the default is 0."),
    Field("pan", "number", "−100, left, to 100, right; the default is 0."),
  ]
}
