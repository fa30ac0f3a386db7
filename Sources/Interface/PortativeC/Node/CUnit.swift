public import CPortative
import CRender
import LocalSystem
import NodeProtocol
import RenderCore

/// Makes units by functions in C.
struct CUnitSource: RenderUnitSource, @unchecked Sendable {
  private let functions: CUnitFunctions
  private let source: UnsafeMutableRawPointer?

  /// - Parameters:
  ///   - functions: The functions of the units.
  ///   - source: The first argument of `make`, which the caller of the library synchronizes.
  init(_ functions: CUnitFunctions, source: UnsafeMutableRawPointer?) {
    self.functions = functions
    self.source = source
  }

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  func makeUnit(_ format: Format, for context: RenderContext) throws -> any RenderUnit {
    try CUnit(functions, source, format, context)
  }
}

/// A `portative_unit`: a unit whose functions are in C.
///
/// `@unchecked Sendable`: `state` is used only by the render thread; the unit in C synchronizes its own data.
final class CUnit: RenderUnit, @unchecked Sendable {
  private let functions: CUnitFunctions
  /// The unit in C; `nil` until it has been made.
  private var unit: UnsafeMutableRawPointer?
  fileprivate private(set) var store = ParameterStore(ParameterTree())
  private var state: UnsafeMutablePointer<CUnitState>?
  private let memory = RenderMemory()

  init(
    _ functions: CUnitFunctions, _ source: UnsafeMutableRawPointer?, _ format: Format,
    _ context: RenderContext
  ) throws {
    self.functions = functions
    var cFormat = portative_format(format)
    var cContext = portative_render_context()
    cContext.size = UInt32(MemoryLayout<portative_render_context>.size)
    cContext.is_offline = context.isOffline
    cContext.priority = Int32(context.priority)
    cContext.unit = OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
    let error = ErrorHandle()
    let made = error.withHandle { functions.make(source, &cFormat, &cContext, $0) }
    guard let made else {
      throw error.reason?.refusal ?? Reason("unitFailed", "it gave no reason")
    }
    unit = made
    store = ParameterStore(try functions.parameters(of: made))
    let state = memory.make(
      CUnitState(functions, made, store.values, channels: format.outputChannels, in: memory))
    state.pointee.reader.cycle.pointee.library = UnsafeMutableRawPointer(state)
    self.state = state
  }

  deinit {
    if let unit { functions.free(unit) }
  }

  var parameters: ParameterStore? { store }

  var renderer: Renderer {
    guard let state else { preconditionFailure("the unit was not made") }
    return Renderer(
      state: UnsafeMutableRawPointer(state), renderCUnit,
      readiness: functions.isReady == nil ? nil : isCUnitReady)
  }

  var latency: Int { Int(functions.fields.latency?(unit) ?? 0) }

  var tail: Int? {
    let tail = functions.fields.tail?(unit) ?? -1
    return tail < 0 ? nil : Int(tail)
  }

  var presets: [Preset] { functions.presets(of: unit) }

  var status: [UnitStatus] { functions.status(of: unit) }

  func save() -> [UInt8] {
    guard let save = functions.fields.save else { return [] }
    let data = DataHandle()
    save(unit, OpaquePointer(Unmanaged.passUnretained(data).toOpaque()))
    return withExtendedLifetime(data) { data.bytes }
  }

  func restore(_ data: [UInt8]) throws {
    guard let restore = functions.fields.restore else { return }
    let error = ErrorHandle()
    let result = data.withUnsafeBufferPointer { bytes in
      error.withHandle { restore(unit, bytes.baseAddress, bytes.count, $0) }
    }
    if result != 0 { throw error.reason ?? Reason("badState", "the unit gave no reason") }
  }

  func performDeferredWork() { functions.fields.perform_deferred_work?(unit) }

  func prepare(for cycle: MIDICycle) {
    guard let prepare = functions.fields.prepare, let state else { return }
    state.pointee.reader.begin(cycle)
    prepare(unit, state.pointee.reader.cycle)
  }
}

/// The render thread's state of a unit in C.
///
/// The unit's functions call back and change ``reader``, so no access to this value lasts while they run.
///
/// Realtime: yes, except creation.
struct CUnitState: BitwiseCopyable {
  fileprivate let unit: UnsafeMutableRawPointer
  fileprivate let procedure: Renderer.Procedure
  fileprivate let readiness: Renderer.Procedure?
  var reader: CycleReader

  init(
    _ functions: CUnitFunctions, _ unit: UnsafeMutableRawPointer, _ values: ParameterValues,
    channels: Int, in memory: RenderMemory
  ) {
    self.unit = unit
    procedure = functions.render
    readiness = functions.isReady
    reader = CycleReader(values, channels: channels, in: memory)
  }
}

@_noLocks private func renderCUnit(
  _ memory: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = memory.assumingMemoryBound(to: CUnitState.self)
  state.pointee.reader.begin(cycle.renderCycle, isRendering: true)
  let asksForWork = unit_render(
    state.pointee.procedure, state.pointee.unit, state.pointee.reader.cycle)
  state.pointee.reader.end()
  return asksForWork
}

@_noLocks private func isCUnitReady(
  _ memory: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = memory.assumingMemoryBound(to: CUnitState.self)
  guard let readiness = state.pointee.readiness else { return true }
  state.pointee.reader.begin(cycle.renderCycle, isRendering: false)
  return unit_render(readiness, state.pointee.unit, state.pointee.reader.cycle)
}

extension portative_format {
  init(_ format: Format) {
    self.init()
    size = UInt32(MemoryLayout<Self>.size)
    sample_rate = UInt32(format.sampleRate)
    input_channels = UInt32(format.inputChannels)
    output_channels = UInt32(format.outputChannels)
    maximum_frames = UInt32(format.maximumFrames)
  }
}

@_cdecl("portative_unit_value")
public func portative_unit_value(_ unit: OpaquePointer!, _ index: UInt32) -> Float {
  let store = unit.object(CUnit.self).store
  return store.tree.parameters.indices.contains(Int(index)) ? store.value(Int(index)) : 0
}

@_cdecl("portative_unit_set_values")
public func portative_unit_set_values(
  _ unit: OpaquePointer!, _ values: UnsafePointer<portative_value>!, _ count: UInt32,
  _ error: OpaquePointer!
) -> CInt {
  status(error) {
    try unit.object(CUnit.self).store.set([String: Float](values, count: count))
  }
}
