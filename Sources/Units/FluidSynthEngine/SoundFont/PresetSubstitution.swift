/// A preset that was asked for and is not in the SoundFont, and what played instead.
public struct PresetSubstitution: Equatable, Sendable {
  /// 0…16383; 128 is percussion.
  public var bank: Int
  /// 0…127.
  public var program: Int
  /// What played; `nil` when nothing did.
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
