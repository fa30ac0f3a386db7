import Glibc

/// A colour in sRGB; red, green and blue are 0…1.
struct Color: Equatable {
  var red: Double
  var green: Double
  var blue: Double

  /// Creates a colour from OKLab, in which equal steps are perceived as equal. Colours outside sRGB are clipped.
  ///
  /// - Parameters:
  ///   - lightness: 0 (black) … 1 (white).
  ///   - a: Green to red, about −0.3…0.3.
  ///   - b: Blue to yellow, about −0.3…0.3.
  ///
  /// Source: Björn Ottosson, "A perceptual color space for image processing".
  init(lightness: Double, a: Double, b: Double) {
    func cube(_ x: Double) -> Double { x * x * x }
    let l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
    red = Self.encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
    green = Self.encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
    blue = Self.encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)
  }

  /// Creates a colour from OKLab in polar coordinates.
  ///
  /// - Parameters:
  ///   - chroma: 0 (grey) … 0.3.
  ///   - hue: Degrees: 30 is red, 110 yellow, 145 green, 260 blue.
  init(lightness: Double, chroma: Double, hue: Double) {
    let angle = hue * .pi / 180
    self.init(lightness: lightness, a: chroma * cos(angle), b: chroma * sin(angle))
  }

  private static func encoded(_ light: Double) -> Double {
    let light = min(max(light, 0), 1)
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  /// Returns a colour between this one, for a share of 1, and another, for 0.
  func mixed(_ share: Double, on other: Color) -> Color {
    var color = other
    color.red += (red - other.red) * share
    color.green += (green - other.green) * share
    color.blue += (blue - other.blue) * share
    return color
  }

  /// The colour as a cairo pixel.
  var pixel: UInt32 {
    func byte(_ value: Double) -> UInt32 { UInt32((value * 255).rounded()) }
    return 0xFF00_0000 | byte(red) << 16 | byte(green) << 8 | byte(blue)
  }
}
