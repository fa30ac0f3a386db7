import Glibc

/// The spectrogram: power from low to high frequencies over time.
struct SpectrumPanel {
  let drawing: Drawing
  let area: Area
  /// The displayed dynamic range, in decibels.
  private static let span: Float = 64
  /// The least level of the brightest colour, in decibels, so that noise is not displayed brightly.
  private static let floor: Float = -60

  init(_ drawing: Drawing, _ area: Area) {
    self.drawing = drawing
    self.area = area
  }

  func draw(_ spectra: SpectrumColumns, frames: Int) {
    drawing.panel(area)
    let loudest = max(10 * log10(max(spectra.powers.max() ?? 0, 1e-30)), Self.floor)
    if spectra.count > 0 { paint(spectra, frames: frames, loudest: loudest) }
    drawing.timeLines(area, opacity: 0.09)
    for frequency in [30.0, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000] {
      let y = area.bottom - FrequencyBands.height(frequency) * area.height
      if y > area.y + 1, y < area.bottom - 1 { drawing.line(at: y, area, opacity: 0.09) }
      let text = frequency < 1000 ? "\(Int(frequency)) Hz" : "\(Int(frequency / 1000)) kHz"
      drawing.label(text, middle: min(max(y, area.y + 4), area.bottom - 4), drawing.small)
    }
    scale(loudest)
  }

  /// Draws the colours beside the panel, with their levels.
  private func scale(_ loudest: Float) {
    let scale = Layout.scale
    let heat = drawing.palette.heat
    drawing.canvas.draw(scale) { pixels, rowLength in
      for y in 0..<Int(scale.height) {
        let color = heat[255 - y * 255 / max(1, Int(scale.height) - 1)]
        for x in 0..<Int(scale.width) { pixels[y * rowLength + x] = color }
      }
    }
    let top = Int(loudest)
    let steps = stride(from: top - ((top % 10) + 10) % 10, to: top - Int(Self.span), by: -10)
    drawing.canvas.write("dBFS", drawing.small, x: scale.x, baseline: scale.y - 5)
    for level in steps {
      let y = scale.y + Double((loudest - Float(level)) / Self.span) * scale.height
      drawing.canvas.fill(
        Area(x: scale.right, y: y.rounded(), width: 4, height: 1), drawing.palette.label)
      let number = level < 0 ? "−\(-level)" : "\(level)"
      drawing.canvas.write(
        number, drawing.small, x: scale.right + 7,
        baseline: (min(max(y, scale.y + 5), scale.bottom - 5) + 4).rounded())
    }
  }

  private func paint(_ spectra: SpectrumColumns, frames: Int, loudest: Float) {
    let bands = spectra.bands
    let heat = drawing.palette.heat
    // The number of colour steps per doubling of power, and the offset of the first step.
    let slope = 255 / Self.span * 10 * log10(Float(2))
    let offset = 255 - 255 / Self.span * loudest
    var column = [Float](repeating: 0, count: bands)
    drawing.canvas.draw(area) { pixels, rowLength in
      for x in 0..<Int(area.width) {
        blend(spectra, frames: frames, x, into: &column)
        for band in 0..<bands {
          let step = offset + slope * log2(max(column[band], 1e-30))
          pixels[(bands - 1 - band) * rowLength + x] = heat[Int(min(max(step, 0), 255))]
        }
      }
    }
  }

  /// Calculates the mean of the columns that a pixel covers, or interpolates between the two nearest.
  private func blend(
    _ spectra: SpectrumColumns, frames: Int, _ x: Int, into column: inout [Float]
  ) {
    let bands = spectra.bands
    let scale = Double(frames) / area.width / Double(spectra.framesPerColumn)
    // The weight of a column decreases linearly from its center to the center of the next.
    let middle = (Double(x) + 0.5) * scale - 0.5
    let reach = max(1, scale)
    let first = max(0, Int((middle - reach).rounded(.up)))
    let last = min(spectra.count - 1, Int((middle + reach).rounded(.down)))
    for band in 0..<bands { column[band] = 0 }
    var total: Float = 0
    for index in first...max(first, last) where index < spectra.count {
      let weight = Float(max(1e-6, 1 - abs(Double(index) - middle) / reach))
      total += weight
      spectra.powers.withUnsafeBufferPointer { powers in
        for band in 0..<bands { column[band] += weight * powers[index * bands + band] }
      }
    }
    if total > 0 { for band in 0..<bands { column[band] /= total } }
  }
}
