import RenderCore

/// What was written in the last so many frames, to be read again later.
///
/// Realtime: yes, apart from making and destroying it.
struct DelayLine: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  /// The length is a power of two, and this one less.
  private let mask: Int
  private var place = 0

  /// Allocates. ``destroy()`` must follow.
  ///
  /// - Parameter longest: Frames after which a sample may still be wanted.
  init(longest: Int) {
    var count = 16
    while count < longest + CubicTaps.reach { count *= 2 }
    mask = count - 1
    samples = .allocate(capacity: count)
    // Written to, so that the render thread meets no page that is not there yet.
    samples.initialize(repeating: 0, count: count)
  }

  func destroy() { samples.deallocate() }

  /// - Parameter sample: What will be read one frame later with a delay of 1.
  @_noLocks mutating func write(_ sample: Float) {
    samples[place] = Denormals.sample(sample)
    place = (place + 1) & mask
  }

  /// - Parameter delay: Frames: 1 and more.
  @_noLocks func read(_ delay: Int) -> Float { samples[(place - delay) & mask] }

  /// Reads between two frames.
  @_noLocks func read(_ taps: CubicTaps) -> Float {
    samples[(place - taps.whole + 1) & mask] * taps.before + samples[(place - taps.whole) & mask]
      * taps.at
      + samples[(place - taps.whole - 1) & mask] * taps.after + samples[
        (place - taps.whole - 2) & mask] * taps.last
  }

  /// Makes silence of the last so many frames.
  @_noLocks func clear(frames: Int) {
    for delay in 1...min(max(1, frames), mask + 1) { samples[(place - delay) & mask] = 0 }
  }
}

/// How a line is read between two frames: a cubic through the two samples on either side of the place.
///
/// It is Lagrange's. Nothing is louder than it was; up to a twelfth of the sample rate the level is right within
/// 0.1 dB and the delay within a ten-thousandth of a frame.
///
/// Realtime: yes.
struct CubicTaps: BitwiseCopyable {
  let whole: Int
  let before: Float
  let at: Float
  let after: Float
  let last: Float

  /// The shortest delay that has a sample on both sides, twice.
  static var shortest: Double { @_noLocks get { 2 } }
  /// How far it reads beyond the delay.
  static var reach: Int { @_noLocks get { 4 } }

  /// - Parameter delay: Frames: ``shortest`` and more.
  @_noLocks init(delay: Double) {
    whole = Int(delay)
    let part = Float(delay - Double(whole))
    before = -part * (part - 1) * (part - 2) / 6
    at = (part + 1) * (part - 1) * (part - 2) / 2
    after = -part * (part + 1) * (part - 2) / 2
    last = part * (part + 1) * (part - 1) / 6
  }
}
