import Configuration
import LocalSystem
import OfflineRenderer

extension Normalization {
  /// Parses the value of `--normalize`, such as `-1dBTP` or `-16LUFS`.
  init(_ text: String) throws(Failure) {
    let kinds: [(unit: String, range: ClosedRange<Double>, make: (Double) -> Normalization)] = [
      ("dbtp", -60...0, Normalization.truePeak), ("lufs", -70...0, Normalization.loudness),
    ]
    for kind in kinds where text.lowercased().hasSuffix(kind.unit) {
      guard let level = OptionValue.plainNumber(String(text.dropLast(kind.unit.count))),
        kind.range.contains(level)
      else { break }
      self = kind.make(level)
      return
    }
    throw .usage(
      "--normalize must be a true peak from -60dBTP to 0dBTP or a loudness from -70LUFS to 0LUFS, "
        + "such as -1dBTP or -16LUFS, but was '\(text)'")
  }

  /// The value of `--normalize` that stands for it.
  var text: String {
    switch self {
    case .truePeak(let level): "\(OptionValue.brief(level))dBTP"
    case .loudness(let level): "\(OptionValue.brief(level))LUFS"
    }
  }
}
