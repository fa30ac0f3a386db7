import Glibc

/// Measures a partial's frequency from its phase difference between two positions.
enum Pitch {
  /// - Parameters:
  ///   - frequency: The approximate frequency in Hz; the error must be less than half a period per hop.
  ///   - window: The length in frames of each of the two analyzed windows.
  static func measure(
    _ samples: ArraySlice<Float>, near frequency: Double, window: Int, hop: Int, sampleRate: Double
  ) -> Double {
    let one = phase(samples, frequency, window, at: 0, sampleRate)
    let other = phase(samples, frequency, window, at: hop, sampleRate)
    var turn = other - one
    turn -= 2 * .pi * (turn / (2 * .pi)).rounded()
    return frequency + turn * sampleRate / (2 * .pi * Double(hop))
  }

  /// Returns the phase relative to a wave of `frequency`, with a Blackman window.
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
