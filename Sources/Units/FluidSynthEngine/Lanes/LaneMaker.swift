import CFluidSynth
import CFluidSynthOverrides
import RenderCore
import Synchronization

/// Creates lanes, at indices of the table that the render thread does not use yet.
///
/// Threads: one at a time; it need not be the render thread.
struct LaneMaker {
  let lanes: UnsafeMutablePointer<Lane>
  let capacity: Int
  let provisioning: UnsafeMutablePointer<LaneProvisioning>
  /// Shared by all lanes, to save memory.
  let librarySettings: OpaquePointer
  /// The pool that lanes are acquired from and released to; if `nil`, they are created and destroyed.
  private let lanePool: Unmanaged<LanePool>?
  private let kind: LanePool.Kind
  /// The sends that lanes output; none if they run their own effects.
  let sends: Effects
  /// The presets of new lanes.
  let tables: PresetTables

  /// Creates the table of lanes, which is empty. `memory` releases the lanes.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of lanes.
  ///   - first: The number of lanes to make at first, on request.
  ///   - settings: The settings of all lanes.
  ///   - sharesMixBuffers: Whether the synths of lanes use the mix buffers of their group.
  ///   - lanePool: Must outlive the lanes.
  init(
    capacity: Int, requesting first: Int = 0, settings: SynthSettings, sends: Effects,
    tables: PresetTables,
    sharesMixBuffers: Bool = false, lanePool: LanePool? = nil, in memory: RenderMemory
  ) throws(InstrumentError) {
    kind = LanePool.Kind(
      settings: settings, sends: sends, sharesMixBuffers: sharesMixBuffers)
    librarySettings =
      if let lanePool { try lanePool.librarySettings(of: kind) } else {
        try makeLibrarySettings(settings)
      }
    self.lanePool = lanePool.map(Unmanaged.passUnretained)
    lanes = memory.reserve(capacity)
    provisioning = memory.make(LaneProvisioning(requesting: first))
    self.capacity = capacity
    self.sends = sends
    self.tables = tables
    let maker = self
    memory.onRelease { maker.destroy() }
  }

  var hasLanePool: Bool { lanePool != nil }
  var madeCount: Int { provisioning.pointee.madeCount.load(ordering: .acquiring) }

  /// Appends a lane for a group, from the pool or newly created. The table must not be full.
  func make(group: Int) throws(InstrumentError) {
    try fill(madeCount, group: group)
    provisioning.pointee.madeCount.store(madeCount + 1, ordering: .releasing)
  }

  /// Puts a lane for a group at a vacant index. Must not be called during rendering.
  ///
  /// - Returns: The index; `nil` if none is vacant.
  func refill(group: Int) throws(InstrumentError) -> Int? {
    guard let index = provisioning.pointee.vacantIndices.last else { return nil }
    try fill(index, group: group)
    provisioning.pointee.vacantIndices.removeLast()
    return index
  }

  private func fill(_ index: Int, group: Int) throws(InstrumentError) {
    if tables.only == nil, var lane = lanePool?.takeUnretainedValue().acquire(kind) {
      lane.attach(group: Int32(group), tables: tables)
      (lanes + index).initialize(to: lane)
    } else {
      let lane = try Lane(group: Int32(group), sends: sends, tables: tables) {
        memory throws(InstrumentError) in try makeSynth(in: memory)
      }
      lanePool?.takeUnretainedValue().recordNewLane()
      (lanes + index).initialize(to: lane)
    }
  }

  private func makeSynth(
    in memory: RenderMemory
  ) throws(InstrumentError) -> (OpaquePointer, MixPointers?) {
    let mayRunReverb = kind.settings.effects.reverb
    guard kind.sharesMixBuffers else {
      let synth = try newSynth(librarySettings, mayRunReverb: mayRunReverb)
      memory.onRelease { delete_fluid_synth(synth) }
      return (synth, nil)
    }
    let made = try LaneSynth(librarySettings, mayRunReverb: mayRunReverb)
    memory.onRelease { made.delete() }
    return (made.synth, made.mixPointers)
  }

  /// Makes the lanes that the render thread has requested, for the groups in turn.
  func makeRequestedLanes(groups: Int) throws(InstrumentError) {
    while madeCount < min(provisioning.pointee.requestedCount.load(ordering: .relaxed), capacity) {
      try make(group: madeCount % groups)
    }
  }

  /// Destroys a lane, or releases it to the pool. The lane must be silent. Must not be called during rendering.
  func release(_ index: Int) {
    if let lanePool {
      lanePool.takeUnretainedValue().release(lanes[index], kind)
    } else {
      lanes[index].destroy()
    }
    provisioning.pointee.vacantIndices.append(index)
  }

  private func destroy() {
    let vacantIndices = Set(provisioning.pointee.vacantIndices)
    for index in 0..<madeCount where !vacantIndices.contains(index) { release(index) }
    if !hasLanePool { delete_fluid_settings(librarySettings) }
  }
}
