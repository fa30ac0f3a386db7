import LocalSystem

/// Checks whether the governor lets the processors run at full speed while playing.
///
/// Source: *The Linux kernel*, `Documentation/admin-guide/pm/cpufreq.rst` and `intel_pstate.rst`.
enum GovernorCheck {
  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    let files = SystemFiles(environment: environment)
    let folder = "/sys/devices/system/cpu"
    let policies = files.names(in: folder).filter {
      $0.hasPrefix("cpu") && Int($0.dropFirst(3)) != nil
    }.compactMap { cpu -> Policy? in
      let name = files.line("\(folder)/\(cpu)/cpufreq/scaling_governor")
      let driver = files.line("\(folder)/\(cpu)/cpufreq/scaling_driver") ?? ""
      return name.map { Policy(governor: $0, driver: driver) }
    }
    if policies.isEmpty {
      return [.good("processor", "its governor is unknown, as in a virtual machine")]
    }
    guard let slow = policies.first(where: \.isSlow) else {
      let names = Set(policies.map(\.governor)).sorted().joined(separator: ", ")
      return [.good("processor", "the governor is \(names)")]
    }
    return [
      .warning(
        "processor",
        "the governor is \(slow.governor), which slows the processor down between notes",
        remedy: "run 'sudo cpupower frequency-set -g performance' before you play")
    ]
  }

  private struct Policy {
    let governor: String
    let driver: String

    /// Whether the governor slows the processor down. With these drivers the processor chooses its own speed, and
    /// powersave does not limit it.
    var isSlow: Bool {
      switch governor {
      case "powersave": driver != "intel_pstate" && driver != "amd-pstate-epp"
      case "ondemand", "conservative": true
      default: false
      }
    }
  }
}
