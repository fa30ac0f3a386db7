/// A sound card with its playback devices.
public struct SoundCard: Equatable, Sendable {
  /// The card number. Numbers are reused.
  public let number: Int
  /// The short identifier, for names such as `hw:PCH`.
  public let identifier: String
  /// The name for users.
  public let name: String
  public let outputs: [Output]

  /// A playback device of a card.
  public struct Output: Equatable, Sendable {
    public let device: Int
    /// The name for users.
    public let name: String
    /// The number of subdevices: how many programs can play at the same time without a sound server; 1 for most.
    public let subdeviceCount: Int
    public let holders: [Holder]

    public var isFree: Bool { holders.count < subdeviceCount }
  }

  /// A program that has opened a device.
  public struct Holder: Hashable, Sendable, CustomStringConvertible {
    public let process: Int
    /// The program's name; `nil` if it is not visible, as in another container.
    public let program: String?

    public var description: String {
      program.map { "\($0) (process \(process))" } ?? "process \(process)"
    }
  }

  /// Returns the alsa-lib name for direct access to an output.
  public func deviceName(of output: Output) -> String { "hw:\(identifier),\(output.device)" }
}
