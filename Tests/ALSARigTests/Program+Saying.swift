import FoundationEssentials
import ProgramTestSupport

extension Program {
  /// How often it has said something on standard error.
  func count(of text: String) -> Int { errors.components(separatedBy: text).count - 1 }

  /// Waits until it has said something, so many times.
  func says(_ text: String, times: Int = 1) throws {
    do {
      try ALSARigTests.wait { count(of: text) >= times ? () : nil }
    } catch {
      throw Program.TookTooLong(errors: errors)
    }
  }
}
