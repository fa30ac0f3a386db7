import AudioFile
import FluidSynthEngine
import LocalSystem
import OfflineRenderer
import Options
import SongPicture

extension SongOptions {
  static let table = OptionTable<SongOptions>(rows: [
    .init(
      names: ["--format"], value: "NAME",
      help: "wav, flac, ogg, opus, mp3, aiff, au, w64, rf64, raw"
    ) { $0.container = try OptionValue.choice($1, of: "--format") }
    .completing(.words(AudioFormat.Container.allCases.map(\.rawValue))),
    .flag(
      "--raw", help: "samples without a header: little-endian,\nleft and right interleaved",
      \.isRaw),
    .init(
      names: ["--bits"], value: "16|24|32f",
      help: "bits per sample (16, which is dithered)"
    ) { $0.bits = try OptionValue.choice($1, of: "--bits") },
    .init(
      names: ["--rate"], value: "N", help: "frames per second, 8000 to 96000 (48000)"
    ) { $0.sampleRate = try OptionValue.whole($1, of: "--rate", in: 8000...96_000) },
    .init(
      names: ["-s", "--soundfont"], value: "FILE", help: "the SoundFont to play with"
    ) { $0.soundFont = $1 }.completing(.soundFonts),
    .flag(
      "--no-embedded", help: "do not play with the SoundFont in a file (RMID)",
      \.ignoresEmbeddedSoundFont),
    .init(
      names: ["--gain"], value: "DB",
      help: "louder or softer than FluidSynth's default, by\n-60 to 33.9 decibels (0)"
    ) {
      $0.gain = try OptionValue.number($1, of: "--gain", in: -60...InstrumentSettings.maximumGain)
    },
    .init(
      names: ["--normalize"], value: "LEVEL",
      help: "change the gain to reach a true peak, as in -1dBTP,\nor a loudness, as in -16LUFS"
    ) { $0.normalization = try Normalization($1) },
    .init(
      names: ["--timing"], value: "exact|stock",
      help:
        "start notes on their own frame (exact), or on\nFluidSynth's grid of 64 frames (stock): the bits of\na plain FluidSynth whose calls end at events and\nevery 4096 frames"
    ) { $0.timing = try OptionValue.choice($1, of: "--timing") },
    .init(
      names: ["--polyphony"], value: "N",
      help: "the greatest number of notes at once, or of voices\nin stock timing, 1 to 4096 (256)"
    ) { $0.polyphony = try OptionValue.whole($1, of: "--polyphony", in: 1...4096) },
    .init(names: ["--reverb"], value: "on|off", help: "reverb (on)") {
      $0.reverb = try OptionValue.onOff($1, of: "--reverb")
    },
    .init(
      names: ["--reverb-engine"], value: "NAME",
      help:
        "the reverb, where FluidSynth has several, as 2.6\nhas: dat (its default), fdn, free or lex"
    ) { options, text in
      do {
        try ReverbEngines.available.check(text)
      } catch {
        throw Failure.usage("--reverb-engine: \(error)")
      }
      options.reverbEngine = text
    }.completing(.words(["dat", "fdn", "free", "lex"])),
    .init(names: ["--chorus"], value: "on|off", help: "chorus (on)") {
      $0.chorus = try OptionValue.onOff($1, of: "--chorus")
    },
    .init(
      names: ["--bank-style"], value: "STYLE",
      help:
        "how banks choose presets: as the song's GM, GM2, GS\nor XG reset says (auto, the default); always gs, gm,\n"
        + "gm2, xg or mma; or as the FluidSynth at hand plays\nthe messages (library)"
    ) { $0.bankStyle = try OptionValue.choice($1, of: "--bank-style") }
    .completing(.words(BankStyle.allCases.map(\.rawValue))),
    .init(
      names: ["--tail"], value: "WHEN",
      help: "end when the sound has faded after the song\n"
        + "(silence, the default), at its end of track\n"
        + "(exact), at the next bar line (bar), or after\nSECONDS"
    ) { $0.tail = try RenderSettings.Tail($1) }.completing(.words(["silence", "exact", "bar"])),
    .init(
      names: ["--max-tail"], value: "SECONDS", help: "the greatest length of the tail (30)"
    ) { $0.maximumTail = try OptionValue.number($1, of: "--max-tail", in: 0...3600) },
    .init(
      names: ["--from"], value: "TIME", help: "begin at TIME of the song: 83.5, or 1:23.5"
    ) { $0.start = try OptionValue.time($1, of: "--from") },
    .init(names: ["--to"], value: "TIME", help: "end at TIME of the song") {
      $0.end = try OptionValue.time($1, of: "--to")
    },
    .init(
      names: ["--loops"], value: "N",
      help: "play the loop that a song marks N times, 1 to 1000\n(1)"
    ) { $0.loops = try OptionValue.whole($1, of: "--loops", in: 1...1000) },
    .init(
      names: ["--fade"], value: "SECONDS",
      help: "after that, go on with the loop and fade in SECONDS,\ninstead of playing to the end"
    ) { $0.fade = try OptionValue.number($1, of: "--fade", in: 0...3600) },
    .init(
      names: ["--max-length"], value: "TIME",
      help: "refuse longer songs, which may be damaged (2:00:00)"
    ) { $0.maximumLength = try OptionValue.time($1, of: "--max-length") },
    .init(
      names: ["--image"], optional: "FILE", taking: ImageOption.takes,
      help:
        "draw a picture of notes, levels and spectrum over\ntime: FILE.png or .svg; png, the default, or svg\nalone: beside each song"
    ) { $0.image = try ImageOption($1) }.completing(.files(["png", "svg"])),
    .init(
      names: ["--image-style"], value: "STYLE", help: "dark, the default, or light, for print"
    ) { $0.imageStyle = try OptionValue.choice($1, of: "--image-style") }
    .completing(.words(PictureStyle.allCases.map(\.rawValue))),
    .init(
      names: ["--stems"], value: "KIND",
      help:
        "also write each channel, track or note, without\neffects, and the effects, to SONG.stems/"
    ) { $0.stems = try OptionValue.choice($1, of: "--stems") }
    .completing(.words(StemGrouping.allCases.map(\.rawValue))),
    .init(
      names: ["--labels"], value: "FILE",
      help:
        "also write when each note begins, is released and\nfalls silent, in frames: FILE.jsonl, .csv or .npz;\nor the notes as performed: FILE.mid; jsonl, csv, npz\nor mid alone: beside each song"
    ) { $0.labels = try LabelOption($1) }.completing(.files(["jsonl", "csv", "npz", "mid"])),
    .flag(
      "--label-messages", help: "label controllers, programs and bends as well",
      \.labelsMessages),
  ])
}

extension RenderSettings.Tail {
  init(_ text: String) throws(Failure) {
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
