import ALSAAudio
import FluidSynthEngine
import JACKAudio
import LiveAudio
import LocalSystem
import Options
import RenderCore

/// The sound device that was asked for.
struct SoundChoice: Equatable, Sendable {
  enum Device: Equatable, Sendable {
    /// As alsa-lib knows it.
    case alsa(String)
    case jack
    case none

    /// - Parameter text: As of `--audio`.
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
  /// Frames per second; JACK has its own.
  var rate = 48_000
  /// Frames of a cycle; JACK has its own.
  var period = 256

  /// The options that ask for it, where nothing is said.
  var words: [String] {
    let usual = SoundChoice()
    var words: [String] = []
    if device != usual.device { words += ["--audio", device.text] }
    if rate != usual.rate { words += ["--rate", "\(rate)"] }
    if period != usual.period { words += ["--period", "\(period)"] }
    return words
  }

  static let periods = 16...8192

  /// - Precondition: There is a device.
  func open() throws(SoundDeviceError) -> any SoundDevice {
    switch device {
    case .alsa(let name): return try ALSADevice(named: name, rate: rate, period: period)
    case .jack: return try JACKDevice()
    case .none: preconditionFailure("nothing is opened without a device")
    }
  }
}

extension SoundChoice {
  /// The options that choose it, of a verb that has one.
  ///
  /// - Parameters:
  ///   - device: What help says of `--audio`.
  ///   - period: What it says of `--period`.
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
