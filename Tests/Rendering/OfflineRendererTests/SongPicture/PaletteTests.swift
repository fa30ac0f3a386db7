import Testing

@testable import OfflineRenderer

private func luminance(_ pixel: UInt32) -> Double {
  let parts = [16, 8, 0].map { Double(pixel >> $0 & 0xFF) / 255 }
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
}

@Test(arguments: PictureStyle.allCases)
func `louder is lighter on black, and darker on white`(style: PictureStyle) {
  let palette = Palette(style)
  let heat = palette.heat.map(luminance)
  #expect(heat.count == 256)
  for (softer, louder) in zip(heat, heat.dropFirst(4)) {
    #expect(style == .dark ? softer < louder : softer > louder)
  }
  #expect(palette.heat[0] == palette.panel.pixel)
}

@Test(arguments: PictureStyle.allCases)
func `every channel has its own colour, distinct from the others and from the panel`(
  style: PictureStyle
) {
  let palette = Palette(style)
  let colors = (0..<16).map { palette.channel(UInt8($0)) }
  for (index, color) in colors.enumerated() {
    for other in colors[..<index] {
      let distance =
        abs(color.red - other.red) + abs(color.green - other.green) + abs(color.blue - other.blue)
      #expect(distance > 0.15)
    }
    #expect(abs(luminance(color.pixel) - luminance(palette.panel.pixel)) > 0.25)
  }
}

@Test func `white is white, black is black and red is red`() {
  #expect(Color(lightness: 1, chroma: 0, hue: 0).pixel == 0xFFFF_FFFF)
  #expect(Color(lightness: 0, chroma: 0, hue: 0).pixel == 0xFF00_0000)
  #expect(Color(lightness: 0.628, chroma: 0.2577, hue: 29.23).pixel == 0xFFFF_0000)
}
