import CFluidSynthOverrides
import Glibc

/// Where a synth keeps the addresses of the delay lines of its reverb, which never runs.
///
/// The lines are a third of a lane's memory. FluidSynth fills them with a constant when it creates or resets a synth, and uses
/// them otherwise only while the reverb runs. So the lines of all such synths can be the same memory.
///
/// FluidSynth has no function for this. The lines are found among the memory that it allocates for a new synth by the
/// constant, and the places by the addresses of the lines. FluidSynth 2.6 allocates them in another way, and keeps them.
struct IdleReverbLines {
  private let places: [LaneSynth.Place]

  /// What FluidSynth adds to the samples of a line against denormal numbers.
  private static var offset: Double { Double(Float(1e-8)) }
  /// The number of bytes in a line of any rate is less: the longest, at 96 kHz, has 38 kB.
  private static let capacity = 65_536

  /// All lines point to it. Threads write the same constant to it when they create or reset synths.
  private nonisolated(unsafe) static let shared: UnsafeMutableRawPointer = {
    let line = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    line.initializeMemory(
      as: Double.self, repeating: offset, count: capacity / MemoryLayout<Double>.stride)
    return line
  }()

  /// Finds the lines of a synth.
  ///
  /// - Parameter blocks: What the library has allocated for the synth.
  init?(among blocks: LaneSynth.Blocks) {
    let lines: Set<UnsafeMutableRawPointer> = Set(blocks.filter(Self.isLine).map { $0.block })
    let candidates = LaneSynth.placesOfPointers(to: lines, in: blocks).filter(Self.areInStructures)
    // With several, it is not certain which is the reverb.
    guard candidates.count == 1 else { return nil }
    places = candidates[0]
  }

  /// Whether places can be members of an array of structures, as the reverb has them. Lists of addresses, of which memory
  /// that was used before may have remains, have them in other distances.
  private static func areInStructures(_ places: [LaneSynth.Place]) -> Bool {
    let distances = Set(zip(places, places.dropFirst()).map { $1 - $0 })
    return distances.count == 1 && distances.first! >= 4
  }

  private static func isLine(_ block: library_allocation) -> Bool {
    let count = block.size / MemoryLayout<Double>.stride
    guard count > 64, block.size <= capacity else { return false }
    let samples = block.block.assumingMemoryBound(to: Double.self)
    return (0..<count).allSatisfy { samples[$0] == offset }
  }

  /// Frees the lines, and lets the synth use those that all synths share.
  func share() {
    for place in places {
      free(place.pointee)
      place.pointee = Self.shared
    }
  }

  /// Must be called before the synth is deleted, which frees its lines.
  func clear() {
    for place in places { place.pointee = nil }
  }
}
