public import CPortative
import LocalSystem

/// A `portative_presets`.
typealias PresetList = CList<portative_preset>

@_cdecl("portative_presets_free")
public func portative_presets_free(_ presets: OpaquePointer!) { release(presets) }

@_cdecl("portative_presets_count")
public func portative_presets_count(_ presets: OpaquePointer!) -> UInt32 {
  presets.object(PresetList.self).count
}

@_cdecl("portative_presets_get")
public func portative_presets_get(
  _ presets: OpaquePointer!, _ index: UInt32
) -> UnsafePointer<portative_preset>! {
  presets.object(PresetList.self)[index]
}
