import MIDICore

/// Which keys and pedals are down.
struct HeldNotes {
  /// Note-ons without their note-off, per channel and key.
  private var strokes = [Int](repeating: 0, count: 16 * 128)
  /// Channels whose sustain or sostenuto pedal is down.
  private var pedals: [UInt8: Set<UInt8>] = [:]

  /// Keys that are down.
  var count: Int { strokes.reduce(0) { $0 + ($1 > 0 ? 1 : 0) } }

  mutating func follow(_ message: ChannelMessage) {
    let place = Int(message.channel) * 128 + Int(message.data1)
    if message.startsNote {
      strokes[place] += 1
    } else if message.endsNote {
      // One note-off ends all strokes of a key, as it does in FluidSynth.
      strokes[place] = 0
    } else if message.kind == .controlChange {
      followController(message)
    }
  }

  private mutating func followController(_ message: ChannelMessage) {
    switch message.data1 {
    case 64, 66:
      if message.data2 >= 64 {
        pedals[message.data1, default: []].insert(message.channel)
      } else {
        pedals[message.data1]?.remove(message.channel)
      }
    case 120, 123...127:
      for key in 0..<128 { strokes[Int(message.channel) * 128 + key] = 0 }
    default: break
    }
  }

  /// Follows a System Exclusive message: GM, GM2, GS and XG system on let go of everything.
  ///
  /// - Parameter bytes: Without F0 and F7.
  mutating func follow<Bytes: Collection>(sysEx bytes: Bytes) where Bytes.Element == UInt8 {
    let head = Array(bytes.prefix(8))
    guard head.count >= 4 else { return }
    let isReset =
      switch head[0] {
      case 0x7E: head[2] == 0x09 && (head[3] == 0x01 || head[3] == 0x03)
      case 0x41: head[2...].starts(with: [0x42, 0x12, 0x40, 0x00, 0x7F])
      case 0x43:
        head[2...].starts(with: [0x4C, 0x00, 0x00, 0x7E])
          || head[2...].starts(with: [0x4C, 0x00, 0x00, 0x7F])
      default: false
      }
    if isReset { self = HeldNotes() }
  }

  /// What lets go of all of them: keys first, then pedals.
  var releases: [ChannelMessage] {
    let keys = strokes.indices.filter { strokes[$0] > 0 }.map {
      ChannelMessage(.noteOff, channel: UInt8($0 / 128), UInt8($0 % 128), 64)
    }
    let feet = pedals.sorted { $0.key < $1.key }.flatMap { pedal, channels in
      channels.sorted().map { ChannelMessage(.controlChange, channel: $0, pedal, 0) }
    }
    return keys + feet
  }
}
