package import LocalSystem
import Options
package import RenderCore

/// Finds presets by words or by bank and program.
package struct PresetSearch {
  package let presets: [Preset]

  package init(presets: [Preset]) { self.presets = presets }

  /// Returns the indices of the presets whose name contains all words, in any case. A word such as `0:40` is a bank and
  /// a program.
  package func indices(matching words: [String]) -> [Int] {
    presets.indices.filter { index in
      words.allSatisfy { word in
        if let number = Self.number(word) { return presets[index].number == number }
        return presets[index].name.lowercased().contains(word.lowercased())
      }
    }
  }

  /// Returns the index of the preset that a text names: by its whole name, by bank and program, or by words that no other
  /// preset has.
  ///
  /// - Throws: ``Failure`` with the presets that match, or with the nearest name.
  package func index(of text: String) throws(Failure) -> Int {
    let name = text.lowercased()
    if let exact = presets.firstIndex(where: { $0.name.lowercased() == name }) { return exact }
    let found = indices(matching: text.split(separator: " ").map(String.init))
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let nearest = closest(to: name, among: presets.map { $0.name.lowercased() })
      let known = presets.first { $0.name.lowercased() == nearest }
      throw .usage(
        "there is no preset '\(text)': "
          + (known.map { "did you mean '\($0.name)'?" }
            ?? (presets.isEmpty ? "the port has none" : "portative presets lists them")))
    }
    let names = found.prefix(5).map { presets[$0].label }.joined(separator: ", ")
    throw .usage(
      "'\(text)' is ambiguous: it matches \(names)" + (found.count > 5 ? ", and others" : ""))
  }

  /// - Returns: `nil` for another text than two numbers with a colon.
  private static func number(_ word: String) -> PresetNumber? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let bank = Int(parts[0]), let program = Int(parts[1]) else {
      return nil
    }
    return PresetNumber(bank: bank, program: program)
  }
}

/// The bank and program of a preset of a SoundFont.
package struct PresetNumber: Equatable, CustomStringConvertible {
  package var bank: Int
  package var program: Int

  package init(bank: Int, program: Int) {
    self.bank = bank
    self.program = program
  }

  package var description: String { "\(bank):\(program)" }
}

extension Preset {
  /// `nil` for a preset that is not of a SoundFont.
  package var number: PresetNumber? {
    guard let bank = values["preset.bank"], let program = values["preset.program"] else {
      return nil
    }
    return PresetNumber(bank: Int(bank), program: Int(program))
  }

  /// The name, with bank and program if it has them.
  package var label: String { number.map { "\($0) '\(name)'" } ?? "'\(name)'" }
}
