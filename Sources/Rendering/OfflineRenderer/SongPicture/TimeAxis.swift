/// Maps times of a song to positions, and selects the labelled times.
struct TimeAxis {
  /// The time in the song at the left end, in seconds.
  let start: Double
  /// The duration from the left to the right end, in seconds.
  let length: Double
  let x: Double
  let width: Double

  /// Returns the horizontal position of a time.
  ///
  /// - Parameter seconds: The time in the song.
  func position(_ seconds: Double) -> Double {
    length > 0 ? x + (seconds - start) / length * width : x
  }

  /// Returns the shortest step between labelled times, in seconds, that gives them at least `distance` pixels.
  func step(distance: Double) -> Double {
    let steps = [
      0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600,
      900, 1800, 3600, 7200, 18_000, 36_000,
    ]
    let wanted = distance / width * length
    return steps.first { $0 >= wanted } ?? (wanted / 36_000).rounded(.up) * 36_000
  }

  /// Returns the multiples of a step on the axis, with their labels.
  func marks(step: Double) -> [(x: Double, text: String)] {
    guard length > 0 else { return [(x, Self.text(start, step: 1))] }
    let first = Int((start / step - 1e-9).rounded(.up))
    let last = Int(((start + length) / step + 1e-9).rounded(.down))
    return (first...max(first, last)).compactMap { number in
      let seconds = Double(number) * step
      return seconds > start + length * (1 + 1e-9)
        ? nil : (position(seconds), Self.text(seconds, step: step))
    }
  }

  /// Returns a label such as `0:05`, `1:02:03`, or `0:01.25` if steps are shorter than a second.
  static func text(_ seconds: Double, step: Double = 1) -> String {
    let digits = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    let scale = [1, 10, 100, 1000][digits]
    let parts = Int((seconds * Double(scale)).rounded())
    let whole = parts / scale
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    var text = "\(whole / 60):\(two(whole % 60))"
    if whole >= 3600 { text = "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))" }
    if digits == 0 { return text }
    let fraction = String(parts % scale)
    return text + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
