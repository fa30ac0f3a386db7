import FluidSynthEngine
import MIDIFile

/// Checks that recordings of recurring notes do not change a song's bits, and measures how much of it they play.
func recordings(_ bench: Bench) throws -> Table {
  bench.log("laws: notes rendered once")
  let songs = bench.isQuick ? Array(bench.songs.prefix(4)) : bench.songs
  var table = Table(
    title: "Notes rendered once",
    note: "Whole songs with \(bytes >> 20) MB for recordings, against the same without: dry "
      + "sound, sends, finished sound and statistics.",
    columns: [
      "SoundFont", "songs", "identical", "notes", "of these from recordings",
      "of their time from recordings", "begun in vain", "first song that differs",
    ])
  for font in bench.fonts {
    let outcomes = try inParallel(songs.count) { index in
      try compare(songs[index], font)
    }
    let figures = outcomes.map(\.figures)
    func sum(_ value: (CacheFigures) -> Int) -> Int { figures.reduce(0) { $0 + value($1) } }
    func share(_ part: Int, of whole: Int) -> Cell {
      .text((Double(part) / Double(max(whole, 1)) * 100).formatted(digits: 1) + " %")
    }
    let different = zip(songs, outcomes).first { !$1.isIdentical }
    table.rows.append([
      .text(font.name), .count(songs.count), .count(outcomes.count { $0.isIdentical }),
      .count(sum(\.notes)), share(sum(\.playedNotes), of: sum(\.notes)),
      share(sum(\.playedBlocks), of: sum(\.blocks)), .count(sum(\.divergedNotes)),
      .text(different?.0.name ?? "–"),
    ])
  }
  return table
}

/// The memory for recordings in bytes, as in `portative render`.
private let bytes = 48 << 20

private func compare(
  _ song: Bench.Song, _ font: Bench.SoundFont
) throws -> (isIdentical: Bool, figures: CacheFigures) {
  let passage = try Passage(song, seconds: .infinity)
  func play(_ bytes: Int) throws -> (Fingerprint, Statistics, CacheFigures) {
    let instrument = try ExactInstrument(soundFont: font.path, settings: InstrumentSettings())
    instrument.keepRecordings(passage.recurrence, bytes: bytes)
    var player = PassagePlayer(passage, on: instrument)
    return (try player.fingerprint(), instrument.statistics, instrument.cacheFigures)
  }
  let (plain, with) = (try play(0), try play(bytes))
  return (plain.0 == with.0 && plain.1 == with.1, with.2)
}

extension Passage {
  /// The recurring notes of the passage.
  fileprivate var recurrence: Recurrence {
    var finder = RecurrenceFinder()
    for event in events {
      switch event.message {
      case .channel(let message): finder.process(message, at: event.frame)
      case .sysEx: finder.processSysEx()
      }
    }
    return finder.finish()
  }
}
