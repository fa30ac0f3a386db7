/// Properties of all notes that are needed before drawing.
struct RollSummary {
  /// The range of the played keys, without drums; `nil` if there are none.
  private(set) var keys: ClosedRange<Int>?
  private var drums = [Bool](repeating: false, count: 128)
  /// The number of notes by channel, counted through all ports, and program.
  private var counts = [[Int]](repeating: [], count: 16)

  init(_ notes: some NoteSource) {
    notes.forEachNote { note, program in
      let key = Int(note.key)
      if note.isDrum {
        drums[key] = true
      } else if let keys {
        self.keys = min(keys.lowerBound, key)...max(keys.upperBound, key)
      } else {
        keys = key...key
      }
      let channel = Int(note.port) * 16 + Int(note.channel)
      while channel >= counts.count { counts.append([]) }
      if counts[channel].isEmpty { counts[channel] = Array(repeating: 0, count: 128) }
      counts[channel][Int(program)] += 1
    }
  }

  /// The played drum keys in ascending order.
  var drumKeys: [Int] { (0..<128).filter { drums[$0] } }

  /// The channels with notes, and their names: the program that plays most of the notes, with the numbers of port and
  /// channel if several channels have the same name.
  var parts: [(channel: UInt8, name: String)] {
    let named = namedParts
    let hasPorts = named.contains { $0.place >= 16 }
    return named.map { part in
      let isShared = named.count { $0.name == part.name } > 1
      let port = hasPorts ? "port \(part.place / 16 + 1), " : ""
      let numbers = isShared ? " (\(port)ch. \(part.place % 16 + 1))" : ""
      return (UInt8(part.place % 16), part.name + numbers)
    }
  }

  private var namedParts: [(place: Int, name: String)] {
    counts.indices.compactMap { channel in
      guard let most = counts[channel].max(), most > 0,
        let program = counts[channel].firstIndex(of: most)
      else { return nil }
      if channel % 16 == 9 { return (channel, "Drums") }
      let others = counts[channel].count { $0 > 0 } - 1
      let more = others > 0 ? " +\(others)" : ""
      return (channel, GeneralMIDI.programs[program] + more)
    }
  }
}
