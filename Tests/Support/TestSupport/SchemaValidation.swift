import Foundation

/// Validates JSON files with `Tests/Schemas/validate.py`.
///
/// Without Python's jsonschema nothing is checked, unless `PORTATIVE_REQUIRES_JSONSCHEMA` is set, as
/// `make test-schemas` does.
///
/// - Returns: The faults, one on each line.
package func validationFaults(_ paths: [String]) throws -> String {
  let result = try ToolResult(
    of: "/usr/bin/env",
    ["python3", repositoryFile("Tests/Schemas/validate.py"), repositoryFile("Schemas")] + paths)
  if result.status == 0 { return "" }
  let isRequired = ProcessInfo.processInfo.environment["PORTATIVE_REQUIRES_JSONSCHEMA"] != nil
  return !isRequired && result.text.contains("No module named 'jsonschema'")
    ? "" : result.text + " "
}
