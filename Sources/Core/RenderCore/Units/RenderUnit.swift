/// What a port plays: an instrument or an effect, prepared for one format.
///
/// It knows nothing of processes, sockets or files. A port makes one whenever it is initialized, renders
/// it on one thread, and drops it when it is uninitialized; so each host finds it fresh.
public protocol RenderUnit: AnyObject, Sendable {
  /// What the render thread calls, valid as long as the unit lives.
  var renderer: Renderer { get }

  /// Frames between an event or an input frame and what comes of it. It may change; the host is told.
  var latency: Int { get }

  /// Frames for which it may still sound when nothing comes in any more; `nil`: nobody knows. It may change; the
  /// host is told.
  var tail: Int? { get }

  /// What its host may set; `nil`: nothing.
  var parameters: ParameterStore? { get }

  /// The sounds that it brings along.
  var presets: [Preset] { get }

  /// What belongs to its state besides its parameters. May be asked while it renders.
  func save() -> [UInt8]

  /// Becomes what it was when ``save()`` returned `data`. May be called while it renders.
  ///
  /// - Parameter data: Empty for a fresh unit.
  /// - Throws: An error whose description is a sentence for the host's user; nothing has changed then.
  func restore(_ data: [UInt8]) throws

  /// Does what the render thread may not: makes room for more notes, for instance.
  ///
  /// Called off the render thread and while it renders, soon after the renderer asked for it; never twice
  /// at once. It may allocate, and should end within a second or so, for other units may wait.
  func performDeferredWork()

  /// Gets ready for the next cycle. An offline caller waits for it before each, so that nothing its events
  /// need comes late; a realtime caller does not.
  func prepare(for cycle: MIDICycle)

  /// What it has to say of itself, for people. May be asked while it renders.
  var status: [UnitStatus] { get }
}

extension RenderUnit {
  public var latency: Int { 0 }
  public var tail: Int? { nil }
  public var parameters: ParameterStore? { nil }
  public var presets: [Preset] { [] }
  public func save() -> [UInt8] { [] }
  public func restore(_ data: [UInt8]) throws {}
  public func performDeferredWork() {}
  public func prepare(for cycle: MIDICycle) {}
  public var status: [UnitStatus] { [] }
}

/// A number that a unit tells of itself.
public struct UnitStatus: Codable, Equatable, Sendable {
  /// Short, in the plural: "voices", "late notes".
  public let name: String
  public let value: Int

  public init(_ name: String, _ value: Int) {
    self.name = name
    self.value = value
  }
}

/// Makes render units for a port.
public protocol RenderUnitSource: Sendable {
  /// Makes a unit for a format. Realtime: no; it may load files.
  ///
  /// - Parameter format: Already within the limits of ``Format``.
  /// - Throws: ``FormatError`` for a format it cannot follow, or whatever else is wrong, as an error whose
  ///   description is a sentence for the host's user.
  func makeUnit(_ format: Format) throws -> any RenderUnit

  /// Makes a unit for a format, and for how it will be rendered: for those to which that matters.
  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit
}

extension RenderUnitSource {
  public func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    try makeUnit(format)
  }
}

/// How a unit will be rendered.
public struct RenderContext: Equatable, Sendable {
  /// Whether whoever renders waits as long as it takes.
  public var isOffline: Bool
  /// The priority of the thread that renders, under SCHED_FIFO; 0: the ordinary scheduler.
  public var priority: Int

  public init(isOffline: Bool = false, priority: Int = 0) {
    self.isOffline = isOffline
    self.priority = priority
  }
}

/// A procedure and the state it works on, as a render thread can hold them.
///
/// `@unchecked Sendable`: the state belongs to the thread that calls, one at a time.
public struct Renderer: @unchecked Sendable, BitwiseCopyable {
  /// Gets the state, and a pointer to a ``RenderCycle``; returns whether ``RenderUnit/tend()`` should be
  /// called soon. It has to be `@_noLocks`, which a function type cannot say: name a function that is.
  public typealias Procedure =
    @convention(c) (_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool

  public let procedure: Procedure
  public let state: UnsafeMutableRawPointer
  /// Gets the same before ``procedure``, where the caller has time to spare; returns whether all that the cycle
  /// needs is there. If not, it has said what ``RenderUnit/tend()`` is to make. `nil`: nothing is ever missing.
  public let readiness: Procedure?

  public init(
    state: UnsafeMutableRawPointer, _ procedure: @escaping Procedure, readiness: Procedure? = nil
  ) {
    self.state = state
    self.procedure = procedure
    self.readiness = readiness
  }
}

extension UnsafeRawPointer {
  /// The cycle that a renderer's procedure was given.
  public var renderCycle: RenderCycle {
    @_noLocks get { assumingMemoryBound(to: RenderCycle.self).pointee }
  }
}
