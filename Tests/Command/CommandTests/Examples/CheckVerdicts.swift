import Foundation
import ProgramTestSupport
import Testing

/// Runs `portative check --json`, and returns the verdicts of the measurements. Explanations of those that are not good are printed.
///
/// - Parameters:
///   - arguments: Further options, and the program with its arguments.
///   - measurements: Their names, separated by commas.
///   - code: The expected exit code.
func verdicts(
  of arguments: [String], only measurements: String, code: Int32 = 0,
  variables: [String: String] = [:], within seconds: Double
) throws -> [String: String] {
  let result = try Program(
    ["check", "--json", "--only", measurements] + arguments, variables: variables
  ).result(within: seconds)
  #expect(result.exitCode == code, "\(result.outputText)\(result.errors)")
  let report = try #require(result.outputText.objects.first)
  let rows = try #require(report["rows"] as? [[String: Any]])
  return try Dictionary(
    uniqueKeysWithValues: rows.map { row in
      let verdict = try #require(row["verdict"] as? String)
      let explanation = try #require(row["explanation"] as? String)
      if verdict != "good" { print("\(row["result"] ?? ""): \(explanation)") }
      return (try #require(row["measurement"] as? String), verdict)
    })
}
