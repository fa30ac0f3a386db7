/// A unit that behaves as another one, except for what it defines itself.
package protocol UnitWrapper: RenderUnit {
  var wrapped: any RenderUnit { get }
}

extension UnitWrapper {
  package var renderer: Renderer { wrapped.renderer }
  package var latency: Int { wrapped.latency }
  package var tail: Int? { wrapped.tail }
  package var parameters: ParameterStore? { wrapped.parameters }
  package var presets: [Preset] { wrapped.presets }
  package var status: [UnitStatus] { wrapped.status }
  package var files: [UnitFile] { wrapped.files }
  package func save() -> [UInt8] { wrapped.save() }
  package func restore(_ data: [UInt8]) throws { try wrapped.restore(data) }
  package func restore(_ data: [UInt8], files: [String: FileReference]) throws {
    try wrapped.restore(data, files: files)
  }
  package func performDeferredWork() { wrapped.performDeferredWork() }
  package func prepare(for cycle: MIDICycle) { wrapped.prepare(for: cycle) }
}
