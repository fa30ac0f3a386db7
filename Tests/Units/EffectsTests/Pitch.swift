import Glibc

/// How fast a partial swings, from how far it turns between two places.
enum Pitch {
  /// - Parameters:
  ///   - window: Frames that are looked at, twice.
  ///   - near: In Hz; the partial is within half a turn per hop of it.
  static func measure(
    _ samples: ArraySlice<Float>, near frequency: Double, window: Int, hop: Int, sampleRate: Double
  ) -> Double {
    let one = phase(samples, frequency, window, at: 0, sampleRate)
    let other = phase(samples, frequency, window, at: hop, sampleRate)
    var turn = other - one
    turn -= 2 * .pi * (turn / (2 * .pi)).rounded()
    return frequency + turn * sampleRate / (2 * .pi * Double(hop))
  }

  /// Against a wave of that frequency, through a Blackman window.
  private static func phase(
    _ samples: ArraySlice<Float>, _ frequency: Double, _ window: Int, at begin: Int,
    _ sampleRate: Double
  ) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for i in 0..<window {
      let place = 2 * Double.pi * (Double(i) + 0.5) / Double(window)
      let weight = 0.42 - 0.5 * cos(place) + 0.08 * cos(2 * place)
      let angle = 2 * Double.pi * frequency * Double(begin + i) / sampleRate
      let sample = Double(samples[samples.startIndex + begin + i]) * weight
      real += sample * cos(angle)
      imaginary -= sample * sin(angle)
    }
    return atan2(imaginary, real)
  }
}
