import CFluidSynthOverrides
public import RenderCore
import Synchronization

/// FluidSynth with every note on its frame: the exact engine.
///
/// Guarantees, bit for bit, for the dry sound and the effect sends: a note at frame k has the samples of the same note
/// at frame 0, shifted by k; a song is the sum of its parts; and the output does not depend on the division into
/// cycles. ``Lane`` explains how.
///
/// Creation, deallocation, ``reserveLanes(_:)`` and ``supply()`` allocate memory; ``render(_:left:right:)`` does not.
///
/// `@unchecked Sendable`: one thread at a time may use the state behind the pointer to render. Several threads may each
/// render one lane group, while another thread mixes the previous cycle.
public final class ExactInstrument: Instrument, @unchecked Sendable {
  let state: UnsafeMutablePointer<ExactState>
  private let maker: LaneMaker
  let helperThreads: HelperThreads?
  /// Held by the thread that makes or releases lanes.
  private let creationLock = Mutex(())
  /// The frame of the next check for idle lanes. Lanes that were idle since the previous check are released.
  private var nextIdleCheck: Int64 = 0
  private static let idleSeconds = 3.0

  /// Loads the SoundFont, if it is not loaded yet, and creates the effects. ``reserveLanes(_:)`` creates the lanes.
  ///
  /// - Parameter lanePool: The pool that lanes are acquired from and released to. If `nil`, lanes are created and
  ///   destroyed.
  /// - Throws: ``InstrumentError``.
  public init(
    soundFont: SoundFont, settings: InstrumentSettings, lanePool: LanePool? = nil
  ) throws(InstrumentError) {
    try settings.validate()
    let (font, memory) = (try PlayedSoundFont(soundFont, settings), RenderMemory())
    memory.keep(font)
    if let lanePool { memory.keep(lanePool) }
    state = memory.make(
      try ExactState(font, settings: settings, lanePool: lanePool, in: memory))
    maker = state.pointee.lanes.maker
    helperThreads = try state.pointee.lanes.helpers.map { helpers throws(InstrumentError) in
      try HelperThreads(helpers.pointee)
    }
    super.init(settings, font, Engine(state), state.pointee.requests, memory)
  }

  /// Creates an instrument for the SoundFont file at `path`.
  public convenience init(
    soundFont path: String, settings: InstrumentSettings
  ) throws(InstrumentError) {
    try self.init(soundFont: .open(path), settings: settings)
  }

  deinit {
    helperThreads?.stop()
    if maker.hasLanePool { state.pointee.lanes.endAllNotes() }
  }

  /// The measured capabilities of the loaded library.
  public var capabilities: LibraryCapabilities { state.pointee.capabilities }

  /// Ensures that at least `count` more notes can begin on their frames.
  ///
  /// Realtime: no; about 0.3 ms and 0.25 MB per created lane.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  public func reserveLanes(_ count: Int) throws(InstrumentError) {
    // A note that finds no idle lane in its group gets one of another group, so the total is sufficient.
    let perGroup = settings.laneGroups == 1 ? count : count / settings.laneGroups + 1
    try creationLock.withLock { _ throws(InstrumentError) in
      state.pointee.adoptSupplies()
      for group in 0..<settings.laneGroups {
        while state.pointee.lanes.groups[group].idleCount < perGroup {
          if let index = try maker.refill(group: group) {
            state.pointee.lanes.groups[group].addIdle(Int32(index))
          } else if maker.madeCount < maker.capacity {
            try maker.make(group: group)
            state.pointee.adoptSupplies()
          } else {
            break
          }
        }
      }
    }
  }

  /// Releases the lanes that were idle for about ``idleSeconds`` to the pool.
  private func releaseIdleLanes() {
    guard maker.hasLanePool, state.pointee.lanes.now >= nextIdleCheck else { return }
    nextIdleCheck = state.pointee.lanes.now + Int64(Self.idleSeconds * Double(settings.rate))
    creationLock.withLock { _ in
      for group in 0..<settings.laneGroups {
        while let lane = state.pointee.lanes.groups[group].dequeueIdle() {
          maker.release(Int(lane))
        }
      }
    }
  }

  /// Makes what ``Instrument/supply()`` makes, and the lanes that the render thread has requested: about 0.3
  /// ms and 0.25 MB each.
  ///
  /// Call it before the first cycle and whenever ``needsSupply`` is `true`. Notes that begin without a lane
  /// share the voices of one synth, up to 63 frames late, and are counted in ``Statistics/inexactOnsets``.
  public override func supply() throws(InstrumentError) {
    try creationLock.withLock { _ throws(InstrumentError) in
      try maker.makeRequestedLanes(groups: settings.laneGroups)
    }
    try super.supply()
  }

  /// Records notes that recur and plays the recordings instead of rendering the notes again.
  ///
  /// The output is bit-identical; the recordings take memory. Must be called before the first cycle. Realtime: no.
  ///
  /// - Parameters:
  ///   - recurrence: The recurrences of exactly the messages that will be rendered, or of a sequence that
  ///     begins with them.
  ///   - bytes: The maximum size of the recordings in bytes.
  public func keepRecordings(_ recurrence: Recurrence, bytes: Int) {
    keep(recurrence, in: RecordingMemory(bytes: bytes), isShared: false)
  }

  /// Records notes that recur, in memory shared with other instruments. ``prepare(frames:notes:)`` must be
  /// called before each cycle.
  public func keepRecordings(_ recurrence: Recurrence, in memory: RecordingMemory) {
    keep(recurrence, in: memory, isShared: true)
  }

  private func keep(_ recurrence: Recurrence, in recordings: RecordingMemory, isShared: Bool) {
    // A lane that runs its own effects also outputs the tails of earlier notes.
    guard state.pointee.cache == nil, !state.pointee.lanes.groups[0].hasLaneEffects else { return }
    state.pointee.keepRecordings(recurrence, in: recordings, isShared: isShared, memory)
  }

  /// Prepares a cycle offline: reserves lanes and memory for recordings, and releases idle lanes to the
  /// pool. Realtime: no. Must not be called while the instrument renders.
  ///
  /// - Parameters:
  ///   - frames: The length of the cycle.
  ///   - notes: The number of notes that begin in the cycle.
  /// - Throws: ``InstrumentError/outOfMemory``.
  public func prepare(frames: Int, notes: Int) throws(InstrumentError) {
    releaseIdleLanes()
    try reserveLanes(notes)
    reserveNoteSound(frames: frames, notes: notes)
    state.pointee.cache?.pointee.balanceMemory(frames: frames, notes: notes)
  }

  /// The maximum number of stems.
  public static let maximumStems = 128

  /// Separates the dry sound of notes into stems for ``mix(_:left:right:stems:)``. Must be called before
  /// the first cycle and before ``keepSums()``. Realtime: no.
  ///
  /// A note stays in its stem for as long as it sounds, whatever messages it receives. Notes tied by legato
  /// share voices and therefore a stem. The mix is bit-identical to the mix without stems.
  ///
  /// - Parameters:
  ///   - stemOfNote: The stem of each note, 0 to `count` − 1, in the order of the note-ons that will be
  ///     rendered. Further notes go to the rest; see ``mix(_:left:right:stems:)``.
  ///   - count: The number of stems: 1…``maximumStems``. A stem takes 0.26 MB per lane group with cycles of
  ///     8192 frames.
  public func keepStems(_ stemOfNote: [UInt8], count: Int) {
    precondition(1...Self.maximumStems ~= count, "the number of stems must be 1 to 128")
    precondition(stemOfNote.allSatisfy { $0 < count }, "stem out of range")
    guard state.pointee.stems == nil else { return }
    state.pointee.keepStems(StemTable(stemOfNote, count: count, in: memory), in: memory)
  }

  /// The number of stems, without the rest.
  public var stemCount: Int { state.pointee.stems?.count ?? 0 }

  /// Whether reverb and chorus are rendered separately from the dry sound and hence from the stems. If not, no effect
  /// runs, or each lane runs its own effects (see ``LibraryCapabilities``), which are part of its stem.
  public var hasWetReturn: Bool { state.pointee.effectsAdapter != nil }

  /// Records when each note begins, is released and ends; see ``loggedNotes``. Must be called before the first cycle.
  /// Realtime: no.
  ///
  /// - Parameter notes: The number of notes to record, from the first.
  public func keepLog(notes: Int) {
    guard state.pointee.log == nil else { return }
    state.pointee.keepLog(notes: notes, in: memory)
  }

  /// The recorded notes, in the order of their note-ons. Must not be read while the instrument renders.
  public var loggedNotes: [LoggedNote] { state.pointee.loggedNotes }

  /// The recorded notes that monophonic channels returned to, in their order. They are numbered from the number that was
  /// passed to ``keepLog(notes:)``. Must not be read while the instrument renders.
  public var loggedReturns: [LoggedNote] { state.pointee.loggedReturns }

  /// Statistics of the note cache. Must not be read while the instrument renders.
  public var cacheFigures: CacheFigures { state.pointee.cache?.pointee.figures ?? CacheFigures() }

  /// Skips a cycle, so that its events act on later ones, whose dry sound has the same bits as if the cycle had been rendered.
  /// Only before the first rendered cycle.
  ///
  /// Of the notes, only those are rendered that may still sound when ``endSkipping()`` is called. The dry sound is complete from
  /// the second cycle after that on. The effects receive nothing. Realtime: yes.
  ///
  /// - Parameter endsReleased: Whether no modulator of the SoundFont changes how long notes sound after their release.
  @_noLocks public func skip(_ cycle: MIDICycle, endsReleased: Bool) {
    rendering_begin()
    defer { rendering_end() }
    state.pointee.skip(cycle, endsReleased: endsReleased)
  }

  /// Ends skipping before the first cycle that is rendered. Realtime: yes.
  @_noLocks public func endSkipping() {
    rendering_begin()
    defer { rendering_end() }
    if state.pointee.lanes.isSkipping { state.pointee.lanes.endSkipping() }
  }

  /// Applies the events of a cycle: the first of four steps to render a cycle on several threads. Realtime: yes.
  @_noLocks public func plan(_ cycle: MIDICycle) {
    rendering_begin()
    defer { rendering_end() }
    state.pointee.plan(cycle)
  }

  /// Renders one lane group: the second step, called once per group, in parallel if desired. There are
  /// ``InstrumentSettings/threads`` groups. Realtime: yes.
  @_noLocks public func renderGroup(_ group: Int, frames: Int) {
    rendering_begin()
    defer { rendering_end() }
    state.pointee.lanes.render(group: group, frames: frames)
  }

  /// Ends the cycle: the third step, after all groups are rendered and the previous cycle is mixed. Realtime: yes.
  @_noLocks public func endCycle(frames: Int) -> RenderedCycle {
    rendering_begin()
    defer { rendering_end() }
    return state.pointee.endCycle(frames: frames)
  }

  /// Sums the lane groups and runs the effects: the fourth step. It may run on its own thread during the
  /// first two steps of the next cycle. Realtime: yes.
  ///
  /// - Parameters:
  ///   - left: Receives the samples of the cycle; full scale is ±1, not clipped.
  ///   - right: The same for the right channel.
  ///   - stems: Receives left and right of each dry stem, followed by those of the rest: reverb and chorus,
  ///     and notes without a lane, which belong to no stem. Channels are
  ///     ``InstrumentSettings/maximumFrames`` apart. `nil` if stems are not needed.
  @_noLocks public func mix(
    _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    stems: UnsafeMutablePointer<Float>? = nil
  ) {
    rendering_begin()
    defer { rendering_end() }
    state.pointee.mix(cycle, left: left, right: right, stems: stems)
  }
}

extension ExactInstrument {
  /// Returns the load of a lane group as a number of voices, without its handicap. Only between cycles.
  public func load(ofGroup group: Int) -> Int {
    state.pointee.lanes.groups[group].load - state.pointee.lanes.groups[group].handicap
  }

  /// Adds a number of voices to the load of a lane group, so that it gets fewer notes because its thread
  /// has other work. Only between cycles.
  public func setHandicap(_ voices: Int, ofGroup group: Int) {
    state.pointee.lanes.groups[group].handicap = voices
  }

  /// Keeps the fixed-point sums of every cycle for ``withSums(frames:_:)``. Realtime: no.
  public func keepSums() {
    guard state.pointee.tap == nil else { return }
    state.pointee.tap = memory.make(tapChannels * settings.maximumFrames, of: 0)
  }

  /// The number of channels of sums.
  private var tapChannels: Int { state.pointee.lanes.groups[0].sums.channelCount }

  /// Calls `body` with the sums of the last cycle in units of ``FixedPoint/scale``: left, right, reverb
  /// send, chorus send; then left and right of each stem, and of the rest.
  ///
  /// - Precondition: ``keepSums()`` was called before the cycle.
  public func withSums<Result>(
    frames: Int, _ body: ([UnsafeBufferPointer<Int64>]) -> Result
  ) -> Result {
    guard let tap = state.pointee.tap else { preconditionFailure("keepSums() was not called") }
    return body(
      (0..<tapChannels).map {
        UnsafeBufferPointer(start: tap + $0 * settings.maximumFrames, count: frames)
      })
  }
}

extension InstrumentSettings {
  /// Checks that every value is in its range.
  ///
  /// - Throws: ``InstrumentError/rateOutOfRange(_:)``, ``InstrumentError/settingOutOfRange(name:value:range:)``,
  ///   ``InstrumentError/noSuchReverbEngine(_:available:)``.
  public func validate() throws(InstrumentError) {
    guard Self.rates.contains(rate) else { throw .rateOutOfRange(rate) }
    if reverbEngine != nil { try ReverbEngines.available.check(reverbEngine) }
    try check("gain", gain, in: 0...10)
    try check("polyphony", polyphony, in: 1...4096)
    try check("maximumFrames", maximumFrames, in: 1...65_536)
    try check("threads", threads, in: 1...64)
    if let preset {
      try check("preset.bank", preset.bank, in: 0...16_383)
      try check("preset.program", preset.program, in: 0...127)
    }
    try check("overflowVoices", overflowVoices, in: 1...4096)
  }

  private func check<Value: Comparable>(
    _ name: String, _ value: Value, in range: ClosedRange<Value>
  ) throws(InstrumentError) {
    guard range.contains(value) else {
      throw .settingOutOfRange(
        name: name, value: "\(value)", range: "\(range.lowerBound) to \(range.upperBound)")
    }
  }
}

// The dry sound of each note, apart from all others.
extension ExactInstrument {
  /// Keeps the dry sound of each note of a cycle, as it is before it is added to the mix, for
  /// ``forEachNoteBlock(_:)``. Must be called after ``keepLog(notes:)`` and before the first cycle, of which each must
  /// be prepared with ``prepare(frames:notes:)``. Realtime: no.
  public func keepNoteSound() {
    state.pointee.lanes.forEachGroup { group in
      guard group.noteSound == nil else { return }
      let sound = memory.make(NoteSound())
      memory.onRelease { sound.pointee.destroy() }
      group.noteSound = sound
    }
  }

  /// Makes room for the sound of a cycle.
  private func reserveNoteSound(frames: Int, notes: Int) {
    var lanes = notes
    state.pointee.lanes.forEachGroup { lanes += $0.soundingCount }
    // The last block of a note may extend beyond the cycle, and a lane may begin a second note in it.
    let blocks = lanes * (frames / Lane.blockFrames + 3)
    state.pointee.lanes.forEachGroup { $0.noteSound?.pointee.reserve(blocks) }
  }

  /// Calls `body` with the sound of the last cycle. The blocks of one note are in their order, and continue those of
  /// the cycle before. The sums of all blocks, in fixed point, are the dry mix of the notes. Realtime: no.
  public func forEachNoteBlock(_ body: (NoteBlock) -> Void) {
    guard let log = state.pointee.log else { return }
    state.pointee.lanes.forEachGroup { group in
      guard let sound = group.noteSound?.pointee else { return }
      precondition(!sound.isIncomplete, "the memory for the sound of notes is too small")
      for index in 0..<sound.count { body(sound.block(index, log)) }
    }
  }
}
