import FoundationEssentials
import ProgramTestSupport

extension Program {
  /// How often it has said something on standard error.
  func count(of text: String) -> Int {
    // What will sound later, as serve says when it starts, does not count as sound.
    let lines = errors.split(separator: "\n").filter { !$0.contains(", as soon as a keyboard") }
    return lines.joined(separator: "\n").components(separatedBy: text).count - 1
  }

  /// Waits until it has said something, so many times.
  func says(_ text: String, times: Int = 1) throws {
    do {
      try ALSARigTests.wait { count(of: text) >= times ? () : nil }
    } catch {
      throw Program.TookTooLong(errors: errors)
    }
  }
}
