import LocalSystem

/// Checks whether a Raspberry Pi had enough voltage and was cool enough to run at full speed. Other computers have no such
/// records.
///
/// Source: *The Linux kernel*, `Documentation/hwmon/raspberrypi-hwmon.rst`; Raspberry Pi Ltd, *Raspberry Pi
/// documentation*, `vcgencmd get_throttled`.
enum PowerCheck {
  /// Flags of the firmware: what is the case, and, 16 bits higher, what has been.
  private static let lowVoltage: UInt32 = 1 << 0 | 1 << 16
  /// Because of low voltage or heat.
  private static let throttled: UInt32 = 1 << 2 | 1 << 18
  private static let temperatureLimit: UInt32 = 1 << 3 | 1 << 19

  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    let files = SystemFiles(environment: environment)
    let (alarm, found) = (alarm(files), flags(files))
    if alarm == nil, found == nil { return [] }
    let flags = found ?? 0
    let isLow = alarm == true || flags & lowVoltage != 0
    let isHot = flags & temperatureLimit != 0 || flags & throttled != 0 && !isLow
    var findings: [Finding] = []
    if isLow {
      findings.append(
        .warning(
          "power", "the voltage is too low at times, which slows the processor down",
          remedy: "use the power supply of the board, and a hub with its own one for USB devices"))
    }
    if isHot {
      findings.append(
        .warning(
          "temperature", "the processor is too hot at times, which slows it down",
          remedy: "cool the board with a heat sink or a fan"))
    }
    return findings.isEmpty ? [.good("power", "the voltage is high enough")] : findings
  }

  /// Whether the kernel's driver has reported a low voltage; `nil` without the driver.
  private static func alarm(_ files: SystemFiles) -> Bool? {
    let folder = "/sys/class/hwmon"
    return files.names(in: folder).first { files.line("\(folder)/\($0)/name") == "rpi_volt" }
      .map { files.line("\(folder)/\($0)/in0_lcrit_alarm") == "1" }
  }

  /// What has happened since the start, as the firmware reports it to the kernel of Raspberry Pi OS; `nil` with another
  /// kernel. The folder's name depends on the model.
  private static func flags(_ files: SystemFiles) -> UInt32? {
    let platform = "/sys/devices/platform"
    let buses = files.names(in: platform).filter { $0.hasPrefix("soc") || $0.hasPrefix("axi") }
      .map { "\(platform)/\($0)" }
    return (buses + buses.flatMap { bus in files.names(in: bus).map { "\(bus)/\($0)" } })
      .filter { $0.hasSuffix("firmware") }
      .compactMap { files.line("\($0)/get_throttled") }
      .compactMap { UInt32($0.hasPrefix("0x") ? $0.dropFirst(2) : $0[...], radix: 16) }
      .first
  }
}
