package import MIDIFile
import RenderCore

extension StandardMIDIFile {
  /// The name of the song: that of its first track, unless it is that of the track itself.
  ///
  /// Many programs write the name of the first track as they name all others: by its number, by what it is for, or, where
  /// it has notes, by its instrument.
  ///
  /// Source: RP-001, "Meta-Event Definitions", FF 03.
  package var title: String? {
    guard let first = tracks.first, let name = first.name.flatMap(Self.printable) else {
      return nil
    }
    if Self.isNameOfTrack(name) { return nil }
    let isInstrument =
      first.hasNotes && tracks.dropFirst().contains { $0.name.flatMap(Self.printable) != nil }
    return isInstrument ? nil : name
  }

  /// Without control characters and blanks around it; `nil` where nothing is left.
  private static func printable(_ text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).map { word in
      String(
        String.UnicodeScalarView(
          word.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }.filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Whether a name says no more than which track it is: `Track 1`, `Conductor`.
  package static func isNameOfTrack(_ name: String) -> Bool {
    let word = name.lowercased().filter { !$0.isNumber && !" .:#-_()".contains($0) }
    return word.isEmpty || tracksNames.contains(word)
  }

  /// As sequencers of several languages write them, without numbers, blanks and points.
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
