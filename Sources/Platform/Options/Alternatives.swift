/// Returns at most eight alternatives as text, such as `'A', 'B' or 'C'`.
package func alternatives(_ words: [String]) -> String {
  let words = words.count > 8 ? words.prefix(8) + ["others"] : words
  guard let last = words.last, words.count > 1 else { return words.joined() }
  return "\(words.dropLast().joined(separator: ", ")) or \(last)"
}
