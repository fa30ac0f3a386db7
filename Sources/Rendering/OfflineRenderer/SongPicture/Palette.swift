import Glibc

/// The look of a picture.
public enum PictureStyle: String, CaseIterable, Sendable {
  /// On black, for screens.
  case dark
  /// On white, for print and documents.
  case light
}

/// The colours of a picture.
struct Palette: Sendable {
  let paper: Color
  let panel: Color
  let grid: Color
  let title: Color
  let text: Color
  let label: Color
  let peak: Color
  let average: Color
  let clipped: Color
  /// The spectrogram's 256 colours from silence to the loudest, as pixels.
  let heat: [UInt32]
  let drums: Color
  /// The lightness and the chroma of the colours of channels, and of those whose hues come close to earlier ones.
  let channels: (first: (Double, Double), others: (Double, Double))

  static let dark = Palette(
    paper: Color(lightness: 0.17, chroma: 0.012, hue: 270),
    panel: Color(lightness: 0.135, chroma: 0.012, hue: 270),
    grid: Color(lightness: 0.85, chroma: 0.02, hue: 270),
    title: Color(lightness: 0.96, chroma: 0.005, hue: 270),
    text: Color(lightness: 0.78, chroma: 0.012, hue: 270),
    label: Color(lightness: 0.66, chroma: 0.015, hue: 270),
    peak: Color(lightness: 0.52, chroma: 0.075, hue: 235),
    average: Color(lightness: 0.82, chroma: 0.085, hue: 225),
    clipped: Color(lightness: 0.66, chroma: 0.22, hue: 27),
    heat: heat([
      (0.135, 0.012, 270), (0.30, 0.095, 285), (0.46, 0.16, 320), (0.63, 0.19, 15),
      (0.80, 0.15, 65), (0.965, 0.06, 105),
    ]),
    drums: Color(lightness: 0.90, chroma: 0.01, hue: 90),
    channels: ((0.81, 0.13), (0.66, 0.16)))

  static let light = Palette(
    paper: Color(lightness: 0.975, chroma: 0.003, hue: 270),
    panel: Color(lightness: 1, chroma: 0, hue: 270),
    grid: Color(lightness: 0.30, chroma: 0.02, hue: 270),
    title: Color(lightness: 0.20, chroma: 0.01, hue: 270),
    text: Color(lightness: 0.35, chroma: 0.012, hue: 270),
    label: Color(lightness: 0.47, chroma: 0.015, hue: 270),
    peak: Color(lightness: 0.80, chroma: 0.06, hue: 235),
    average: Color(lightness: 0.56, chroma: 0.11, hue: 245),
    clipped: Color(lightness: 0.60, chroma: 0.24, hue: 27),
    heat: heat([
      (1, 0, 270), (0.91, 0.065, 95), (0.79, 0.14, 65), (0.63, 0.19, 30), (0.45, 0.17, 345),
      (0.22, 0.09, 300),
    ]),
    drums: Color(lightness: 0.30, chroma: 0.01, hue: 90),
    channels: ((0.64, 0.17), (0.46, 0.19)))

  /// Returns the colour of a MIDI channel, the same in every picture of a style. Adjacent channels differ strongly in
  /// hue, all have a similar lightness, and drums are grey. The hues of one channel differ from port to port.
  ///
  /// - Parameters:
  ///   - number: 0…15.
  ///   - port: The index of its port.
  func channel(_ number: UInt8, port: UInt8 = 0) -> Color {
    if number == 9 { return drums }
    let index = Double(number < 9 ? number : number - 1)
    // After eight steps of the golden angle, the hues come close to earlier ones; these colours are darker.
    let (lightness, chroma) = index < 8 ? channels.first : channels.others
    let step = index + 15 * Double(port)
    return Color(lightness: lightness, chroma: chroma, hue: 235 + step * 137.5)
  }

  /// Returns 256 colours between others.
  ///
  /// The lightness changes evenly, so that equal steps in decibels look equal, also in print and to colour-blind users.
  /// It starts at the lightness of the panel.
  ///
  /// - Parameter stops: Lightness, chroma and hue.
  private static func heat(_ stops: [(Double, Double, Double)]) -> [UInt32] {
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
  }
}

extension Palette {
  init(_ style: PictureStyle) { self = style == .dark ? .dark : .light }
}
