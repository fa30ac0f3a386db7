/// Returns the word nearest to a misspelt one; `nil` if none is within a distance of a third of the letters.
package func closest(to word: String, among words: [String]) -> String? {
  let ranked = words.map { (word: $0, distance: spellingDistance(word, $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, word.count / 3) ? best.word : nil
}

/// Returns what a part of several names means: the only name that all of them begin with, in any case, as *General MIDI*
/// of that and *General MIDI Multi-Output*; `nil` if there is none.
package func shortest<Element>(
  of elements: [Element], by name: (Element) -> String
) -> Element? {
  let heads = elements.filter { element in
    elements.allSatisfy { name($0).lowercased().hasPrefix(name(element).lowercased()) }
  }
  return heads.count == 1 ? heads[0] : nil
}

/// Returns the number of letters to insert, delete, replace or transpose to turn one word into the other.
///
/// Source: Damerau, "A Technique for Computer Detection and Correction of Spelling Errors",
/// Comm. ACM 7 (1964), in its restricted form: no letter is edited twice.
package func spellingDistance(_ first: String, _ second: String) -> Int {
  let a = Array(first)
  let b = Array(second)
  var table = Array(repeating: Array(0...b.count), count: a.count + 1)
  for i in 0...a.count { table[i][0] = i }
  for i in a.indices {
    for j in b.indices {
      var best = min(
        table[i][j + 1] + 1, table[i + 1][j] + 1, table[i][j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        best = min(best, table[i - 1][j - 1] + 1)
      }
      table[i + 1][j + 1] = best
    }
  }
  return table[a.count][b.count]
}

/// Returns at most eight alternatives as text, such as `'A', 'B' or 'C'`.
package func alternatives(_ words: [String]) -> String {
  let words = words.count > 8 ? words.prefix(8) + ["others"] : words
  guard let last = words.last, words.count > 1 else { return words.joined() }
  return "\(words.dropLast().joined(separator: ", ")) or \(last)"
}
