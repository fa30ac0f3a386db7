import CFluidSynth
import RenderCore

/// Sends a System Exclusive message to a synth. Realtime: yes.
///
/// - Parameter bytes: The message without F0 and F7; not empty.
/// - Returns: Whether it was a system reset, by whichever GM, GM2, GS or XG message.
@_noLocks @discardableResult func sendSysEx(
  _ bytes: UnsafeBufferPointer<UInt8>, to synth: OpaquePointer
) -> Bool {
  // A canary in an unused generator, which only a system reset clears.
  let canary = Int32(GEN_UNUSED1.rawValue)
  fluid_synth_set_gen(synth, 15, canary, 1)
  let data = UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self)
  fluid_synth_sysex(synth, data, Int32(bytes.count), nil, nil, nil, 0)
  defer { fluid_synth_set_gen(synth, 15, canary, 0) }
  return fluid_synth_get_gen(synth, 15, canary) == 0
}

/// Sends a message of the MIDI tuning standard to a synth, whatever its device ID. Realtime: as `fluid_synth_sysex`.
///
/// - Parameter bytes: The message without F0 and F7; 4 to 512 bytes. The longest is a bulk dump of 407 bytes.
@_noLocks func sendTuning(_ bytes: UnsafeBufferPointer<UInt8>, to synth: OpaquePointer) {
  guard bytes.count <= 512 else { return }
  withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { copy in
    for index in 0..<bytes.count { copy[index] = bytes[index] }
    // FluidSynth compares the ID with a setting whose default depends on the version; 127 is for all devices.
    copy[1] = 0x7F
    let data = copy.baseAddress!.assumingMemoryBound(to: CChar.self)
    fluid_synth_sysex(synth, data, Int32(bytes.count), nil, nil, nil, 0)
  }
}

extension MIDICycle {
  /// The bytes of a System Exclusive message of the cycle.
  @_noLocks func sysExBytes(_ start: UInt32, _ count: UInt32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: sysEx[Int(start)..<Int(start) + Int(count)])
  }
}
