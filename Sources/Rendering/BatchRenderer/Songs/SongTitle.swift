import MIDIFile
import RenderCore

extension StandardMIDIFile {
  /// The title of the song: the name of its first track, unless that name describes only the track.
  ///
  /// Many programs name the first track as they name all others: by its number, its purpose, or, if it has notes, its
  /// instrument.
  ///
  /// Source: RP-001, "Meta-Event Definitions", FF 03.
  package var title: String? {
    let names = trackNames.map { $0.flatMap(Self.printable) }
    guard let first = names.first, let name = first, !Self.isNameOfTrack(name) else { return nil }
    let isInstrument = tracks[0].hasNotes && names.dropFirst().contains { $0 != nil }
    return isInstrument ? nil : name
  }

  /// Returns a text without control characters and surrounding blanks; `nil` if nothing remains.
  private static func printable(_ text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).map { word in
      String(
        String.UnicodeScalarView(
          word.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }.filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Returns whether a name only identifies a track, such as `Track 1` or `Conductor`.
  static func isNameOfTrack(_ name: String) -> Bool {
    let word = name.lowercased().filter { !$0.isNumber && !" .:#-_()".contains($0) }
    return word.isEmpty || tracksNames.contains(word)
  }

  /// The names that sequencers in several languages write, without numbers, blanks and punctuation.
  private static let tracksNames: Set<String> = [
    "track", "spur", "spår", "piste", "pista", "traccia", "midi", "miditrack", "midich",
    "midichannel", "channel", "ch",
    "staff", "part", "conductor", "conductortrack", "tempo", "tempotrack", "tempomap", "master",
    "mastertrack",
    "control", "controltrack", "meta", "metatrack", "global", "untitled", "unnamed", "noname",
    "sequence", "seq",
    "newsong", "newsequence", "newproject",
  ]
}

extension StandardMIDIFile.Track {
  fileprivate var hasNotes: Bool {
    events.contains { event in
      if case .channel(let message) = event.content { message.startsNote } else { false }
    }
  }
}
