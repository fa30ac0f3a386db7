import CRender

/// A short sine: what a metronome says.
///
/// It crosses zero one frame before its first, and rises from there as a sine does, within a quarter of a period.
/// Its envelope is (1 − t)⁴ for t from 0 to 1 in 30 ms: 10 dB less after a quarter of that time, 24 dB after half of
/// it, and so flat at its end that the end is not heard.
///
/// Realtime: yes.
struct Click: BitwiseCopyable {
  /// Frames that are to come.
  private(set) var left = 0
  private var fall = 0.0
  private var level = 0.0
  // A point on a circle, and the turn that takes it on by a frame.
  private var x = 1.0
  private var y = 0.0
  private var cosine = 1.0
  private var sine = 0.0

  /// One that is over.
  @_noLocks init() {}

  /// - Parameters:
  ///   - pitch: Hz; brought below the sample rate's half.
  ///   - level: The height of the envelope, in dB of full scale.
  @_noLocks init(pitch: Float, level: Float, sampleRate: Int) {
    left = Self.frames(sampleRate)
    fall = 1 / Double(left)
    self.level = maths_exp2(Double(level) * Self.doublingsPerDecibel)
    let turn = min(Double(pitch) / Double(sampleRate), 0.45) * 2 * Double.pi
    cosine = maths_cos(turn)
    sine = maths_sin(turn)
  }

  /// How long it is.
  @_noLocks static func frames(_ sampleRate: Int) -> Int { sampleRate * 3 / 100 }

  /// - Precondition: ``left`` is above 0.
  @_noLocks mutating func next() -> Float {
    (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
    let t = Double(left) * fall
    left -= 1
    return Float(level * t * t * t * t * y)
  }

  /// log₂ 10 / 20.
  private static var doublingsPerDecibel: Double { @_noLocks get { 0.166096404744368 } }
}
