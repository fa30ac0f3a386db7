import CFluidSynth
import RenderCore

/// All that the render thread of an exact instrument works on.
///
/// Made off the thread, in `ExactState+Preparation.swift`; everything else here is realtime. A cycle has three steps: **plan** follows the events and wakes lanes, **render** runs each
/// pool's lanes, in any order and on any threads, and **finish** adds up and runs the effects.
struct ExactState {
  let polyphony: Int
  let maximumFrames: Int
  let capabilities: LibraryCapabilities
  let library: LibraryProbe
  /// What lanes that wake play from.
  var tables: PresetTables

  /// A synth that receives everything but notes: it keeps the channels by FluidSynth's own rules for
  /// resets, banks, parameters, modes and tunings, and we read them there. So it can also play, on any
  /// channel, notes that find no lane.
  let controlSynth: OpaquePointer
  /// The director as a lane; never among those that wait or sound.
  let overflow: UnsafeMutablePointer<Lane>
  /// Where `fluid_synth_get_voicelist` writes the director's voices: one more than it has.
  let overflowVoices: UnsafeMutablePointer<OpaquePointer?>
  let overflowPolyphony: Int32
  var takenVoices: VoiceOwnership
  /// Notes that found no lane in the cycle in progress.
  var laneless = 0
  let channels: UnsafeMutablePointer<Channel>
  let tunings: Tunings
  var lastRevision: UInt64 = 1
  /// Channels that have changed since somebody last asked, a bit each.
  var touched: UInt16 = 0
  /// By how many cents everything is tuned up.
  var masterTuning: Float = 0
  var lastTuning: UInt32 = 0

  let lanes: UnsafeMutablePointer<Lane>
  /// Lanes in use: those that wait and those that sound.
  var laneCount = 0
  let laneCapacity: Int
  let maker: LaneMaker
  let supply: UnsafeMutablePointer<LaneProvisioning>
  var demand: LaneForecast
  let presetSupply: UnsafeMutablePointer<PresetRequests>
  let pools: UnsafeMutablePointer<LaneGroup>
  let poolCount: Int

  /// The first frame of the cycle in progress.
  var now: Int64 = 0
  /// Apart, for it may be mixing the last cycle while this one is planned. `nil` without effects.
  var wet: UnsafeMutablePointer<EffectsBlockAdapter>?
  /// The sums of the last cycle, before the effects; `maximumFrames` each. For the tests of the laws.
  var tap: UnsafeMutablePointer<Int64>?
  /// Which note belongs to which stem, where stems are kept.
  var stems: StemTable?

  /// Recordings of notes that come again, where the future is known.
  var cache: UnsafeMutablePointer<NoteCache>?

  /// Notes whose samples are not in memory yet.
  var waiting = WaitingNotes()

  var statistics = Statistics()
  var substitutions = Substitutions()

  /// Marks a channel as changed.
  @_noLocks mutating func touch(_ channel: UInt8) {
    lastRevision += 1
    touched |= 1 << UInt16(channel)
    channels[Int(channel)].revision = lastRevision
  }
}
