import FoundationEssentials
import ProgramTestSupport

extension Program {
  /// Returns how often a text occurs on standard error.
  func count(of text: String) -> Int {
    // Lines in which serve announces at its start what will sound later do not count.
    let lines = errors.split(separator: "\n").filter { !$0.contains(", as soon as a keyboard") }
    return lines.joined(separator: "\n").components(separatedBy: text).count - 1
  }

  /// Waits until a text has occurred on standard error at least `times` times.
  func says(_ text: String, times: Int = 1) throws {
    do {
      try ALSARigTests.wait { count(of: text) >= times ? () : nil }
    } catch {
      throw timeout
    }
  }
}
