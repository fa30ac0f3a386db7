/// Rules for output files: where they must be, and what they may replace.
public struct OutputRules: Sendable {
  /// The folder that must contain the file, directly or below; symbolic links below it are not followed. `nil`: any
  /// folder.
  public var root: String?
  /// Returns whether an existing file may be replaced. It is called with the file's path, and whether the file is
  /// unchanged since Portative wrote it. It is not called for empty files, which are always replaced, nor for devices,
  /// which are written to.
  public var mayReplace: @Sendable (_ path: String, _ isOwn: Bool) -> Bool
  /// Called when a file has been moved to its path.
  public var didWrite: @Sendable (_ path: String) -> Void

  public init(
    root: String? = nil,
    mayReplace: @escaping @Sendable (_ path: String, _ isOwn: Bool) -> Bool = { _, _ in true },
    didWrite: @escaping @Sendable (_ path: String) -> Void = { _ in }
  ) {
    self.root = root
    self.mayReplace = mayReplace
    self.didWrite = didWrite
  }
}
