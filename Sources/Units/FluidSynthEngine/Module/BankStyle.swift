import RenderCore

/// How bank selects and System Exclusive messages choose the presets of an instrument.
public enum BankStyle: String, Sendable, CaseIterable, BitwiseCopyable {
  /// The style of the song's last GM, GM2, GS or XG reset; `gs` before the first.
  case auto
  /// Controller 0 is the bank. Parts are made rhythm parts by a message; channel 10 is one.
  case gs
  /// Bank selects have no effect; channel 10 is the rhythm part.
  case gm
  /// Controller 0 is 121 for melody, with the bank in controller 32, or 120 for rhythm.
  case gm2
  /// Controller 0 is 126 or 127 for rhythm; 64 is the bank of sound effects; otherwise controller 32 is the bank.
  case xg
  /// The bank is 128 times controller 0 plus controller 32; channel 10 is the rhythm part.
  case mma
  /// FluidSynth receives every message as it is. The result depends on its version.
  case library

  @_noLocks init(after system: SystemExclusive.System?) {
    switch system {
    case nil, .gs: self = .gs
    case .gm: self = .gm
    case .gm2: self = .gm2
    case .xg: self = .xg
    }
  }
}
