import Glibc
package import RenderCore
import TestSupport
import Testing

/// The input of a unit, independent of the division into cycles.
package struct Score {
  package var sampleRate: Int
  /// The samples of each input channel.
  package var input: [[Float]]
  /// The length in frames; `nil`: that of the input.
  package var length: Int?
  /// The number of output channels; `nil`: as many as input channels.
  package var channels: Int?
  package var messages: [(frame: Int, message: ChannelMessage)]
  package var sysEx: [(frame: Int, bytes: [UInt8])]
  package var changes: [(frame: Int, change: ParameterChange)]
  package var transports: [(frame: Int, transport: Transport)]

  package init(
    sampleRate: Int = 48_000, input: [[Float]] = [], length: Int? = nil, channels: Int? = nil,
    messages: [(frame: Int, message: ChannelMessage)] = [],
    sysEx: [(frame: Int, bytes: [UInt8])] = [],
    changes: [(frame: Int, change: ParameterChange)] = [],
    transports: [(frame: Int, transport: Transport)] = []
  ) {
    self.sampleRate = sampleRate
    self.input = input
    self.length = length
    self.channels = channels
    self.messages = messages
    self.sysEx = sysEx
    self.changes = changes
    self.transports = transports
  }

  package var frames: Int { length ?? input[0].count }

  package var format: Format {
    Format(
      sampleRate: sampleRate, inputChannels: input.count,
      outputChannels: channels ?? max(1, input.count),
      maximumFrames: 4096)
  }

  /// Returns the score shifted by `shift` frames.
  package func later(by shift: Int) -> Score {
    var later = self
    later.input = input.map { [Float](repeating: 0, count: shift) + $0 }
    later.messages = messages.map { ($0.frame + shift, $0.message) }
    later.sysEx = sysEx.map { ($0.frame + shift, $0.bytes) }
    later.changes = changes.map { ($0.frame + shift, $0.change) }
    later.transports = transports.map { ($0.frame + shift, $0.transport) }
    return later
  }

  package mutating func set(
    _ tree: ParameterTree, _ identifier: String, _ value: Float, at frame: Int = 0, ramp: Int = 0
  ) {
    guard let index = tree.index(of: identifier) else { fatalError("no \(identifier)") }
    changes.append(
      (frame, ParameterChange(offset: 0, index: UInt32(index), value: value, ramp: UInt32(ramp))))
  }

  /// Returns seeded noise in ±`level`.
  package static func noise(_ count: Int, seed: UInt64 = 1, level: Float = 0.5) -> [Float] {
    var random = Seeded(seed)
    return (0..<count).map { _ in Float.random(in: -level...level, using: &random) }
  }

  package static func sine(_ count: Int, frequency: Double, sampleRate: Int = 48_000) -> [Float] {
    (0..<count).map { Float(sin(2 * .pi * frequency * Double($0) / Double(sampleRate))) }
  }

  package static func impulse(_ count: Int) -> [Float] {
    [1] + [Float](repeating: 0, count: count - 1)
  }

  package static func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }
}

/// The division into cycles.
package enum Cut: CustomTestStringConvertible, Sendable {
  case every(Int)
  case random(UInt64)

  package static let all: [Cut] =
    [1, 16, 64, 100, 480, 1024].map { .every($0) } + [.random(7), .random(8)]

  package func lengths(_ frames: Int) -> [Int] {
    var (lengths, left) = ([Int](), frames)
    var random: Seeded
    if case .random(let seed) = self { random = Seeded(seed) } else { random = Seeded(0) }
    while left > 0 {
      var length: Int
      if case .every(let each) = self {
        length = each
      } else {
        length = Int.random(in: 1...1500, using: &random)
      }
      length = min(length, left)
      lengths.append(length)
      left -= length
    }
    return lengths
  }

  package var testDescription: String {
    switch self {
    case .every(let frames): "\(frames) frames"
    case .random(let seed): "random frames, seed \(seed)"
    }
  }
}
