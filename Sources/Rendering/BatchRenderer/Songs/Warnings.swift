package import AudioFile
import Configuration
import FluidSynthEngine
import Glibc
package import MIDIFile
package import OfflineRenderer

/// Descriptions of problems with a song or its audio, one sentence each, with the remedy.
///
/// `--strict` refuses a song that has a warning.
package enum Warnings {
  /// Returns the faults of the file that were repaired when it was read.
  package static func of(_ song: StandardMIDIFile) -> [String] {
    repairs(song.repairs, unlisted: song.unlistedRepairCount)
  }

  /// Returns repaired faults. Only the first five are described; the report contains all.
  package static func repairs(_ repairs: [Repair], unlisted: Int) -> [String] {
    let listed = repairs.prefix(5).map { "repaired: \($0)" }
    let others = repairs.count - listed.count + unlisted
    return others == 0
      ? listed : listed + ["repaired: \(counted(others, "more fault")); see them all with --report"]
  }

  /// Returns the problems of the song and of rendering it.
  package static func of(_ report: SongReport, _ options: SongOptions, _ format: AudioFormat)
    -> [String]
  {
    repairs(report.repairs, unlisted: report.unlistedRepairs) + embedded(report) + presets(report)
      + notes(report)
      + levels(report, options, format) + stems(report, options)
  }

  /// Returns the messages without effect for which the options refuse a song.
  static func refused(_ report: SongReport, _ options: RenderOptions) -> [String] {
    report.ignored.filter { options.refused.contains($0.category) }
      .map { "no effect: \(RenderReport.Ignored($0).text)" }
  }

  private static func embedded(_ report: SongReport) -> [String] {
    guard let fault = report.embeddedSoundFont?.fault else { return [] }
    return ["the SoundFont in the file is unusable, and another one played: \(fault)"]
  }

  private static func presets(_ report: SongReport) -> [String] {
    report.substitutions.map { missing in
      let played = missing.replacement.map { "\(preset($0.bank, $0.program)) was played instead" }
      return "the SoundFont has no \(preset(missing.bank, missing.program)): "
        + (played ?? "its notes are silent")
    }
  }

  private static func preset(_ bank: Int, _ program: Int) -> String {
    "\(bank == 128 ? "drum kit" : "preset") \(bank):\(program)"
  }

  private static func notes(_ report: SongReport) -> [String] {
    let statistics = report.statistics
    var sentences: [String] = []
    if statistics.notes == 0 { sentences.append("the song has no notes, so it is silent") }
    sentences += silence(statistics)
    if report.unreleasedNotes > 0 {
      sentences.append(
        "\(counted(report.unreleasedNotes, "note")) never released: ended with the song")
    }
    if statistics.stolenNotes > 0 {
      sentences.append(
        "\(counted(statistics.stolenNotes, "note")) ended early because too many sounded at once")
    }
    if statistics.inexactOnsets > 0 {
      sentences.append(
        "\(counted(statistics.inexactOnsets, "note")) did not begin on the exact frame")
    }
    return sentences
  }

  /// Returns the notes that made no sound, by cause.
  private static func silence(_ statistics: Statistics) -> [String] {
    var sentences: [String] = []
    if statistics.unmappedNotes > 0 {
      sentences.append(
        "\(counted(statistics.unmappedNotes, "note")) made no sound: the SoundFont has no sample for them"
      )
    }
    if statistics.voicelessNotes > 0 {
      sentences.append(
        "\(counted(statistics.voicelessNotes, "note")) made no sound: all voices were in use"
      )
    }
    let others = statistics.silentNotes - statistics.unmappedNotes - statistics.voicelessNotes
    if others > 0 {
      sentences.append(
        "\(counted(others, "note")) made no sound: the volume was 0, or the SoundFont's sample is empty"
      )
    }
    if statistics.unusableLanes > 0 {
      sentences.append(
        "FluidSynth did not end the voices of \(counted(statistics.unusableLanes, "note")), so their "
          + "synths were not used again: please report this, with the song and the SoundFont")
    }
    return sentences
  }

  private static func levels(
    _ report: SongReport, _ options: SongOptions, _ format: AudioFormat
  ) -> [String] {
    var sentences: [String] = []
    let audio = report.audio.file
    // 32-bit float does not clip.
    if audio.clippedFrames > 0, format.encoding != .float32 {
      let excess = 20 * log10(Double(audio.peak))
      let gain = ((options.gain - excess) * 10).rounded(.down) / 10
      let remedy =
        options.usesNodes ? "--normalize -1dBTP" : "--gain \(OptionValue.brief(gain))"
      sentences.append(
        "\(counted(audio.clippedFrames, "frame")) clipped, by up to \(decimal(excess, digits: 1)) dB: "
          + "use \(remedy), or --bits 32f")
    }
    if let target = options.normalization, let remark = report.normalization?.remark {
      sentences.append(normalization(remark, target))
    }
    if report.statistics.clippedSends > 0 {
      sentences.append(
        "\(counted(report.statistics.clippedSends, "sample")) of the reverb and chorus sends clipped at "
          + "+18 dBFS: use a lower --gain")
    }
    if report.isTailCut {
      let limit = OptionValue.brief(options.settings.maximumTail)
      sentences.append("cut \(limit) s after the song, while it still sounded: raise --max-tail")
    }
    return sentences
  }

  private static func stems(_ report: SongReport, _ options: SongOptions) -> [String] {
    guard let stems = report.stems else { return [] }
    var sentences: [String] = []
    if stems.clippedSamples > 0 {
      sentences.append(
        "\(counted(stems.clippedSamples, "sample")) of stems clipped, so the stems do not add up to the "
          + "mix: use \(options.usesNodes ? "--normalize -1dBTP" : "a lower --gain"), or "
          + "--bits 32f")
    }
    if stems.otherFiles > 0 {
      sentences.append(
        "the folder of the stems has \(counted(stems.otherFiles, "other file")): remove what is not a "
          + "stem of this song")
    }
    return sentences
  }

  private static func normalization(
    _ remark: Normalization.Remark, _ target: Normalization
  ) -> String {
    switch remark {
    case .limited(let loudness):
      "the loudness is \(decimal(loudness, digits: 1)) LUFS instead of \(target.text.dropLast(4)): a "
        + "higher gain would exceed \(OptionValue.brief(Normalization.ceiling)) dBTP"
    case .silent: "not normalized: no sample is above -90 dBFS"
    case .unmeasured:
      "not normalized: the song is too short or too soft to have a loudness; use a peak, as in "
        + "--normalize -1dBTP"
    }
  }
}
