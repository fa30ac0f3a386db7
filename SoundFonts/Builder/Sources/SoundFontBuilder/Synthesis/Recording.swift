/// A synthesised tone, ready to be a sample of the SoundFont.
struct Recording: Sendable {
  /// Unique in a font, at most 20 ASCII characters.
  var name: String
  /// One channel, full scale ±1.
  var frames: [Double]
  /// Frames repeated while a note is held; the frame after the last is the first again.
  var loop: Range<Int>?
  /// Frames per second; any whole number, see ``LoopGrid``.
  var sampleRate: Int
  /// The key that plays the recording as it is.
  var key: Int
  /// Seconds the volume envelope takes to fall by 60 dB, where the tone was recorded without that
  /// part of its decay so that it can loop.
  var decay: Double?

  /// Frames kept on either side of a loop, for interpolators: the SF2 standard asks for eight.
  static let margin = 16

  /// The frame heard at `position` of a held note.
  func frame(at position: Int) -> Double {
    if let loop, position >= loop.upperBound {
      return frames[loop.lowerBound + (position - loop.lowerBound) % loop.count]
    }
    return position < frames.count ? frames[position] : 0
  }
}

/// A loop length, a whole number of periods in it, and the sample rate that makes both exact.
///
/// SF2 lets each sample have its own rate. Instead of bending the tone to a rate, the rate is bent
/// to the tone: the fundamental turns exactly `periods` times in `length` frames. What is left is
/// the rounding of the rate to whole hertz, under 0.1 cents.
struct LoopGrid {
  let length: Int
  let periods: Int
  let sampleRate: Int

  init(frequency: Double, nominalRate: Double, length: Int) {
    self.length = length
    periods = max(1, Int((frequency * Double(length) / nominalRate).rounded()))
    sampleRate = Int((frequency * Double(length) / Double(periods)).rounded())
  }

  /// Hertz between two bins.
  var spacing: Double { Double(sampleRate) / Double(length) }

  /// The nearest number of turns per loop.
  func bin(_ hertz: Double) -> Int { Int((hertz / spacing).rounded()) }
}
