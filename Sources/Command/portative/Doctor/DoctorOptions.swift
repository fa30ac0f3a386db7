import LocalSystem
import Options

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
      throw .usage("doctor takes options only, but got '\(operand)'; see portative doctor --help")
    }
    if latencyInput == nil, let option = sound.words.first {
      throw .usage(
        "\(option) is for --latency only: it says what to play on while that is measured")
    }
    guard case .alsa = sound.device else {
      throw .usage(
        "--audio \(sound.device.text) cannot be measured: name a device of ALSA's, such as hw:0")
    }
  }

  static let table = OptionTable<DoctorOptions>(
    rows: [
      .init(
        names: ["--latency"], value: "INPUT",
        help: "measure the time from key to sound, heard at this\ndevice of ALSA's"
      ) { options, text throws(Failure) in options.latencyInput = text }
    ]
      + SoundChoice.rows(
        \.sound, device: "the device of ALSA's to play on (default)",
        period: "the cycle to ask the device for (256)"
      ) + [
        .init(names: ["--json"], value: nil, help: "a line of JSON for each finding") {
          options, _ throws(Failure) in options.isJSON = true
        },
        .init(names: ["-h", "--help"], value: nil, help: "this text") {
          options, _ throws(Failure) in options.wantsHelp = true
        },
      ])
}
