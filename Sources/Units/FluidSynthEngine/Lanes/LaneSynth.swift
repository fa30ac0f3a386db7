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
  /// Where an address is stored.
  typealias Place = UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// Returns the places with the addresses of `targets`, in each block that has each address once. There may be several
  /// such blocks, because a block may have the contents of an earlier one.
  ///
  /// - Parameter blocks: What the library has allocated for the synth, and has filled.
  static func placesOfPointers(
    to targets: Set<UnsafeMutableRawPointer>, in blocks: Blocks
  ) -> [[Place]] {
    guard let first = targets.min(), let last = targets.max() else { return [] }
    return blocks.compactMap { block in
      if targets.contains(block.block) { return nil }
      let words = block.block.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
      let count = block.size / MemoryLayout<UnsafeMutableRawPointer?>.size
      // Not a look at the set for each of several thousand words.
      let places = (0..<count).filter { words[$0].map { (first...last).contains($0) } ?? false }
        .filter { targets.contains(words[$0]!) }
      let found = Set(places.map { words[$0]! })
      return places.count == targets.count && found == targets ? places.map { words + $0 } : nil
    }
  }

  /// A new synth of a lane has about 300 blocks of memory.
  private static let capacity = 4096
}
