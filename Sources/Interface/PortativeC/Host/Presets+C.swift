import LocalSystem
public import CPortative
import RenderCore

/// A `portative_presets`.
final class PresetsHandle {
  private let memory = CMemory()
  let presets: [UnsafePointer<portative_preset>]

  init(_ presets: [Preset]) {
    let memory = memory
    self.presets = presets.compactMap { memory.array([portative_preset($0, in: memory)]) }
  }

  /// A handle that belongs to the owner of this object.
  var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }
}

@c @implementation
public func portative_presets_free(_ presets: OpaquePointer!) { release(presets) }

@c @implementation
public func portative_presets_count(_ presets: OpaquePointer!) -> UInt32 {
  UInt32(presets.object(PresetsHandle.self).presets.count)
}

@c @implementation
public func portative_presets_get(
  _ presets: OpaquePointer!, _ index: UInt32
) -> UnsafePointer<portative_preset>! {
  presets.object(PresetsHandle.self).presets[at: index]
}
