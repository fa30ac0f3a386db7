import RenderCore
import TestSupport

/// The input of a chain of units, each of which processes the output of the previous one. It is given by frame, and
/// does not depend on the cycle lengths.
struct Performance {
  var frames: Int
  /// One part for each unit.
  var parts: [Part]
  /// The audio input of the first unit; empty for an instrument.
  var input: [[Float]] = []
  /// The changes of the transport, the first at frame 0; empty if the host has none.
  var transports: [(frame: Int, transport: Transport)] = []
  var sampleRate = 48_000

  /// The messages and parameter changes for one unit.
  struct Part {
    var messages: [(frame: Int, message: ChannelMessage)] = []
    var changes: [Change] = []

    mutating func note(_ key: UInt8, at frame: Int, for length: Int, channel: UInt8 = 0) {
      messages.append((frame, ChannelMessage(.noteOn, channel: channel, key, 90 + key % 30)))
      messages.append((frame + length, ChannelMessage(.noteOff, channel: channel, key, 64)))
    }

    mutating func set(_ identifier: String, _ value: Float, at frame: Int, over ramp: Int = 0) {
      changes.append(Change(frame: frame, identifier: identifier, value: value, ramp: ramp))
    }
  }

  struct Change {
    var frame: Int
    var identifier: String
    var value: Float
    var ramp: Int
  }

  /// The input of one unit in one cycle.
  struct Turn {
    var frames: Int
    var events: [MIDIEvent]
    var changes: [ParameterChange]
    var transports: [TransportPoint]
  }

  func turn(_ range: Range<Int>, for part: Part, _ tree: ParameterTree) -> Turn {
    let messages = part.messages.filter { range.contains($0.frame) }.sorted { $0.frame < $1.frame }
    let changes = part.changes.filter { range.contains($0.frame) }.sorted { $0.frame < $1.frame }
    return Turn(
      frames: range.count,
      events: messages.map {
        MIDIEvent(offset: UInt32($0.frame - range.lowerBound), content: .channel($0.message))
      },
      changes: changes.map {
        ParameterChange(
          offset: UInt32($0.frame - range.lowerBound),
          index: UInt32(tree.index(of: $0.identifier)!),
          value: $0.value, ramp: UInt32($0.ramp))
      },
      transports: points(range))
  }

  /// Returns the transport at the first frame of the range, and its later changes in the range.
  private func points(_ range: Range<Int>) -> [TransportPoint] {
    var points: [TransportPoint] = []
    for (frame, transport) in transports where frame < range.upperBound {
      if frame > range.lowerBound {
        points.append(TransportPoint(offset: UInt32(frame - range.lowerBound), transport))
      } else {
        let later = range.lowerBound - frame
        points = [
          TransportPoint(
            offset: 0, transport.after(frames: later, sampleRate: Double(sampleRate)))
        ]
      }
    }
    return points
  }
}

extension Performance {
  /// Returns a part with chords and drums.
  static func chords(_ frames: Int) -> Part {
    var part = Part(messages: [(0, ChannelMessage(.programChange, channel: 0, 48, 0))])
    for index in 0..<(frames / 1500) {
      let frame = index * 1500 + index * index % 97
      part.note(UInt8(48 + index * 7 % 30), at: frame, for: 4000)
      part.note(UInt8(36 + index % 3), at: frame + 7, for: 900, channel: 9)
    }
    return part
  }

  /// A transport whose tempo jumps and then glides.
  static let song = [
    (0, playing(at: 0, tempo: 120)), (9001, playing(at: 0.375, tempo: 96)),
    (20_000, playing(at: 1.7, tempo: 100, slope: 1 / 512)),
  ]

  private static func playing(at beat: Double, tempo: Double, slope: Double = 0) -> Transport {
    var transport = Transport()
    transport.isPlaying = true
    transport.beat = beat
    transport.tempo = tempo
    transport.tempoSlope = slope
    return transport
  }

  static func noise(_ frames: Int, seed: UInt64, level: Float = 0.25) -> [Float] {
    var random = Seeded(seed)
    return (0..<frames).map { _ in Float.random(in: -level...level, using: &random) }
  }
}

/// Returns random cycle lengths, each 1...`longest`, that add up to `frames`.
func changingLengths(_ frames: Int, longest: Int, seed: UInt64) -> [Int] {
  var (lengths, left, random) = ([Int](), frames, Seeded(seed))
  while left > 0 {
    lengths.append(min(left, Int.random(in: 1...longest, using: &random)))
    left -= lengths[lengths.count - 1]
  }
  return lengths
}
