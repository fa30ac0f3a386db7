import Foundation

/// Validates JSON files with `Tests/Schemas/validate.py`.
///
/// Without Python's jsonschema nothing is checked, unless `PORTATIVE_REQUIRES_JSONSCHEMA` is set, as `make test-schemas`
/// does.
///
/// - Returns: The faults, one on each line.
package func validationFaults(_ paths: [String]) throws -> String {
  let validator = Process()
  validator.executableURL = URL(filePath: "/usr/bin/env")
  validator.arguments =
    ["python3", repositoryFile("Tests/Schemas/validate.py"), repositoryFile("Schemas")] + paths
  let output = Pipe()
  validator.standardOutput = output
  validator.standardError = output
  try validator.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  validator.waitUntilExit()
  if validator.terminationStatus == 0 { return "" }
  let isRequired = ProcessInfo.processInfo.environment["PORTATIVE_REQUIRES_JSONSCHEMA"] != nil
  return !isRequired && text.contains("No module named 'jsonschema'") ? "" : text + " "
}
