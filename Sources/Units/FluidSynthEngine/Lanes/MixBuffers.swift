import CFluidSynth
import CFluidSynthOverrides
import Glibc
import RenderCore

/// The buffers into which the synths of lanes mix their voices, on one thread.
///
/// Every synth of FluidSynth has buffers of its own, of 448 KiB, which do not fit into a processor's cache with many lanes.
/// A call overwrites them before it reads them, as long as all calls have whole blocks. So the synths that a thread
/// renders one after the other use the same buffers, and the lanes read the mix in them directly.
struct MixBuffers: BitwiseCopyable {
  /// In the order of ``MixPointers``.
  fileprivate let blocks: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  var left: UnsafePointer<Double> { @_noLocks get { samples(1) } }
  var right: UnsafePointer<Double> { @_noLocks get { samples(2) } }
  /// What voices send to reverb.
  var reverb: UnsafePointer<Double> { @_noLocks get { samples(3) } }
  var chorus: UnsafePointer<Double> { @_noLocks get { samples(3) + Self.longestCall } }

  /// The number of frames that the library renders at once: its `FLUID_MIXER_MAX_BUFFERS_DEFAULT` blocks.
  fileprivate static var longestCall: Int { @_noLocks get { 8192 } }
  /// The library aligns the buffers by this number of bytes.
  fileprivate static var alignment: Int { 64 }
  /// The number of signals in each block: of one voice, left, right, and two sends left and right.
  fileprivate static let signals = [1, 1, 1, 2, 2]
  /// What separates the buffers, so that their beginnings use different lines of a cache.
  private static let gap = 576

  /// - Parameter frames: The longest call.
  init(frames: Int, in memory: RenderMemory) {
    let starts = Self.signals.reduce(into: [0]) { starts, count in
      starts.append(starts[starts.count - 1] + count * Self.longestCall * 8 + Self.gap)
    }
    let count = Self.signals.count
    // Only the beginnings are used: most of the pages take no memory.
    let reserved: UnsafeMutablePointer<UInt8> = memory.reserve(starts[count] + Self.alignment)
    let first = UnsafeMutableRawPointer(reserved).alignedUp(toMultipleOf: Self.alignment)
    blocks = memory.makeEach(count) { first + starts[$0] }
    for (block, signals) in Self.signals.enumerated() {
      for signal in 0..<signals {
        (first + starts[block] + signal * Self.longestCall * 8)
          .initializeMemory(as: Double.self, repeating: 0, count: frames)
      }
    }
  }

  @_noLocks private func samples(_ block: Int) -> UnsafePointer<Double> {
    UnsafePointer(blocks[block]!.assumingMemoryBound(to: Double.self))
  }
}

/// Where a synth keeps the addresses of its mix buffers.
///
/// FluidSynth has no function for this. The places are found among the memory that it allocates for a new synth:
/// the only pointers to five blocks of certain lengths, in a certain order. ``LibraryCapabilities`` tests whether a
/// synth then renders the same bits.
struct MixPointers: BitwiseCopyable {
  private typealias Place = LaneSynth.Place
  /// A tuple, because a render thread must not retain an array.
  private let places: (Place, Place, Place, Place, Place)

  /// Finds the pointers of a synth.
  ///
  /// - Parameter all: What the library has allocated for the synth.
  init?(among all: LaneSynth.Blocks) {
    let sizes = MixBuffers.signals.map {
      $0 * MixBuffers.longestCall * 8 + MixBuffers.alignment - 1
    }
    var buffers: [UnsafeMutableRawPointer: Int] = [:]
    for one in all where sizes.contains(one.size) { buffers[one.block] = one.size }
    guard buffers.count == sizes.count else { return nil }
    // In the order in which the mixer has the buffers.
    let candidates = LaneSynth.placesOfPointers(to: Set(buffers.keys), in: all).filter { places in
      places.map { buffers[$0.pointee!] } == sizes
    }
    // With several, it is not certain which is the mixer.
    guard candidates.count == 1 else { return nil }
    let found = candidates[0]
    places = (found[0], found[1], found[2], found[3], found[4])
  }

  /// Makes the synth use buffers, which must be valid until it uses others.
  @_noLocks func set(_ buffers: MixBuffers) {
    places.0.pointee = buffers.blocks[0]
    places.1.pointee = buffers.blocks[1]
    places.2.pointee = buffers.blocks[2]
    places.3.pointee = buffers.blocks[3]
    places.4.pointee = buffers.blocks[4]
  }

  /// Must be called before the synth is deleted, which frees what it has.
  func clear() {
    for place in allPlaces { place.pointee = nil }
  }

  /// Frees the buffers that the library has allocated. The pointers are null then.
  func freeBlocks() {
    for place in allPlaces { free(place.pointee) }
    clear()
  }

  private var allPlaces: [Place] { [places.0, places.1, places.2, places.3, places.4] }
}
