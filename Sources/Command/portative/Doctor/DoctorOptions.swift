import Configuration
import LocalSystem
import PortativeServer

/// The options of `portative doctor`.
struct DoctorOptions {
  /// The capture device for measuring the latency; `nil` to check the machine instead.
  var latencyInput: String?
  /// The sound device to play on during the measurement.
  var sound = SoundChoice()
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `doctor`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    if let operand = operands.first {
      throw .usage("doctor takes only options, but got '\(operand)'; see portative doctor --help")
    }
    if latencyInput == nil, let option = sound.arguments.first {
      throw .usage("\(option) needs --latency INPUT: it selects the sound of that measurement")
    }
    guard case .alsa = sound.device else {
      throw .usage(
        "--audio must be an ALSA device such as hw:0 with --latency, but was '\(sound.device.text)'"
      )
    }
  }

  static let table = OptionTable<DoctorOptions>(
    rows: [
      .init(
        names: ["--latency"], value: "INPUT",
        help: "measure the time from a key to its sound, which\nthis ALSA device captures"
      ) { options, text in options.latencyInput = text }
    ]
      + SoundChoice.rows(
        \.sound, device: "the ALSA device to play on (default)",
        period: "frames in each cycle of the device (256)"
      ) + [
        .flag("--json", help: "write a line of JSON for each finding", \.isJSON),
        .help(\.wantsHelp),
      ])
}
