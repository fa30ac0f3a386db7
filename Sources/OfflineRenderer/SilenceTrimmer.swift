/// Finds where a tail falls silent, and holds back what may turn out to be silence.
///
/// Frames go in; those that are heard, and those between them, come out. A second of quiet after
/// everything was released is taken for the end.
struct SilenceTrimmer {
  /// −90 dBFS, linear.
  static let threshold: Float = 3.162_277_7e-5
  private let patience: Int
  private var left: [Float] = []
  private var right: [Float] = []

  /// - Parameter sampleRate: Frames per second.
  init(sampleRate: Int) { patience = sampleRate }

  /// Whether nothing has been heard for a second.
  var isSilent: Bool { left.count >= patience }

  /// Whether something was heard within the last tenth of a second.
  var isHeard: Bool { hasHeard && left.count < patience / 10 }
  private var hasHeard = false

  /// Takes frames in and hands on all up to the last that is heard.
  mutating func add<Failure: Error>(
    left newLeft: Span<Float>, right newRight: Span<Float>,
    _ body: (_ left: Span<Float>, _ right: Span<Float>) throws(Failure) -> Void
  ) throws(Failure) {
    let held = left.count
    for i in newLeft.indices {
      left.append(newLeft[i])
      right.append(newRight[i])
    }
    let heard = (held..<left.count).last {
      abs(left[$0]) > Self.threshold || abs(right[$0]) > Self.threshold
    }
    guard let heard else { return }
    hasHeard = true
    let count = heard + 1
    let (wholeLeft, wholeRight) = (left, right)
    try body(wholeLeft.span.extracting(first: count), wholeRight.span.extracting(first: count))
    left.removeFirst(count)
    right.removeFirst(count)
  }
}
