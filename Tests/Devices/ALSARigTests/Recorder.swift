import Foundation
import ProgramTestSupport
import TestSupport

/// Records the output of a loopback card with `arecord`.
final class Recorder {
  static let rate = 48_000
  private let process = Process()
  private let path: String

  /// Starts recording; the card must already be playing, in float samples.
  init(in folder: TemporaryFolder, card: String = "Loopback", seconds: Int) throws {
    path = folder("recorded-\(UInt32.random(in: 0 ... .max)).wav")
    process.executableURL = URL(filePath: "/usr/bin/arecord")
    process.arguments = [
      "-q", "-D", "hw:\(card),1", "-f", "FLOAT_LE", "-r", "\(Self.rate)", "-c", "2",
      "-d", "\(seconds)", path,
    ]
    try process.run()
    try ALSARigTests.wait { frames > 0 ? () : nil }
  }

  /// The number of frames written so far: up to half a second less than captured.
  var frames: Int {
    var status = stat()
    return stat(path, &status) == 0 ? max(0, (Int(status.st_size) - 44) / 8) : 0
  }

  /// Waits until `count` more frames are written.
  func wait(frames count: Int) throws {
    let goal = frames + count
    try ALSARigTests.wait { frames >= goal ? () : nil }
  }

  /// Waits for the end of the recording.
  ///
  /// - Returns: The left channel.
  func left() -> [Float] {
    process.waitUntilExit()
    return leftChannel(of: path)
  }
}

func leftChannel(of path: String) -> [Float] {
  let both = samples(path)
  return stride(from: 0, to: both.count, by: 2).map { both[$0] }
}

/// Returns the level of a tone in a tenth of a second.
///
/// Source: G. Goertzel, *An Algorithm for the Evaluation of Finite Trigonometric Series*, 1958.
func level(of frequency: Double, in samples: [Float], from start: Int) -> Double {
  let count = Recorder.rate / 10
  guard start >= 0, start + count <= samples.count else { return 0 }
  let turn = 2 * Double.pi * frequency / Double(Recorder.rate)
  let factor = 2 * cos(turn)
  var (last, previous) = (0.0, 0.0)
  for index in 0..<count {
    // A Hann window suppresses other tones.
    let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(count))
    (last, previous) = (Double(samples[start + index]) * window + factor * last - previous, last)
  }
  let power = last * last + previous * previous - factor * last * previous
  return power.squareRoot() * 4 / Double(count)
}
