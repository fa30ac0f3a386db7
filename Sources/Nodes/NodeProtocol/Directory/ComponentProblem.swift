/// A file or folder that prevents its components from being listed. Other components are not affected.
public struct ComponentProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the unusable file or folder.
  public let path: String
  /// A sentence that gives the path, the problem and the remedy.
  public let message: String

  public var description: String { message }
}
