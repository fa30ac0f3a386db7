/// What holds for a file that the user has not named as such: where it must be, and what it may replace.
public struct OutputRules: Sendable {
  /// The file must be in this folder or in one below it, and symbolic links below it are not followed;
  /// `nil`: it may be anywhere.
  public var root: String?
  /// Whether a file that is in the way may be replaced. It is called with the file's path, and whether the
  /// file is as Portative has written it. Empty files are replaced in any case, and devices are written to.
  public var mayReplace: @Sendable (_ path: String, _ isOwn: Bool) -> Bool
  /// Called when a file has got its name.
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
