import ALSAAudio
import FluidSynthEngine
import JACKAudio
import LiveAudio
import LocalSystem
import Options
import RenderCore

/// The selected sound device.
struct SoundChoice: Equatable, Sendable {
  enum Device: Equatable, Sendable {
    /// A device with an alsa-lib name.
    case alsa(String)
    case jack
    case none

    /// - Parameter text: The value of `--audio`.
    init(_ text: String) {
      switch text {
      case "none": self = .none
      case "jack": self = .jack
      default: self = .alsa(text)
      }
    }

    var text: String {
      switch self {
      case .alsa(let name): name
      case .jack: "jack"
      case .none: "none"
      }
    }
  }

  var device = Device.alsa("default")
  /// Frames per second; ignored for JACK, which determines its own rate.
  var rate = 48_000
  /// The frames of a cycle; ignored for JACK, which determines its own.
  var period = 256

  /// The options that select the device; defaults are omitted.
  var words: [String] {
    let usual = SoundChoice()
    var words: [String] = []
    if device != usual.device { words += ["--audio", device.text] }
    if rate != usual.rate { words += ["--rate", "\(rate)"] }
    if period != usual.period { words += ["--period", "\(period)"] }
    return words
  }

  static let periods = 16...8192

  /// - Precondition: ``device`` is not ``Device/none``.
  func open() throws(SoundDeviceError) -> any SoundDevice {
    switch device {
    case .alsa(let name): return try ALSADevice(named: name, rate: rate, period: period)
    case .jack: return try JACKDevice()
    case .none: preconditionFailure("nothing is opened without a device")
    }
  }
}

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
      .init(names: ["--audio"], value: "DEVICE", help: device) { options, text throws(Failure) in
        options[keyPath: choice].device = Device(text)
      },
      .init(
        names: ["--rate"], value: "HZ", help: "the rate to ask the device for (48000)"
      ) { options, text throws(Failure) in
        options[keyPath: choice].rate = try OptionValue.whole(
          text, of: "--rate", in: InstrumentSettings.rates)
      },
      .init(names: ["--period"], value: "FRAMES", help: period) { options, text throws(Failure) in
        options[keyPath: choice].period = try OptionValue.whole(
          text, of: "--period", in: periods)
      },
    ]
  }
}
