/// Peaks and energies of stereo over time, in columns of equal length. When there are twice as many columns as needed,
/// each pair is merged into one.
struct LevelColumns {
  struct Column: Equatable {
    /// The largest squared sample: left, right.
    var peak = SIMD2<Float>.zero
    /// The sum of the squares.
    var energy = SIMD2<Float>.zero

    mutating func add(_ other: Column) {
      peak.replace(with: other.peak, where: other.peak .> peak)
      energy += other.energy
    }
  }

  private(set) var columns: [Column] = []
  private(set) var framesPerColumn: Int
  private(set) var frames = 0
  private let wanted: Int
  private var current = Column()

  /// Creates the columns.
  ///
  /// - Parameters:
  ///   - wanted: The number of columns that a picture needs.
  ///   - expectedFrames: The approximate length of the song, in frames.
  init(wanted: Int, expectedFrames: Int) {
    self.wanted = wanted
    framesPerColumn = max(1, (expectedFrames + wanted - 1) / wanted)
  }

  /// Adds frames.
  ///
  /// - Parameter samples: Interleaved left and right samples.
  mutating func add(interleaved samples: UnsafeBufferPointer<Float>) {
    var next = 0
    while next < samples.count {
      let room = framesPerColumn - frames % framesPerColumn
      let count = min(room, (samples.count - next) / 2)
      current.add(Self.measure(UnsafeBufferPointer(rebasing: samples[next..<next + 2 * count])))
      next += 2 * count
      frames += count
      if count == room { endColumn() }
    }
  }

  /// Ends an incomplete column.
  mutating func finish() {
    if !frames.isMultiple(of: framesPerColumn) { endColumn() }
  }

  private mutating func endColumn() {
    columns.append(current)
    current = Column()
    if columns.count < 2 * wanted { return }
    for i in 0..<wanted {
      columns[i] = columns[2 * i]
      columns[i].add(columns[2 * i + 1])
    }
    columns.removeLast(columns.count - wanted)
    framesPerColumn *= 2
  }

  private static func measure(_ samples: UnsafeBufferPointer<Float>) -> Column {
    var column = Column()
    let whole = samples.count & ~7
    var peak = SIMD8<Float>.zero
    var energy = SIMD8<Float>.zero
    let bytes = UnsafeRawBufferPointer(samples)
    for i in stride(from: 0, to: whole, by: 8) {
      let eight = bytes.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
      let squares = eight * eight
      energy += squares
      peak.replace(with: squares, where: squares .> peak)
    }
    for i in stride(from: 0, to: 8, by: 2) {
      column.add(
        Column(peak: [peak[i], peak[i + 1]], energy: [energy[i], energy[i + 1]]))
    }
    for i in stride(from: whole, to: samples.count, by: 2) {
      let pair = SIMD2(samples[i], samples[i + 1])
      column.add(Column(peak: pair * pair, energy: pair * pair))
    }
    return column
  }
}
