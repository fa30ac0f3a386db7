/// Makes render units for a port.
public protocol RenderUnitSource: Sendable {
  /// Makes a unit for a format. Realtime: no; it may load files.
  ///
  /// - Parameter format: A format within the limits of ``Format``.
  /// - Throws: ``FormatError`` if the unit does not support the format; otherwise an error whose description is a
  ///   sentence for the host's user.
  func makeUnit(_ format: Format) throws -> any RenderUnit

  /// Makes a unit for a format and a render context. The default implementation ignores the context.
  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit
}

extension RenderUnitSource {
  public func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    try makeUnit(format)
  }
}

/// The conditions under which a unit will be rendered.
public struct RenderContext: Equatable, Sendable {
  /// Whether the caller waits for each cycle without a deadline.
  public var isOffline: Bool
  /// The SCHED_FIFO priority of the render thread, 1…99; 0: the ordinary scheduler.
  public var priority: Int

  public init(isOffline: Bool = false, priority: Int = 0) {
    self.isOffline = isOffline
    self.priority = priority
  }
}
