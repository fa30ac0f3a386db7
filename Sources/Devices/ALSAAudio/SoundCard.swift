/// A sound card and what it can play on.
public struct SoundCard: Equatable, Sendable {
  /// In the order in which they came; given away again.
  public let number: Int
  /// Short, for names such as `hw:PCH`.
  public let identifier: String
  /// For people.
  public let name: String
  public let outputs: [Output]

  /// A playback device of a card.
  public struct Output: Equatable, Sendable {
    public let device: Int
    /// For people.
    public let name: String
    /// How many programs can play on it at once without a sound server: 1 for most.
    public let places: Int
    public let holders: [Holder]

    public var isFree: Bool { holders.count < places }
  }

  /// A program that plays on a device, or at least keeps others from it.
  public struct Holder: Hashable, Sendable, CustomStringConvertible {
    public let process: Int
    /// `nil` if it is hidden, as in another container.
    public let program: String?

    public var description: String {
      program.map { "\($0) (process \(process))" } ?? "process \(process)"
    }
  }

  /// What to call an output when asking alsa-lib for it and nothing else.
  public func deviceName(of output: Output) -> String { "hw:\(identifier),\(output.device)" }
}
