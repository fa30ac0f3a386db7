import Glibc

/// The colours of a picture.
enum Palette {
  static let paper = Color(lightness: 0.17, chroma: 0.012, hue: 270)
  static let panel = Color(lightness: 0.135, chroma: 0.012, hue: 270)
  static let grid = Color(lightness: 0.85, chroma: 0.02, hue: 270)
  static let title = Color(lightness: 0.96, chroma: 0.005, hue: 270)
  static let text = Color(lightness: 0.78, chroma: 0.012, hue: 270)
  static let label = Color(lightness: 0.66, chroma: 0.015, hue: 270)
  static let peak = Color(lightness: 0.52, chroma: 0.075, hue: 235)
  static let average = Color(lightness: 0.82, chroma: 0.085, hue: 225)
  static let clipped = Color(lightness: 0.66, chroma: 0.22, hue: 27)

  /// Returns the colour of a MIDI channel, the same in every picture. Adjacent channels differ strongly in hue, all
  /// have a similar lightness, and drums are white.
  ///
  /// - Parameter number: 0…15.
  static func channel(_ number: UInt8) -> Color {
    if number == 9 { return Color(lightness: 0.90, chroma: 0.01, hue: 90) }
    let index = Double(number < 9 ? number : number - 1)
    // After eight steps of the golden angle, the hues come close to earlier ones; these colours are darker.
    return Color(
      lightness: index < 8 ? 0.81 : 0.66, chroma: index < 8 ? 0.13 : 0.16,
      hue: 235 + index * 137.5)
  }

  /// The spectrogram's 256 colours from silence to the loudest, as pixels.
  ///
  /// The lightness increases evenly, so that equal steps in decibels look equal, also in print and to colour-blind
  /// users. It starts at the lightness of the panel.
  static let heat: [UInt32] = {
    // Lightness, chroma, hue.
    let stops: [(Double, Double, Double)] = [
      (0.135, 0.012, 270), (0.30, 0.095, 285), (0.46, 0.16, 320), (0.63, 0.19, 15),
      (0.80, 0.15, 65), (0.965, 0.06, 105),
    ]
    let corners = stops.map { lightness, chroma, hue in
      let angle = hue * .pi / 180
      return SIMD3(lightness, chroma * cos(angle), chroma * sin(angle))
    }
    return (0..<256).map { step in
      let position = Double(step) / 255 * Double(corners.count - 1)
      let index = min(Int(position), corners.count - 2)
      let mix = corners[index] + (corners[index + 1] - corners[index]) * (position - Double(index))
      return Color(lightness: mix.x, a: mix.y, b: mix.z).pixel
    }
  }()
}
