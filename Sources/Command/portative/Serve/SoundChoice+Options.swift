import Configuration
import FluidSynthEngine
import LocalSystem
import PortativeServer

extension SoundChoice {
  /// Returns the rows of options that select the device, for a verb with such options.
  ///
  /// - Parameters:
  ///   - device: The help text of `--audio`.
  ///   - period: The help text of `--period`.
  static func rows<Options>(
    _ choice: any WritableKeyPath<Options, SoundChoice> & Sendable, device: String, period: String
  ) -> [OptionTable<Options>.Row] {
    [
      .init(names: ["--audio"], value: "DEVICE", help: device) {
        $0[keyPath: choice].device = Device($1)
      }.completing(.words(["default", "jack", "none"])),
      .init(names: ["--rate"], value: "HZ", help: "the sample rate to request (48000)") {
        $0[keyPath: choice].rate = try OptionValue.whole(
          $1, of: "--rate", in: InstrumentSettings.rates)
      },
      .init(names: ["--period"], value: "FRAMES", help: period) {
        $0[keyPath: choice].period = try OptionValue.whole($1, of: "--period", in: periods)
      },
    ]
  }
}
