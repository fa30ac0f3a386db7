import Configuration
package import LocalSystem
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
    let search = NameSearch(
      "preset", names: presets.map(\.name), labels: presets.map(\.label),
      hint: presets.isEmpty ? "the port has none" : "portative info --presets lists them")
    return try search.index(of: text) {
      indices(matching: text.split(separator: " ").map(String.init))
    }
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
