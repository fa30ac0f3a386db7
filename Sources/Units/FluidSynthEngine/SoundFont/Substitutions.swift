import CFluidSynth
import RenderCore

/// A list of preset substitutions that a render thread can add to. Its capacity is fixed, and each pair is listed once.
struct Substitutions {
  private struct Pair: BitwiseCopyable {
    var requested: PresetNumber
    var played: PresetNumber
  }

  private let pairs: UnsafeMutablePointer<Pair>
  private var count = 0
  /// The maximum number of listed pairs, enough for every GM program twice. Further pairs are dropped.
  private static var capacity: Int { @_noLocks get { 256 } }

  init(in memory: RenderMemory) {
    pairs = memory.make(Self.capacity, of: Pair(requested: .none, played: .none))
  }

  /// Adds a pair if a channel plays a preset other than the requested one. Call it at the start of each note.
  ///
  /// - Parameter requested: The preset that the last program change selected. FluidSynth's own number contains a bank
  ///   select after it, which has no effect yet.
  @_noLocks mutating func check(_ requested: PresetNumber, _ played: PresetNumber) {
    var requested = requested
    // A drum channel keeps its bank number although it plays from bank 128.
    if played.bank == 128 { requested.bank = 128 }
    guard !(requested == played), count < Self.capacity else { return }
    for i in 0..<count where pairs[i].requested == requested && pairs[i].played == played { return }
    pairs[count] = Pair(requested: requested, played: played)
    count += 1
  }

  var list: [PresetSubstitution] {
    (0..<count).map {
      let (requested, played) = (pairs[$0].requested, pairs[$0].played)
      let replacement = (bank: Int(played.bank), program: Int(played.program))
      return PresetSubstitution(
        bank: Int(requested.bank), program: Int(requested.program),
        replacement: played == .none ? nil : replacement)
    }
  }
}
