import ALSA
import JACKAudio
package import LiveAudio

/// The selected sound device.
package struct SoundChoice: Equatable, Sendable {
  package enum Device: Equatable, Sendable {
    /// A device with an alsa-lib name.
    case alsa(String)
    case jack
    case none

    /// - Parameter text: The value of `--audio`.
    package init(_ text: String) {
      switch text {
      case "none": self = .none
      case "jack": self = .jack
      default: self = .alsa(text)
      }
    }

    package var text: String {
      switch self {
      case .alsa(let name): name
      case .jack: "jack"
      case .none: "none"
      }
    }
  }

  package var device: Device
  /// Frames per second; ignored for JACK, which determines its own rate.
  package var rate: Int
  /// The frames of a cycle; ignored for JACK, which determines its own.
  package var period: Int

  package init(device: Device = .alsa("default"), rate: Int = 48_000, period: Int = 256) {
    self.device = device
    self.rate = rate
    self.period = period
  }

  /// The lengths of a cycle that can be requested, in frames.
  package static let periods = 16...8192

  /// The options that select the device; defaults are omitted.
  package var arguments: [String] {
    let usual = SoundChoice()
    var arguments: [String] = []
    if device != usual.device { arguments += ["--audio", device.text] }
    if rate != usual.rate { arguments += ["--rate", "\(rate)"] }
    if period != usual.period { arguments += ["--period", "\(period)"] }
    return arguments
  }

  /// - Precondition: ``device`` is not ``Device/none``.
  package func open() throws(SoundDeviceError) -> any SoundDevice {
    switch device {
    case .alsa(let name): return try ALSADevice(named: name, rate: rate, period: period)
    case .jack: return try JACKDevice()
    case .none: preconditionFailure("nothing is opened without a device")
    }
  }
}
