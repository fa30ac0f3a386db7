/// An instrument or effect that a port plays, prepared for one format.
///
/// A unit is independent of processes, sockets and files. A port makes a unit when it is initialized, renders it on one
/// thread, and frees it when it is uninitialized. Each host therefore gets a new unit.
public protocol RenderUnit: AnyObject, Sendable {
  /// The procedure that the render thread calls, valid as long as the unit exists.
  var renderer: Renderer { get }

  /// The delay from an event or input frame to the corresponding output, in frames. It may change; the host is
  /// notified.
  var latency: Int { get }

  /// The number of frames for which the unit may sound after its input ends; `nil`: unknown. It may change; the host is
  /// notified.
  var tail: Int? { get }

  /// The parameters that the host can set; `nil`: the unit has none.
  var parameters: ParameterStore? { get }

  /// The factory presets.
  var presets: [Preset] { get }

  /// Returns the state of the unit other than its parameters. May be called while the unit renders.
  func save() -> [UInt8]

  /// Restores the state that ``save()`` returned. May be called while the unit renders.
  ///
  /// - Parameter data: The saved state; empty for the state of a new unit.
  /// - Throws: An error whose description is a sentence for the host's user; nothing has changed then.
  func restore(_ data: [UInt8]) throws

  /// The files that the unit plays and that a host can replace. Reading them may take as long as reading the files,
  /// whose hashes it contains. May be called while the unit renders.
  var files: [UnitFile] { get }

  /// Restores the state that ``save()`` returned, with other files. May be called while the unit renders.
  ///
  /// - Parameters:
  ///   - data: The saved state; empty for the state of a new unit.
  ///   - files: The files to play, by their identifiers. Files that are not named remain.
  /// - Throws: ``UnitFileError`` if a file cannot be played; otherwise as ``restore(_:)``. Nothing has changed then.
  func restore(_ data: [UInt8], files: [String: FileReference]) throws

  /// Does work that the render thread must not do, for example allocates memory for more notes.
  ///
  /// It is called on another thread soon after the renderer has requested it, possibly while the unit renders, and
  /// never by two threads at once. It may allocate, and should return within about a second, because other units may
  /// wait.
  func performDeferredWork()

  /// Prepares the unit for the next cycle.
  ///
  /// An offline caller calls it before each cycle and waits, so that everything the cycle's events need is ready. A
  /// realtime caller does not call it.
  func prepare(for cycle: MIDICycle)

  /// Figures about the unit for the user. May be read while the unit renders.
  var status: [UnitStatus] { get }
}

extension RenderUnit {
  public var latency: Int { 0 }
  public var tail: Int? { nil }
  public var parameters: ParameterStore? { nil }
  public var presets: [Preset] { [] }
  public func save() -> [UInt8] { [] }
  public func restore(_ data: [UInt8]) throws {}
  public var files: [UnitFile] { [] }
  public func restore(_ data: [UInt8], files: [String: FileReference]) throws { try restore(data) }
  public func performDeferredWork() {}
  public func prepare(for cycle: MIDICycle) {}
  public var status: [UnitStatus] { [] }
}

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
