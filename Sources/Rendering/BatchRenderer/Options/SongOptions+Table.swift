import FluidSynthEngine
package import LocalSystem
package import OfflineRenderer
package import Options

extension SongOptions {
  /// The greatest gain, in decibels. FluidSynth's gain is at most 10, which is 33.98 dB above its default of 0.2.
  package static let maximumGain = 33.9

  package static let table = OptionTable<SongOptions>(rows: [
    .init(
      names: ["--format"], value: "NAME",
      help: "wav, flac, ogg, opus, mp3, aiff, au, w64, rf64, raw"
    ) { options, text throws(Failure) in
      options.container = try OptionValue.choice(text, of: "--format")
    },
    .init(
      names: ["--raw"], value: nil,
      help: "samples without a header: little-endian,\nleft and right side by side"
    ) { options, _ throws(Failure) in options.isRaw = true },
    .init(
      names: ["--bits"], value: "16|24|32f",
      help: "bits per sample (16, which is dithered)"
    ) { options, text throws(Failure) in
      options.bits = try OptionValue.choice(text, of: "--bits")
    },
    .init(
      names: ["--rate"], value: "N", help: "frames per second, 8000 to 96000 (48000)"
    ) { options, text throws(Failure) in
      options.sampleRate = try OptionValue.whole(text, of: "--rate", in: 8000...96_000)
    },
    .init(
      names: ["-s", "--soundfont"], value: "FILE", help: "the SoundFont to play with"
    ) { options, text throws(Failure) in options.soundFont = text },
    .init(
      names: ["--gain"], value: "DB",
      help: "louder or softer than FluidSynth's default, by\n-60 to 33.9 decibels (0)"
    ) { options, text throws(Failure) in
      options.gain = try OptionValue.number(text, of: "--gain", in: -60...maximumGain)
    },
    .init(
      names: ["--normalize"], value: "LEVEL",
      help:
        "make it as loud as can be by its true peak, as in\n-1dBTP, or by its loudness, as in -16LUFS"
    ) { options, text throws(Failure) in options.normalization = try Normalization(text) },
    .init(
      names: ["--timing"], value: "exact|stock",
      help:
        "notes on their own frame (exact), or on FluidSynth's\ngrid of 64 frames: a plain FluidSynth's bits, if it\nends calls at events and every 4096 frames (stock)"
    ) { options, text throws(Failure) in
      options.timing = try OptionValue.choice(text, of: "--timing")
    },
    .init(names: ["--reverb"], value: "on|off", help: "reverb (on)") {
      options, text throws(Failure) in
      options.reverb = try OptionValue.onOff(text, of: "--reverb")
    },
    .init(
      names: ["--reverb-engine"], value: "NAME",
      help:
        "which reverb, where FluidSynth has several, as\nin 2.6: dat (its default), fdn, free or lex"
    ) { options, text throws(Failure) in
      do throws(InstrumentError) {
        try ReverbEngines.available.check(text)
      } catch {
        throw .usage("--reverb-engine: \(error)")
      }
      options.reverbEngine = text
    },
    .init(names: ["--chorus"], value: "on|off", help: "chorus (on)") {
      options, text throws(Failure) in
      options.chorus = try OptionValue.onOff(text, of: "--chorus")
    },
    .init(
      names: ["--tail"], value: "WHEN",
      help: "end when nothing is heard any more after the song\n"
        + "(silence, the default), with its end of track\n"
        + "(exact), at the next bar line (bar), or after\nSECONDS"
    ) { options, text throws(Failure) in options.tail = try RenderSettings.Tail(text) },
    .init(
      names: ["--max-tail"], value: "SECONDS",
      help: "but at most so long after the song (30)"
    ) { options, text throws(Failure) in
      options.maximumTail = try OptionValue.number(text, of: "--max-tail", in: 0...3600)
    },
    .init(
      names: ["--from"], value: "TIME", help: "begin at TIME of the song: 83.5, or 1:23.5"
    ) { options, text throws(Failure) in
      options.start = try OptionValue.time(text, of: "--from")
    },
    .init(names: ["--to"], value: "TIME", help: "end at TIME of the song") {
      options, text throws(Failure) in
      options.end = try OptionValue.time(text, of: "--to")
    },
    .init(
      names: ["--max-length"], value: "TIME",
      help: "refuse songs that are longer, as damage can make\nthem (2:00:00)"
    ) { options, text throws(Failure) in
      options.maximumLength = try OptionValue.time(text, of: "--max-length")
    },
    .init(
      names: ["--image"], value: nil,
      help: "draw a picture beside each song, song.png: notes,\nlevels and spectrum over time"
    ) { options, _ throws(Failure) in options.hasImage = true },
    .init(
      names: ["--stems"], value: "KIND",
      help:
        "also write the part of each channel, or of each\ntrack, dry, and the effects, into SONG.stems/"
    ) { options, text throws(Failure) in
      options.stems = try OptionValue.choice(text, of: "--stems")
    },
  ])
}

extension RenderSettings.Tail {
  package init(_ text: String) throws(Failure) {
    switch text {
    case "exact": self = .exact
    case "silence": self = .silence
    case "bar": self = .bar
    default:
      guard let seconds = OptionValue.plainNumber(text), (0...3600).contains(seconds) else {
        throw .usage(
          "--tail must be exact, silence, bar or seconds from 0 to 3600, but was '\(text)'")
      }
      self = .seconds(seconds)
    }
  }
}
