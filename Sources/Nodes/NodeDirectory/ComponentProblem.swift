/// Something that keeps components from being listed, and disturbs no others.
public struct ComponentProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder that is of no use.
  public let path: String
  /// A sentence that names it, what is wrong, and the remedy.
  public let message: String

  public var description: String { message }
}
