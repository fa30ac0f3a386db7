/// Counts how often the laws of the exact engine hold bit for bit.
func lawSection(_ bench: Bench) throws -> [Table] {
  let laws: [(String, (Bench) throws -> [Trial])] = [
    ("onset, notes", onsetOfNotes), ("onset, songs", onsetOfSongs),
    ("superposition", superposition), ("cycle", cycleLaw),
  ]
  var table = Table(
    title: "Laws, bit for bit",
    note: "Dry left and right and both effect sends; in the cycle law the finished sound as well.",
    columns: ["law", "SoundFont", "compared", "identical", "of these silent", "first that differs"])
  var failures = Table(
    title: "What differs", columns: ["law", "SoundFont", "case"], isPrinted: false)
  for (name, law) in laws {
    bench.log("laws: \(name)")
    let trials = try law(bench)
    for font in bench.fonts {
      let own = trials.filter { $0.font == font.name }
      let different = own.filter { !$0.isIdentical }
      table.rows.append([
        .text(name), .text(font.name), .count(own.count), .count(own.count - different.count),
        .count(own.count { $0.isIdentical && $0.isSilent }), .text(different.first?.what ?? "–"),
      ])
      failures.rows += different.map { [.text(name), .text(font.name), .text($0.what)] }
    }
  }
  return [table, failures, try recordings(bench)]
}

/// One comparison of two renderings that must be bit-identical.
struct Trial: Sendable {
  var font: String
  /// A description that is sufficient to repeat the comparison.
  var what: String
  var isIdentical: Bool
  /// Whether all compared samples were zero.
  var isSilent = false
}
