public import RenderCore
import Synchronization

/// FluidSynth with every note on its frame: the exact engine.
///
/// Laws, for the dry sound and the effect sends, bit for bit: a note at frame k gives the samples of
/// the same note at frame 0, shifted by k; a song gives the sum of its parts; and the cutting into
/// cycles changes nothing. ``Lane`` says how.
///
/// Making it, dropping it, ``reserveLanes(_:)`` and ``supply()`` allocate; ``render(_:left:right:)``
/// does not.
///
/// `@unchecked Sendable`: the state behind the pointer belongs to whoever renders, one thread at a
/// time; several may render one pool each, and one more may mix the cycle before.
public final class ExactInstrument: @unchecked Sendable {
  let state: UnsafeMutablePointer<ExactState>
  /// What a unit's render thread calls.
  package var engine: Engine { Engine(state) }
  public let settings: InstrumentSettings

  private let soundFont: PlayedSoundFont
  private let maker: LaneMaker
  /// Kept for as long as lanes of it are here.
  private let shelf: LanePool?
  private let presetSupply: UnsafeMutablePointer<PresetRequests>
  private var scout: SampleLoader?
  private let samples: SampleTable?
  /// One thread at a time makes lanes.
  private let making = Mutex(())
  /// The frame at which lanes are put away that were idle since the time before.
  private var nextTidying: Int64 = 0
  private static let tidyingSeconds = 3.0

  /// Loads the SoundFont, if it is not loaded yet, and makes the effects; lanes are made by
  /// ``reserveLanes(_:)``.
  ///
  /// - Parameter shelf: Where lanes come from and go to; `nil`: they are made and freed.
  /// - Throws: ``InstrumentError``.
  public init(
    soundFont: SoundFont, settings: InstrumentSettings, shelf: LanePool? = nil
  ) throws(InstrumentError) {
    try settings.validate()
    self.settings = settings
    self.soundFont = try PlayedSoundFont(soundFont, settings)
    self.shelf = shelf
    let state = try ExactState(
      tables: self.soundFont.tables, settings: settings, shelf: shelf)
    maker = state.maker
    presetSupply = state.presetSupply
    scout = try SampleLoader(for: self.soundFont.tables)
    samples = self.soundFont.tables.samples
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
  }

  /// The same, with the SoundFont at a path.
  public convenience init(
    soundFont path: String, settings: InstrumentSettings
  ) throws(InstrumentError) {
    try self.init(soundFont: .open(path), settings: settings)
  }

  deinit {
    // Before the SoundFont: synths must not outlive what they play from.
    scout = nil
    state.pointee.destroy()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// What it has done so far.
  public var statistics: Statistics {
    @_noLocks get {
      var statistics = state.pointee.statistics
      if let wet = state.pointee.wet {
        statistics.clippedSends = wet.pointee.stage.clippedSamples
      }
      return statistics
    }
  }

  /// What the library at hand was found to do.
  public var capabilities: LibraryCapabilities { state.pointee.capabilities }

  /// Presets that notes asked for and did not get. Not while it renders.
  public var substitutions: [PresetSubstitution] { state.pointee.substitutions.list }

  /// Makes sure that `count` more notes can begin on their frames. Realtime: no, about 0.3 ms and
  /// 0.4 MB per lane made.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  public func reserveLanes(_ count: Int) throws(InstrumentError) {
    // A pool that has no lane waiting passes its note on to one that has: in all there are enough.
    let share = settings.threads == 1 ? count : count / settings.threads + 1
    try making.withLock { _ throws(InstrumentError) in
      state.pointee.takeSupplies()
      for pool in 0..<settings.threads {
        while state.pointee.pools[pool].waitingCount < share {
          if let place = try maker.refill(pool: pool) {
            state.pointee.pools[pool].addWaiting(Int32(place))
          } else if maker.made < maker.capacity {
            try maker.make(pool: pool)
            state.pointee.takeSupplies()
          } else {
            break
          }
        }
      }
    }
  }

  /// Puts lanes back on the shelf that were of no use for some seconds.
  private func putIdleLanesAway() {
    guard maker.hasShelf, state.pointee.now >= nextTidying else { return }
    nextTidying = state.pointee.now + Int64(Self.tidyingSeconds * Double(settings.rate))
    making.withLock { _ in
      for pool in 0..<settings.threads {
        while let lane = state.pointee.pools[pool].takeIdle() { maker.putAway(Int(lane)) }
      }
    }
  }

  /// Lets ``supply()`` make what a message to come will need. Realtime: yes. Threads: any.
  @_noLocks public func predictLanes(_ message: ChannelMessage) {
    if !settings.ownsPresets { presetSupply.pointee.ask(for: message) }
  }

  /// Whether ``supply()`` has something to make. Realtime: yes. Threads: any.
  public var needsSupply: Bool {
    @_noLocks get {
      // Not by `||`, whose closure the annotation refuses.
      if maker.supply.pointee.isWaitedFor { return true }
      if let samples, samples.isWaitedFor { return true }
      return presetSupply.pointee.isWaitedFor
    }
  }

  /// Makes what the render thread will need soon: lanes, about 0.3 ms and 0.4 MB each; presets of
  /// the instrument's own, once its music asks for legato (``InstrumentSettings/ownsPresets``); and the samples of
  /// chosen presets, where the SoundFont is large: some at a time, so ``needsSupply`` may be true again.
  ///
  /// The render thread goes on meanwhile, and takes into use what is made at its next cycle. To be
  /// called before the first cycle, and whenever ``needsSupply`` is found to be true. Notes that come
  /// before their lanes share the voices of one synth, up to 63 frames late, and are counted.
  ///
  /// Realtime: no. Threads: any but the one that renders.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``; what loading the presets may throw, once: without them
  ///   legato stays as it is.
  public func supply() throws(InstrumentError) {
    try making.withLock { _ throws(InstrumentError) in
      try maker.makeWhatIsWanted(pools: settings.threads)
      try presetSupply.pointee.load(from: soundFont)
    }
    try soundFont.loadRequestedSamples()
  }

  /// Loads the samples that a cycle's notes will play, where they are not in memory yet: offline, so that no note
  /// has to wait. Realtime: no. Not while it renders.
  ///
  /// - Throws: ``InstrumentError``.
  public func loadSamples(for cycle: MIDICycle) throws(InstrumentError) {
    try scout?.follow(cycle, after: state.pointee.controlSynth) {
      (preset, key, velocity) throws(InstrumentError) in
      try soundFont.load(preset, key: key, velocity: velocity)
    }
  }

  /// Keeps recordings of notes that come again, and plays those instead of rendering them anew. The
  /// bits are the same; the recordings take memory. Before the first cycle. Realtime: no.
  ///
  /// - Parameters:
  ///   - recurrence: Of the very messages that will be rendered, or at least of those up to where
  ///     they end.
  ///   - bytes: The most that recordings may take.
  public func keepRecordings(_ recurrence: Recurrence, bytes: Int) {
    keep(recurrence, in: RecordingMemory(bytes: bytes), isShared: false)
  }

  /// The same, in memory that other instruments use too; ``prepare(frames:notes:)`` must be called
  /// before each cycle.
  public func keepRecordings(_ recurrence: Recurrence, in memory: RecordingMemory) {
    keep(recurrence, in: memory, isShared: true)
  }

  private func keep(_ recurrence: Recurrence, in memory: RecordingMemory, isShared: Bool) {
    // Lanes that run effects of their own give more than their note.
    guard state.pointee.cache == nil, !state.pointee.pools[0].hasLaneEffects else { return }
    state.pointee.keepRecordings(recurrence, in: memory, isShared: isShared)
  }

  /// Lets the chorus rest while nothing is sent to it, which takes a tenth of the work off songs that
  /// have none. The bits are the same. Offline only: when something is sent to it after all, it catches
  /// up within one cycle.
  public func suspendIdleChorus() { state.pointee.wet?.pointee.stage.mayRest = true }

  /// Sees to all that a cycle may need, offline: lanes, and memory for recordings; and puts lanes on the
  /// shelf that are not needed any more. Realtime: no. Not while it renders.
  ///
  /// - Parameters:
  ///   - frames: The cycle's.
  ///   - notes: How many begin in it.
  /// - Throws: ``InstrumentError/outOfMemory``.
  public func prepare(frames: Int, notes: Int) throws(InstrumentError) {
    putIdleLanesAway()
    try reserveLanes(notes)
    state.pointee.cache?.pointee.balanceMemory(frames: frames, notes: notes)
  }

  /// How many stems can be kept.
  public static let mostStems = 128

  /// Keeps the dry sound of notes apart, by stems, for ``mix(_:left:right:stems:)``. Before the first
  /// cycle, and before ``keepSums()``. Realtime: no.
  ///
  /// A note belongs to one stem for as long as it sounds, whoever tells it what; notes that legato ties
  /// to another share its voices, and so its stem. The mix has the same bits as without stems.
  ///
  /// - Parameters:
  ///   - stemOfNote: For each note its stem, 0 to `count` − 1, in the order of the note-ons that will
  ///     be rendered. Notes beyond the last go to the rest; see ``mix(_:left:right:stems:)``.
  ///   - count: How many stems: 1…``mostStems``. They take 0.26 MB each for a pool, with cycles of 8192 frames.
  public func keepStems(_ stemOfNote: [UInt8], count: Int) {
    precondition(1...Self.mostStems ~= count, "there are 1 to 128 stems")
    precondition(stemOfNote.allSatisfy { $0 < count }, "a note is of a stem that there is")
    guard state.pointee.stems == nil else { return }
    state.pointee.keepStems(StemTable(stemOfNote, count: count))
  }

  /// How many stems are kept, without the rest.
  public var stemCount: Int { state.pointee.stems?.count ?? 0 }

  /// Whether reverb and chorus are rendered apart from the dry sound, and so apart from stems; if not,
  /// either none runs or each note has its own (see ``Footing``), in its stem.
  public var hasWetReturn: Bool { state.pointee.wet != nil }

  /// How much was played from recordings. Not while it renders.
  public var cacheFigures: CacheFigures { state.pointee.cache?.pointee.figures ?? CacheFigures() }

  /// Renders one cycle. Realtime: yes. Threads: one at a time.
  ///
  /// - Parameters:
  ///   - cycle: 1 to ``InstrumentSettings/maximumFrames`` frames.
  ///   - left: Gets `cycle.frames` samples; full scale is ±1, not clipped.
  ///   - right: The same.
  @_noLocks public func render(
    _ cycle: MIDICycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    state.pointee.render(cycle, left: left, right: right)
  }

  /// First step of a cycle rendered by several threads: follows the events.
  @_noLocks public func plan(_ cycle: MIDICycle) {
    state.pointee.plan(cycle)
  }

  /// Second step, once per pool, side by side if need be; pools count as many as
  /// ``InstrumentSettings/threads``.
  @_noLocks public func renderPool(_ pool: Int, frames: Int) {
    state.pointee.render(pool: pool, frames: frames)
  }

  /// Third step, when all pools are done and the cycle before is mixed: ends the cycle.
  @_noLocks public func endCycle(frames: Int) -> RenderedCycle {
    state.pointee.endCycle(frames: frames)
  }

  /// Fourth step: adds up and runs the effects. It may go on, on a thread of its own, during the next
  /// cycle's first two steps.
  ///
  /// - Parameters:
  ///   - left: Gets the cycle's samples; full scale is ±1, not clipped.
  ///   - right: The same.
  ///   - stems: Gets left and right of each stem, dry, and at last those of the rest: reverb and
  ///     chorus, and notes that belong to no stem because they found no lane. Channels are
  ///     ``InstrumentSettings/maximumFrames`` apart. `nil` where none are wanted.
  @_noLocks public func mix(
    _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    stems: UnsafeMutablePointer<Float>? = nil
  ) {
    state.pointee.mix(cycle, left: left, right: right, stems: stems)
  }
}

extension ExactInstrument {
  /// How many voices a pool's work counts as, without its handicap. Between cycles only.
  public func load(ofPool pool: Int) -> Int {
    state.pointee.pools[pool].load - state.pointee.pools[pool].handicap
  }

  /// Makes a pool get fewer notes than the others, by so many voices: its thread has other work.
  /// Between cycles only.
  public func setHandicap(_ voices: Int, ofPool pool: Int) {
    state.pointee.pools[pool].handicap = voices
  }

  /// Keeps every cycle's fixed-point sums for ``withSums(frames:_:)``. Realtime: no.
  public func keepSums() {
    guard state.pointee.tap == nil else { return }
    let count = tapChannels * settings.maximumFrames
    state.pointee.tap = .allocate(capacity: count)
    state.pointee.tap?.initialize(repeating: 0, count: count)
  }

  /// How many sums there are.
  private var tapChannels: Int { state.pointee.pools[0].sums.channelCount }

  /// The last cycle's sums in units of ``FixedPoint/scale``: left, right, reverb send, chorus send;
  /// then left and right of each stem that is kept, and of the rest.
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
  /// Checks every number.
  ///
  /// - Throws: ``InstrumentError/rateOutOfRange(_:)``,
  ///   ``InstrumentError/settingOutOfRange(name:value:range:)``.
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
