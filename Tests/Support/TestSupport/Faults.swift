import Foundation

/// The inputs of tests that repeat faults.
///
/// A test has its usual number of inputs, which are the same in each run, or those that `make endurance` names by
/// `PORTATIVE_FAULTS=FIRST+COUNT`. Inputs with another first number have other seeds.
package enum Faults {
  private static let named: (first: Int, count: Int)? = {
    guard let text = ProcessInfo.processInfo.environment["PORTATIVE_FAULTS"] else { return nil }
    let numbers = text.split(separator: "+").compactMap { Int($0) }
    precondition(numbers.count == 2, "PORTATIVE_FAULTS must be FIRST+COUNT, but was '\(text)'")
    return (numbers[0], numbers[1])
  }()

  /// Whether `make endurance` runs the test: alone in its process, and with other inputs than usual.
  package static var isEndurance: Bool { named != nil }

  package static func count(usual: Int) -> Int { named?.count ?? usual }

  /// Returns the seed of one of the random generators of a test.
  ///
  /// - Parameter number: The generator's number, at most 999; its usual seed.
  package static func seed(_ number: Int) -> UInt64 { UInt64((named?.first ?? 0) * 1000 + number) }

  /// The limit of a suite in minutes, and of a wait in seconds. They only end what hangs.
  package static var minutes: Int { isEndurance ? 240 : 5 }
  package static func seconds(_ usual: Int) -> Int { isEndurance ? 14_400 : usual }

  /// Reports how many inputs a test had, and what it found.
  ///
  /// `make endurance` reads it from the file PORTATIVE_FAULTS_REPORT.
  package static func report(_ count: Int, _ result: String) {
    print(count, result)
    guard let path = ProcessInfo.processInfo.environment["PORTATIVE_FAULTS_REPORT"],
      let file = fopen(path, "a")
    else { return }
    fputs("\(count) \(result)\n", file)
    fclose(file)
  }
}
