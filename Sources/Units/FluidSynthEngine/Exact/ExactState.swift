import CFluidSynth
import RenderCore

/// The data of an exact instrument's render thread.
///
/// Created off the thread, in `ExactState+Preparation.swift`; all other methods are realtime-safe unless stated
/// otherwise. A cycle has four steps: ``plan(_:begin:)`` applies the events and starts notes in idle lanes,
/// ``render(group:frames:)`` renders the lanes of one group, in any order and on any thread, ``endCycle(frames:)`` ends
/// the cycle, and ``mix(_:left:right:stems:)`` sums the groups and runs the effects.
struct ExactState {
  let polyphony: Int
  let maximumFrames: Int
  let capabilities: LibraryCapabilities
  let library: LibraryProbe
  /// The presets that lanes use from their next note on.
  var tables: PresetTables

  /// A synth that receives all messages but notes. It keeps the channel state by FluidSynth's own rules for
  /// resets, banks, parameters, modes and tunings, and the engine reads the state from it. It can therefore
  /// also play notes without a lane, on any channel.
  let controlSynth: OpaquePointer
  /// The control synth as a lane. It is neither in the sounding nor in the idle lanes of a group.
  let overflow: UnsafeMutablePointer<Lane>
  let overflowVoices: VoiceList
  var voiceOwnership: VoiceOwnership
  /// Notes without a lane in the current cycle.
  var notesWithoutLane = 0
  let channels: UnsafeMutablePointer<Channel>
  /// The settings by System Exclusive, and the choice of presets.
  var module: SoundModule
  /// Behind a pointer because lane groups and the mix use it on other threads.
  let masterGain: UnsafeMutablePointer<MasterGain>
  let tunings: Tunings
  /// The channels begin with the revisions 1 to 16.
  var lastRevision: UInt64 = 16
  /// The channels that have changed since ``Engine/readChangedChannels()`` was last called, one bit per channel.
  var changedChannels: UInt16 = 0
  /// The tuning that the unit's parameter sets, in cents.
  var masterTuning: Float = 0
  var lastTuning: UInt32 = 0

  let lanes: UnsafeMutablePointer<Lane>
  /// The number of lanes in use, idle or sounding.
  var laneCount = 0
  let laneCapacity: Int
  let maker: LaneMaker
  let provisioning: UnsafeMutablePointer<LaneProvisioning>
  var forecast: LaneForecast
  let requests: SupplyRequests
  var samples: NoteSamples
  var legatoZones: LegatoZones
  let groups: UnsafeMutablePointer<LaneGroup>
  let groupCount: Int
  /// The threads that render lanes of group 0, which is then the only group, beside the render thread; `nil`: none.
  var helpers: UnsafeMutablePointer<Helpers>?

  /// The first frame of the current cycle.
  var now: Int64 = 0
  /// Behind a pointer because it may mix the previous cycle while this one is planned. `nil` without effects.
  var effectsAdapter: UnsafeMutablePointer<EffectsBlockAdapter>?
  /// The sums of the last cycle before the effects, `maximumFrames` per channel. For tests.
  var tap: UnsafeMutablePointer<Int64>?
  /// The stem of each note, if there are stems.
  var stems: StemTable?
  /// Whether each MIDI channel is a stem, for ``mix(_:from:into:)``.
  let separatesChannels: Bool

  /// Recordings of recurring notes, if the recurrences are known.
  var cache: UnsafeMutablePointer<NoteCache>?

  /// When each note begins and ends, if it is to be recorded.
  var log: NoteLog?

  var statistics = Statistics()
  var substitutions: Substitutions

  /// The statistics with those of the effects.
  var allStatistics: Statistics {
    @_noLocks get {
      var all = statistics
      if let effectsAdapter { all.clippedSends = effectsAdapter.pointee.bus.clippedSamples }
      return all
    }
  }

  /// Marks a channel as changed and gives it a new revision.
  @_noLocks mutating func markChanged(_ channel: UInt8) {
    lastRevision += 1
    changedChannels |= 1 << UInt16(channel)
    channels[Int(channel)].state.revision = lastRevision
  }
}
