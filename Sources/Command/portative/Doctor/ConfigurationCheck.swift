import Configuration
import LocalSystem

/// Checks whether the configuration files can be read.
enum ConfigurationCheck {
  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    do throws(ConfigurationError) {
      let files = try Configuration(environment).files
      return [
        .good(
          "configuration",
          files.isEmpty ? "none: the defaults apply" : files.joined(separator: ", "))
      ]
    } catch {
      return [
        .bad(
          "configuration", error.description,
          remedy: "correct the file: portative serve --check shows its faults")
      ]
    }
  }
}
