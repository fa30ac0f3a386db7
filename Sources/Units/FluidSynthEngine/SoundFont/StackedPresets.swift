import CFluidSynth

/// Two SoundFonts as one for FluidSynth: the presets of the first, and those of the second that the first does not have.
struct StackedPresets: BitwiseCopyable {
  private let upper: OpaquePointer
  private let lower: OpaquePointer

  /// Returns a SoundFont that stacks two, which must outlive it. ``free(_:)`` frees it. Realtime: no.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  static func make(
    _ upper: OpaquePointer, over lower: OpaquePointer
  ) throws(InstrumentError) -> OpaquePointer {
    guard let font = new_fluid_sfont(stackName, stackedPreset, nil, nil, deleteStack) else {
      throw .outOfMemory
    }
    let stack = UnsafeMutablePointer<StackedPresets>.allocate(capacity: 1)
    stack.initialize(to: StackedPresets(upper: upper, lower: lower))
    fluid_sfont_set_data(font, stack)
    return font
  }

  static func free(_ font: OpaquePointer) {
    fluid_sfont_get_data(font)?.assumingMemoryBound(to: StackedPresets.self).deallocate()
    delete_fluid_sfont(font)
  }

  @_noLocks fileprivate static func of(_ font: OpaquePointer?) -> StackedPresets? {
    fluid_sfont_get_data(font)?.assumingMemoryBound(to: StackedPresets.self).pointee
  }

  @_noLocks fileprivate func preset(_ bank: Int32, _ program: Int32) -> OpaquePointer? {
    if let preset = fluid_sfont_get_preset(upper, bank, program) { return preset }
    return fluid_sfont_get_preset(lower, bank, program)
  }

  fileprivate var name: UnsafePointer<CChar>? { fluid_sfont_get_name(upper) }
}

@_noLocks @c private func stackedPreset(
  _ font: OpaquePointer?, bank: Int32, program: Int32
) -> OpaquePointer? {
  StackedPresets.of(font)?.preset(bank, program)
}

@c private func stackName(_ font: OpaquePointer?) -> UnsafePointer<CChar>? {
  StackedPresets.of(font)?.name
}

@c private func deleteStack(_ font: OpaquePointer?) -> Int32 { 0 }
