import CRender

/// The click of a metronome: a short sine tone.
///
/// The sine crosses zero one frame before the first frame and reaches its maximum a quarter of a period later.
/// The envelope is (1 − t)⁴ for t from 0 to 1 in 30 ms: −10 dB after a quarter of that time and −24 dB after half of
/// it. It is so flat at its end that the end is inaudible.
///
/// Realtime: yes.
struct Click: BitwiseCopyable {
  /// The number of frames that remain.
  private(set) var remaining = 0
  /// The reciprocal of the click's length in frames.
  private var step = 0.0
  private var level = 0.0
  // A point on the unit circle, and its rotation per frame.
  private var x = 1.0
  private var y = 0.0
  private var cosine = 1.0
  private var sine = 0.0

  /// Creates a click that is over.
  @_noLocks init() {}

  /// - Parameters:
  ///   - pitch: The frequency in Hz; limited to 0.45 times the sample rate.
  ///   - level: The peak of the envelope, in dBFS.
  ///   - sampleRate: Frames per second.
  @_noLocks init(pitch: Float, level: Float, sampleRate: Int) {
    remaining = Self.frames(sampleRate)
    step = 1 / Double(remaining)
    self.level = maths_exp2(Double(level) * Self.doublingsPerDecibel)
    let angle = min(Double(pitch) / Double(sampleRate), 0.45) * 2 * Double.pi
    cosine = maths_cos(angle)
    sine = maths_sin(angle)
  }

  /// Returns the length of a click in frames.
  @_noLocks static func frames(_ sampleRate: Int) -> Int { sampleRate * 3 / 100 }

  /// Returns the next sample.
  ///
  /// - Precondition: ``remaining`` is above 0.
  @_noLocks mutating func next() -> Float {
    (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
    let t = Double(remaining) * step
    remaining -= 1
    return Float(level * t * t * t * t * y)
  }

  /// log₂(10) / 20
  private static var doublingsPerDecibel: Double { @_noLocks get { 0.166096404744368 } }
}
