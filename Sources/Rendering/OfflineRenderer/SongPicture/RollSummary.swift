import RenderCore
/// Properties of all notes that are needed before drawing.
struct RollSummary {
  /// The range of the played keys, without drums; `nil` if there are none.
  private(set) var keys: ClosedRange<Int>?
  /// The channels with notes, and their names: the preset that plays most of the notes, and the second one or the number
  /// of others; with the numbers of port and channel if several channels have the same name.
  let parts: [(channel: UInt8, port: UInt8, name: String)]
  private var drums = [Bool](repeating: false, count: 128)

  init(_ notes: some NoteSource) {
    var keys: ClosedRange<Int>?
    var drums = drums
    var counts = [[RollPreset: Int]](repeating: [:], count: 16)
    notes.forEachNote { note, preset in
      let key = Int(note.key)
      if note.isDrum {
        drums[key] = true
      } else if let known = keys {
        keys = min(known.lowerBound, key)...max(known.upperBound, key)
      } else {
        keys = key...key
      }
      while note.place >= counts.count { counts.append([:]) }
      counts[note.place][preset, default: 0] += 1
    }
    let named = counts.indices.compactMap { place -> (place: Int, name: String)? in
      counts[place].isEmpty
        ? nil : (place, Self.name(counts[place], isDrums: place % 16 == 9, notes))
    }
    let hasPorts = counts.count > 16
    parts = named.map { part in
      let (port, channel) = part.place.quotientAndRemainder(dividingBy: 16)
      let isShared = named.count { $0.name == part.name } > 1
      let numbers = (hasPorts ? "port \(port + 1), " : "") + "ch. \(channel + 1)"
      return (
        UInt8(channel), UInt8(port), isShared ? "\(part.name) (\(numbers))" : part.name
      )
    }
    (self.keys, self.drums) = (keys, drums)
  }

  /// The played drum keys in ascending order.
  var drumKeys: [Int] { (0..<128).filter { drums[$0] } }

  private static func name(
    _ counts: [RollPreset: Int], isDrums: Bool, _ notes: some NoteSource
  ) -> String {
    let presets = counts.sorted {
      ($1.value, $0.key.bank, $0.key.program) < ($0.value, $1.key.bank, $1.key.program)
    }.map(\.key)
    var names: [String] = []
    for preset in presets {
      let name = notes.name(of: preset) ?? (isDrums ? nil : GeneralMIDI.programs[preset.program])
      if let name, !names.contains(name) { names.append(name) }
    }
    let list =
      switch names.count {
      case 0...2: names.joined(separator: ", ")
      default: "\(names[0]) and \(names.count - 1) more"
      }
    return isDrums ? (list.isEmpty ? "Drums" : "Drums: \(list)") : list
  }
}
