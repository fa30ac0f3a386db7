/// Spectra over time, in columns of equal length. When there are twice as many columns as needed, each pair is merged
/// into one.
struct SpectrumColumns {
  /// The mean power of each column in each band, column by column.
  private(set) var powers: [Float] = []
  private(set) var framesPerColumn: Int
  /// Frames from one spectrum to the next.
  private(set) var hop: Int
  /// The center of the next spectrum, in frames.
  private(set) var nextCenter: Int
  let bands: Int
  private let wanted: Int
  private let longestHop: Int
  private var current: [Float]
  private var spectraInColumn = 0

  /// Creates the columns.
  ///
  /// - Parameters:
  ///   - wanted: The number of columns that a picture needs.
  ///   - bands: The number of bands in a spectrum.
  ///   - expectedFrames: The approximate length of the song, in frames.
  ///   - hops: The least number of frames between spectra, and the greatest one if a column is longer.
  init(wanted: Int, bands: Int, expectedFrames: Int, hops: ClosedRange<Int>) {
    self.wanted = wanted
    self.bands = bands
    longestHop = hops.upperBound
    let ideal = max(1, (expectedFrames + wanted - 1) / wanted)
    let perColumn = (ideal + longestHop - 1) / longestHop
    hop = max(hops.lowerBound, (ideal + perColumn - 1) / perColumn)
    framesPerColumn = hop * perColumn
    nextCenter = hop / 2
    current = Array(repeating: 0, count: bands)
    powers.reserveCapacity(2 * wanted * bands)
  }

  var count: Int { powers.count / bands }

  /// Adds the spectrum centered at ``nextCenter``.
  mutating func add(_ spectrum: [Float]) {
    for band in 0..<bands { current[band] += spectrum[band] }
    spectraInColumn += 1
    nextCenter += hop
    if spectraInColumn * hop == framesPerColumn { endColumn() }
  }

  /// Ends an incomplete column.
  mutating func finish() {
    if spectraInColumn > 0 { endColumn() }
  }

  private mutating func endColumn() {
    let share = 1 / Float(spectraInColumn)
    for band in 0..<bands {
      powers.append(current[band] * share)
      current[band] = 0
    }
    spectraInColumn = 0
    if count >= 2 * wanted { halve() }
  }

  private mutating func halve() {
    powers.withUnsafeMutableBufferPointer { powers in
      for column in 0..<wanted {
        for band in 0..<bands {
          let pair = powers[2 * column * bands + band] + powers[(2 * column + 1) * bands + band]
          powers[column * bands + band] = pair / 2
        }
      }
    }
    powers.removeLast(powers.count - wanted * bands)
    // The center of the next column's first spectrum is the same as if this length had been used from the start.
    let begin = wanted * 2 * framesPerColumn
    framesPerColumn *= 2
    if 2 * hop <= longestHop { hop *= 2 }
    nextCenter = begin + hop / 2
  }
}
