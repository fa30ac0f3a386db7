import Glibc
import RenderCore
import TestSupport
import Testing

/// The input of a unit, independent of the division into cycles.
struct Score {
  var sampleRate = 48_000
  /// The samples of each input channel.
  var input: [[Float]]
  /// The number of output channels; `nil`: as many as input channels.
  var channels: Int?
  var messages: [(frame: Int, message: ChannelMessage)] = []
  var sysEx: [(frame: Int, bytes: [UInt8])] = []
  var changes: [(frame: Int, change: ParameterChange)] = []
  var transports: [(frame: Int, transport: Transport)] = []

  var frames: Int { input[0].count }

  var format: Format {
    Format(
      sampleRate: sampleRate, inputChannels: input.count, outputChannels: channels ?? input.count,
      maximumFrames: 4096)
  }

  /// Returns the score shifted by `shift` frames.
  func later(by shift: Int) -> Score {
    var later = self
    later.input = input.map { [Float](repeating: 0, count: shift) + $0 }
    later.messages = messages.map { ($0.frame + shift, $0.message) }
    later.sysEx = sysEx.map { ($0.frame + shift, $0.bytes) }
    later.changes = changes.map { ($0.frame + shift, $0.change) }
    later.transports = transports.map { ($0.frame + shift, $0.transport) }
    return later
  }

  mutating func set(
    _ tree: ParameterTree, _ identifier: String, _ value: Float, at frame: Int = 0, ramp: Int = 0
  ) {
    guard let index = tree.index(of: identifier) else { fatalError("no \(identifier)") }
    changes.append(
      (frame, ParameterChange(offset: 0, index: UInt32(index), value: value, ramp: UInt32(ramp))))
  }

  /// Returns seeded noise in ±`level`.
  static func noise(_ count: Int, seed: UInt64 = 1, level: Float = 0.5) -> [Float] {
    var random = Seeded(seed)
    return (0..<count).map { _ in Float.random(in: -level...level, using: &random) }
  }

  static func sine(_ count: Int, frequency: Double, sampleRate: Int = 48_000) -> [Float] {
    (0..<count).map { Float(sin(2 * .pi * frequency * Double($0) / Double(sampleRate))) }
  }

  static func impulse(_ count: Int) -> [Float] { [1] + [Float](repeating: 0, count: count - 1) }

  static func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }
}

/// The division into cycles.
enum Cut: CustomTestStringConvertible, Sendable {
  case every(Int)
  case random(UInt64)

  static let all: [Cut] =
    [1, 16, 64, 100, 480, 1024].map { .every($0) } + [.random(7), .random(8)]

  func lengths(_ frames: Int) -> [Int] {
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

  var testDescription: String {
    switch self {
    case .every(let frames): "\(frames) frames"
    case .random(let seed): "random frames, seed \(seed)"
    }
  }
}
