import Glibc
import RenderCore

/// What a port has played.
struct Recording: Equatable {
  private(set) var channels: [[Float]]
  /// The infinite and NaN samples, which are 0 in ``channels``.
  var invalidSamples = 0
  /// The MIDI that it has sent: the frame and bytes of each message.
  private(set) var events: [Event] = []

  struct Event: Equatable {
    let frame: Int
    let bytes: [UInt8]
  }

  /// The level above which something sounds: −80 dB of the full scale.
  static let audible: Float = 1e-4

  init(channels: Int, frames: Int) {
    self.channels = (0..<channels).map { _ in
      var samples: [Float] = []
      samples.reserveCapacity(frames)
      return samples
    }
  }

  mutating func append(_ samples: UnsafeBufferPointer<Float>, to channel: Int) {
    channels[channel] += samples
  }

  /// - Parameter begin: The frame at which the cycle of the messages begins.
  mutating func append(_ cycle: MIDICycle, at begin: Int) {
    for event in cycle.events {
      let bytes: [UInt8] =
        switch event.content {
        case .channel(let message): [message.status, message.data1, message.data2]
        case .system(let message): [message.status, message.data1, message.data2]
        case .sysEx(let start, let count):
          Array(cycle.sysEx[Int(start)..<Int(start) + Int(count)])
        }
      events.append(Event(frame: begin + Int(event.offset), bytes: bytes))
    }
  }

  var frames: Int { channels.first?.count ?? 0 }
  /// The last frame that is audible.
  var lastAudibleFrame: Int? {
    channels.compactMap { $0.lastIndex { abs($0) > Self.audible } }.max()
  }
  var peak: Float { peak(in: 0..<frames) }
  var isAudible: Bool { peak > Self.audible }

  func peak(in range: Range<Int>) -> Float {
    channels.reduce(0) { peak, samples in
      samples[range.clamped(to: 0..<samples.count)].reduce(peak) { max($0, abs($1)) }
    }
  }

  /// Returns whether the samples from a frame on have the bits of another recording's first samples.
  func hasBits(of other: Recording, from frame: Int = 0, count: Int? = nil) -> Bool {
    let count = count ?? min(frames - frame, other.frames)
    return zip(channels, other.channels).allSatisfy { own, others in
      (0..<count).allSatisfy { own[frame + $0].bitPattern == others[$0].bitPattern }
    }
  }

  /// Returns the first frame at which a sample differs by more than a tolerance; `nil` if none does.
  func firstDifference(from other: Recording, above tolerance: Float = 0) -> Int? {
    var first: Int?
    for (own, others) in zip(channels, other.channels) {
      let end = min(first ?? .max, own.count, others.count)
      for frame in 0..<end where abs(own[frame] - others[frame]) > tolerance {
        first = frame
        break
      }
    }
    return first
  }

  /// Returns the largest difference of a sample.
  func largestDifference(from other: Recording) -> Float {
    zip(channels, other.channels).reduce(0) { largest, pair in
      zip(pair.0, pair.1).reduce(largest) { max($0, abs($1.0 - $1.1)) }
    }
  }
}

/// Returns a level in decibels of the full scale.
func decibels(_ level: Float) -> Double { level > 0 ? 20 * log10(Double(level)) : -.infinity }

/// A level as text: `−12 dB`.
func levelText(_ level: Float) -> String {
  if level == 0 { return "silent" }
  let whole = Int(decibels(level).rounded())
  return "\(whole < 0 ? "−" : "")\(abs(whole)) dB"
}
