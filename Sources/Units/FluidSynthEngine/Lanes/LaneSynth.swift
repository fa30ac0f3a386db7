import CFluidSynth
import CFluidSynthOverrides

/// A synth of a lane, without the memory that it can share with others. Realtime: no.
struct LaneSynth {
  let synth: OpaquePointer
  /// `nil` if they were not found: the synth has buffers of its own then.
  let mixPointers: MixPointers?
  /// The same.
  let reverbLines: IdleReverbLines?

  /// Creates a synth.
  ///
  /// - Parameter mayRunReverb: Whether its reverb may ever run; it then keeps its own memory.
  init(_ settings: OpaquePointer, mayRunReverb: Bool) throws(InstrumentError) {
    guard library_allocations_watch() else {
      synth = try newSynth(settings, mayRunReverb: mayRunReverb)
      (mixPointers, reverbLines) = (nil, nil)
      return
    }
    let noted = UnsafeMutableBufferPointer<library_allocation>.allocate(capacity: Self.capacity)
    defer { noted.deallocate() }
    library_allocations_begin(noted.baseAddress, Self.capacity)
    do throws(InstrumentError) {
      synth = try newSynth(settings, mayRunReverb: mayRunReverb)
    } catch {
      _ = library_allocations_end()
      throw error
    }
    let count = library_allocations_end()
    let blocks = count <= Self.capacity ? noted[..<count] : noted[..<0]
    mixPointers = MixPointers(among: blocks)
    reverbLines = mayRunReverb ? nil : IdleReverbLines(among: blocks)
    mixPointers?.freeBlocks()
    reverbLines?.share()
  }

  /// Deletes the synth.
  func delete() {
    // The library frees what the pointers point to.
    mixPointers?.clear()
    reverbLines?.clear()
    delete_fluid_synth(synth)
  }

  /// The blocks of memory that a synth allocates.
  typealias Blocks = Slice<UnsafeMutableBufferPointer<library_allocation>>

  /// A new synth of a lane has about 300 blocks of memory.
  private static let capacity = 4096
}
