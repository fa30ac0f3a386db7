public import CLV2
import LV2Plugins

/// The entry point of the shared object. The host passes the bundle's folder, and so one shared object serves every
/// bundle.
///
/// There is no `lv2_descriptor`, which receives no folder: lilv would prefer it.
@_cdecl("lv2_lib_descriptor") public func lv2_lib_descriptor(
  _ folder: UnsafePointer<CChar>?, _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> UnsafePointer<LV2_Lib_Descriptor>? {
  folder.flatMap { libraryDescriptor(folder: String(cString: $0)) }
}

/// The entry point of the user interfaces.
@_cdecl("lv2ui_descriptor") public func lv2ui_descriptor(
  _ index: UInt32
) -> UnsafePointer<LV2UI_Descriptor>? { windowDescriptor(at: index) }
