import MIDIFile
import RenderCore

/// Ways to divide a song's notes into parts.
enum Partition: String, CaseIterable {
  case channel, track
  case chance
}

extension Passage {
  /// Returns the parts, each with a share of the notes and all other events.
  ///
  /// Notes that may affect each other stay in one part: the notes of one key of one channel, and all notes of
  /// a channel with drums, legato or portamento.
  func divided(by partition: Partition) -> [Passage] {
    let whole = entangledChannels
    var random = Seeded(3)
    var partOf: [Int: Int] = [:]
    let shares: [Int?] = events.map { event in
      guard case .channel(let message) = event.message, message.startsNote || message.endsNote
      else { return nil }
      let channel = Int(message.channel)
      let group = whole.contains(channel) ? channel : 16 + channel * 128 + Int(message.data1)
      if let part = partOf[group] { return part }
      let part =
        switch partition {
        case .channel: channel
        case .track: Int(event.track)
        case .chance: Int.random(in: 0..<4, using: &random)
        }
      partOf[group] = part
      return part
    }
    return Set(partOf.values).sorted().map { part in
      var passage = self
      passage.events = zip(events, shares).filter { $1 == nil || $1 == part }.map(\.0)
      return passage
    }
  }

  private var entangledChannels: Set<Int> {
    var channels: Set<Int> = [9]
    for event in events {
      guard case .channel(let message) = event.message, message.kind == .controlChange else {
        continue
      }
      // Portamento switch, portamento control, legato footswitch, mono on.
      switch (message.data1, message.data2) {
      case (65, 64...), (84, _), (68, 64...), (126, _): channels.insert(Int(message.channel))
      default: break
      }
    }
    return channels
  }
}
