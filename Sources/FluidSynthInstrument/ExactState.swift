import CFluidSynth
import RenderCore

/// All that the render thread of an exact instrument works on.
///
/// Made and grown off the thread, in `ExactState+Preparation.swift`; everything else here is
/// realtime. A cycle has three steps: **plan** follows the events and wakes lanes, **render** runs each
/// pool's lanes, in any order and on any threads, and **finish** adds up and runs the effects.
struct ExactState {
  let polyphony: Int
  let maximumFrames: Int
  let footing: Footing
  /// What lanes that wake play from.
  let tables: PresetTables

  /// A synth without voices that receives everything but notes: it keeps the channels by FluidSynth's
  /// own rules for resets, banks, parameters, modes and tunings, and we read them there.
  let director: OpaquePointer
  let channels: UnsafeMutablePointer<Channel>
  let tunings: Tunings
  var lastRevision: UInt64 = 1
  var lastTuning: UInt32 = 0

  let lanes: UnsafeMutablePointer<Lane>
  var laneCount = 0
  let laneCapacity: Int
  let pools: UnsafeMutablePointer<LanePool>
  let poolCount: Int

  /// The first frame of the cycle in progress.
  var now: Int64 = 0
  /// Apart, for it may be mixing the last cycle while this one is planned. `nil` without effects.
  var wet: UnsafeMutablePointer<WetLine>?
  /// Left, right, reverb send, chorus send of the last cycle, before the effects; `maximumFrames`
  /// each. For stems and for the tests of the laws.
  var tap: UnsafeMutablePointer<Int64>?

  var statistics = Statistics()
  var substitutions = Substitutions()

  /// Marks a channel as changed.
  @_noLocks mutating func touch(_ channel: UInt8) {
    lastRevision += 1
    channels[Int(channel)].revision = lastRevision
  }
}
