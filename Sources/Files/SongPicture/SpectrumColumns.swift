/// Spectra over time, in columns of equal length, of which there are never more than twice as many as are
/// wanted: then each two become one.
struct SpectrumColumns {
  /// Power in each band, as many as there are bands to a column; a column is the mean of what it covers.
  private(set) var powers: [Float] = []
  private(set) var framesPerColumn: Int
  /// Frames from spectrum to spectrum.
  private(set) var hop: Int
  /// The middle of the next spectrum, in frames.
  private(set) var nextCenter: Int
  let bands: Int
  private let wanted: Int
  private let longestHop: Int
  private var current: [Float]
  private var inCurrent = 0

  /// - Parameters:
  ///   - wanted: How many columns a picture needs.
  ///   - bands: How many powers a spectrum has.
  ///   - expectedFrames: How long it is going to be, about.
  ///   - hops: Frames from spectrum to spectrum: the least, and the most where a column is longer.
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

  /// Takes the spectrum around ``nextCenter``.
  mutating func add(_ spectrum: [Float]) {
    for band in 0..<bands { current[band] += spectrum[band] }
    inCurrent += 1
    nextCenter += hop
    if inCurrent * hop == framesPerColumn { endColumn() }
  }

  /// Ends what was begun of a column.
  mutating func finish() {
    if inCurrent > 0 { endColumn() }
  }

  private mutating func endColumn() {
    let share = 1 / Float(inCurrent)
    for band in 0..<bands {
      powers.append(current[band] * share)
      current[band] = 0
    }
    inCurrent = 0
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
    // The first spectrum of the next column has its middle where it would have been from the start.
    let begin = wanted * 2 * framesPerColumn
    framesPerColumn *= 2
    if 2 * hop <= longestHop { hop *= 2 }
    nextCenter = begin + hop / 2
  }
}
