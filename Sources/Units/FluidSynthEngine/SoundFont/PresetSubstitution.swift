/// A requested preset that the SoundFont does not have, and its replacement.
public struct PresetSubstitution: Equatable, Sendable {
  /// The requested bank, 0…16383; 128 is percussion.
  public var bank: Int
  /// The requested program, 0…127.
  public var program: Int
  /// The preset that was played instead; `nil` if the channel was silent.
  public var replacement: (bank: Int, program: Int)?

  public init(bank: Int, program: Int, replacement: (bank: Int, program: Int)? = nil) {
    self.bank = bank
    self.program = program
    self.replacement = replacement
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.bank == b.bank && a.program == b.program && a.replacement?.bank == b.replacement?.bank
      && a.replacement?.program == b.replacement?.program
  }
}
