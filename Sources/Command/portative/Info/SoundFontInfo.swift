import Configuration
import FluidSynthEngine
import LocalSystem

/// What is in a SoundFont, as text for users and JSON for programs.
struct SoundFontInfo: Encodable {
  let file: String
  var name: String?
  var author: String?
  var copyright: String?
  var comment: String?
  var date: String?
  var tool: String?
  /// The version of the format.
  var version: String?
  var bytes: Int
  /// Absent if the samples are compressed.
  var bitsPerSample: Int?
  var samples: Int?
  var presets: [Preset]

  struct Preset: Encodable, Equatable {
    var bank: Int
    var program: Int
    var name: String
    /// The keys that it plays; absent if it plays none, or if the file does not tell.
    var lowestKey: Int?
    var highestKey: Int?
  }

  /// - Throws: `InstrumentError` if FluidSynth cannot use the file.
  init(_ path: String) throws {
    let information = try SoundFontInformation(path)
    let presets = try SoundFont.open(path).presets()
    file = path
    (name, author) = (information.name, information.author)
    (copyright, comment) = (information.copyright, information.comment)
    (date, tool, version) = (information.date, information.tool, information.version)
    (bytes, bitsPerSample) = (information.bytes, information.bitsPerSample)
    samples = information.samples
    self.presets = presets.map { preset in
      let (bank, program) = (preset.selection.bank, preset.selection.program)
      let keys = information.keys?.first { $0.bank == bank && $0.program == program }?.keys
      return Preset(
        bank: bank, program: program, name: preset.name,
        lowestKey: keys.map { Int($0.lowerBound) }, highestKey: keys.map { Int($0.upperBound) })
    }
  }
}

extension SoundFontInfo {
  /// The path and the name.
  var head: String { file + (name.map { ": \($0)" } ?? "") }

  var text: OutputText {
    var rows = [
      [
        "size",
        "\(decimal(Double(bytes) / 1e6, digits: 1)) MB, "
          + (bitsPerSample.map { "\($0) bits" } ?? "compressed or unusual samples")
          + (samples.map { ", \(counted($0, "sample"))" } ?? ""),
      ]
    ]
    rows.append(["presets", "\(presets.count): \(banks)"])
    let texts = [
      ("author", author), ("licence", copyright), ("comment", comment), ("date", date),
      ("made with", tool), ("version", version),
    ]
    for (label, text) in texts {
      let lines = text?.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
      for (index, line) in (lines ?? []).enumerated() {
        rows.append([index == 0 ? label : "", String(line)])
      }
    }
    let table = presets.map { preset in
      ["\(preset.bank):\(preset.program)", preset.name, preset.keys]
    }
    return
      "\(head)\n\(Columns.text(rows.map { [""] + $0 }))\n\(Columns.table(["PRESET", "NAME", "KEYS"], table))"
  }

  /// The number of presets in each bank, such as `128 in bank 0, 9 drum kits`.
  private var banks: String {
    var counts: [Int: Int] = [:]
    for preset in presets { counts[preset.bank, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { bank, count in
      bank == 128 ? counted(count, "drum kit") : "\(count) in bank \(bank)"
    }.joined(separator: ", ")
  }
}

extension SoundFontInfo.Preset {
  fileprivate var keys: String {
    guard let lowestKey, let highestKey else { return "" }
    return "\(NoteName.name(UInt8(lowestKey)))..\(NoteName.name(UInt8(highestKey)))"
  }
}
