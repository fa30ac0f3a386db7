import Synchronization

/// Makes units that can be silenced. A unit that cannot do so itself is made again.
package struct SilenceableSource: RenderUnitSource {
  private let source: any RenderUnitSource

  package init(_ source: any RenderUnitSource) { self.source = source }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  package func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    if unit is any SilenceableUnit { return unit }
    return RemadeUnit(ReplaceableUnit(unit, format, isOffline: use.isOffline)) { [source] in
      try source.makeUnit(format, for: use)
    }
  }
}

/// A unit that is made again in order to silence it.
final class RemadeUnit: SilenceableUnit {
  private let unit: ReplaceableUnit
  private let make: @Sendable () throws -> any RenderUnit

  /// Only one thread at a time may make a unit.
  private let remaking = Mutex(())

  fileprivate init(
    _ unit: ReplaceableUnit, _ make: @escaping @Sendable () throws -> any RenderUnit
  ) {
    self.unit = unit
    self.make = make
  }

  func silence() throws {
    try remaking.withLock { _ in
      let new = try make()
      let files = Dictionary(unit.files.map { ($0.identifier, $0.file) }) { $1 }
      try new.restore(unit.save(), files: files)
      try unit.replace(with: new)
    }
  }

  var renderer: Renderer { unit.renderer }
  var latency: Int { unit.latency }
  var tail: Int? { unit.tail }
  var parameters: ParameterStore? { unit.parameters }
  var presets: [Preset] { unit.presets }
  var status: [UnitStatus] { unit.status }
  var files: [UnitFile] { unit.files }
  func save() -> [UInt8] { unit.save() }
  func restore(_ data: [UInt8]) throws { try unit.restore(data) }
  func restore(_ data: [UInt8], files: [String: FileReference]) throws {
    try unit.restore(data, files: files)
  }
  func performDeferredWork() { unit.performDeferredWork() }
  func prepare(for cycle: MIDICycle) { unit.prepare(for: cycle) }
}
