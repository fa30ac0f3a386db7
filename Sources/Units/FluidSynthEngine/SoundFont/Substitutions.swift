import CFluidSynth

/// A list of substitutions that a render thread can add to: of fixed length, each pair once.
struct Substitutions {
  private struct Pair: BitwiseCopyable {
    var asked: PresetNumber
    var played: PresetNumber
  }

  private let pairs: UnsafeMutablePointer<Pair>
  private var count = 0
  /// More than this are not listed: every GM program, twice.
  private static var capacity: Int { @_noLocks get { 256 } }

  /// Realtime: no, it allocates.
  init() {
    pairs = .allocate(capacity: Self.capacity)
    pairs.initialize(
      repeating: Pair(asked: .none, played: .none), count: Self.capacity)
  }

  func destroy() { pairs.deallocate() }

  /// Notes that a note begins on `channel` of `synth`, if its preset is not the one asked for.
  @_noLocks mutating func check(_ synth: OpaquePointer, channel: Int32) {
    var font: Int32 = 0
    var asked = PresetNumber.none
    guard
      fluid_synth_get_program(synth, channel, &font, &asked.bank, &asked.program) == FLUID_OK
    else { return }
    let played = PresetNumber(playedBy: synth, channel: channel)
    // A drum channel keeps the bank number it had, whatever it plays from.
    if played.bank == 128 { asked.bank = 128 }
    guard !(asked == played), count < Self.capacity else { return }
    for i in 0..<count where pairs[i].asked == asked && pairs[i].played == played { return }
    pairs[count] = Pair(asked: asked, played: played)
    count += 1
  }

  var list: [PresetSubstitution] {
    (0..<count).map {
      let (asked, played) = (pairs[$0].asked, pairs[$0].played)
      let replacement = (bank: Int(played.bank), program: Int(played.program))
      return PresetSubstitution(
        bank: Int(asked.bank), program: Int(asked.program),
        replacement: played == .none ? nil : replacement)
    }
  }
}
