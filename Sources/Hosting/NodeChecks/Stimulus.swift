import Glibc
import NodeProtocol
import RenderCore

/// What a check plays: notes of one channel, other events, the host's song, and the input of an effect.
struct Stimulus {
  var frames: Int
  var notes: [Note] = []
  /// The input of all channels.
  var input: [Float] = []
  var changes: [Change] = []
  /// System Exclusive messages, from F0 to F7.
  var sysEx: [(frame: Int, bytes: [UInt8])] = []
  /// The song from each frame on; generators follow one from the first frame on if there are none.
  var transports: [(frame: Int, transport: Transport)] = []

  struct Note {
    let frame: Int
    let key: UInt8
    /// In frames; `nil`: the key is held.
    let length: Int?
  }

  struct Change {
    let frame: Int
    /// The index of the parameter.
    let index: Int
    let value: Float
    /// The length of a ramp in frames; 0 for an immediate change.
    var ramp = 0
  }

  /// The keys of ``scale(at:)``.
  static let keys: [UInt8] = [36, 38, 48, 55, 60, 62, 64, 65, 67, 69, 71, 72]
  /// The distance in seconds of the keys of ``scale(at:)``.
  static let step = 0.1

  /// What shows all of a port's sound: a scale for what takes notes, a pulse, noise and a sine for what takes audio. Then half a second
  /// of silence.
  static func scale(at rate: Int, _ type: PortType) -> Self {
    let step = Int(Double(rate) * step)
    var stimulus = Self(frames: step * keys.count + rate / 2)
    if type.takesMIDI {
      stimulus.notes = keys.enumerated().map {
        Note(frame: step * $0.offset, key: $0.element, length: step * 5 / 6)
      }
    }
    if type.takesAudio { stimulus.input = signal(at: rate, frames: stimulus.frames) }
    return stimulus
  }

  private static func signal(at rate: Int, frames: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: frames)
    samples[rate / 10] = 0.5
    var random: UInt32 = 1
    for frame in rate * 3 / 10..<rate * 7 / 10 {
      random = random &* 1_664_525 &+ 1_013_904_223
      samples[frame] = (Float(random >> 8) / Float(1 << 24) - 0.5) / 2
    }
    for frame in rate * 8 / 10..<rate * 12 / 10 {
      samples[frame] = Float(sin(2 * .pi * 440 * Double(frame) / Double(rate))) / 4
    }
    return samples
  }

  /// A pulse of half the full scale.
  static func pulse(at frame: Int, frames: Int) -> Self {
    var stimulus = Self(frames: frames, input: [Float](repeating: 0, count: frames))
    stimulus.input[frame] = 0.5
    return stimulus
  }
}
