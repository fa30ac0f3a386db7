/// A MIDI channel as the engine follows it: what its notes hear, and what they do to each other.
struct Channel {
  let state: UnsafeMutablePointer<ChannelState>
  /// Changes with `state`; never used twice, not by another channel either.
  var revision: UInt64 = 1

  /// Whether it receives at all: in some mono modes a channel's neighbours are shut.
  var isEnabled = true
  /// Whether a mode message made it monophonic.
  var isMonoMode = false
  /// The lane in which the channel's chain of legato notes goes on; −1 when there is none.
  var chain: Int32 = -1

  /// The key of the last note, from which portamento may glide.
  var lastKey: UInt8 = 0
  var isLastKeyDown = false
  /// Whether portamento may begin at the last key after it was released; only with a library that
  /// ``LibraryProbe/glidesOnEveryNote``.
  var isLastKeyKept = false

  /// Keys that are down of its notes in the overflow.
  var overflowHeld = KeySet()
  /// Whether the last of those was monophonic.
  var isOverflowMono = false

  /// The preset whose samples were asked for last.
  var requested = PresetNumber.unknown

  /// Whether data entry goes to a non-registered parameter.
  var isNRPN = false
  /// The bank that a tuning program change will use.
  var tuningBank: Int32 = 0
  /// The tuning in force, when `state.tuning` is not 0.
  var tuning: PresetNumber

  init(_ library: LibraryProbe) {
    tuning = Self.firstTuning(library)
    state = .allocate(capacity: 1)
    state.initialize(to: ChannelState())
  }

  /// The tuning of a new channel.
  @_noLocks static func firstTuning(_ library: LibraryProbe) -> PresetNumber {
    library.hasDefaultTuning ? PresetNumber(bank: 0, program: 0) : .none
  }

  func destroy() { state.deallocate() }

  /// Whether its notes make chains: by its mode, or by the legato pedal.
  var isMono: Bool {
    @_noLocks get { isMonoMode || state.pointee.controllers[Int(Controller.legato)] >= 64 }
  }

  @_noLocks func isDown(_ pedal: UInt8) -> Bool { state.pointee.controllers[Int(pedal)] >= 64 }
}
