import RenderCore

/// The reverb and the chorus that all lanes share, fed with the sums of their sends.
///
/// Realtime: yes, except for creation.
struct EffectsBus {
  var reverb: FluidSynthEffect
  var chorus: FluidSynthEffect
  /// Whether the chorus may be suspended while it receives no signal; see ``ChorusIdleDetector``.
  var maySuspendChorus = false
  private var chorusIdle = ChorusIdleDetector()
  private var values = EffectControls()

  /// Creates the effects. Realtime: no.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - effects: The effects that run initially.
  ///   - engine: The name of the reverb engine; `nil` is the library's default.
  /// - Throws: ``InstrumentError``; see ``FluidSynthEffect/init(_:rate:isRunning:engine:in:)``.
  init(
    rate: Int, effects: Effects, engine: String? = nil, in memory: RenderMemory
  ) throws(InstrumentError) {
    reverb = try FluidSynthEffect(
      .reverb, rate: rate, isRunning: effects.reverb, engine: engine, in: memory)
    chorus = try FluidSynthEffect(.chorus, rate: rate, isRunning: effects.chorus, in: memory)
  }

  /// Whether an effect runs.
  var isRunning: Bool {
    @_noLocks get {
      // Separate statements because `||` takes a closure, which `@_noLocks` does not allow.
      if reverb.isRunning { return true }
      return chorus.isRunning
    }
  }

  /// Whether the chorus is suspended.
  var isChorusSuspended: Bool { @_noLocks get { chorusIdle.missedBlocks > 0 } }

  /// The number of samples of the sends that were clipped.
  var clippedSamples: Int { @_noLocks get { reverb.clippedSamples + chorus.clippedSamples } }

  /// Runs blocks of sends through the effects and writes their output.
  ///
  /// - Parameters:
  ///   - blocks: 1 to ``FluidSynthEffect/maximumBlocks``. The output does not depend on the number of
  ///     blocks per call.
  ///   - reverbSend: 64 samples for each block, mono.
  ///   - chorusSend: 64 samples for each block, mono.
  ///   - left: Receives 64 samples for each block.
  ///   - right: Receives 64 samples for each block.
  @_noLocks mutating func process(
    blocks: Int, reverbSend: UnsafePointer<Float>, chorusSend: UnsafePointer<Float>,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    // Called exactly once per block, because it counts silent blocks.
    var isNeeded = needsChorus(chorusSend)
    while done < blocks {
      // Renders up to the block at which the chorus is suspended or resumed. An effect that fades may stop
      // after any block.
      let (chorusRuns, fades) = (isNeeded, isFading)
      var end = done + 1
      while end < blocks, !fades {
        isNeeded = needsChorus(chorusSend + end * Lane.blockFrames)
        if isNeeded != chorusRuns { break }
        end += 1
      }
      let begin = done * Lane.blockFrames
      render(
        end - done, chorusRuns: chorusRuns, reverbSend + begin, chorusSend + begin,
        left: left + begin, right: right + begin)
      done = end
      if fades, done < blocks { isNeeded = needsChorus(chorusSend + done * Lane.blockFrames) }
    }
  }

  /// - Parameter chorusRuns: Whether the chorus renders all of these blocks, or none.
  @_noLocks private mutating func render(
    _ blocks: Int, chorusRuns: Bool, _ reverbSend: UnsafePointer<Float>,
    _ chorusSend: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    if chorusRuns {
      catchUp()
      if reverb.isRunning {
        write(reverbSend, chorusSend, blocks: blocks)
      } else {
        chorus.write(chorusSend, blocks: blocks)
      }
      chorus.render(blocks)
      chorus.silenceQuietBlock()
    } else {
      if chorus.isRunning { chorusIdle.missedBlocks += blocks }
      if reverb.isRunning { reverb.write(reverbSend, blocks: blocks) }
    }
    if reverb.isRunning {
      reverb.render(blocks)
      reverb.silenceQuietBlock()
    }
    let (wet, more) = (reverb.wet, chorus.wet)
    // The buffer of a suspended chorus still contains its last block.
    if chorusRuns {
      for i in 0..<(blocks * Lane.blockFrames) {
        left[i] = wet[i] + more[i]
        right[i] = wet[FluidSynthEffect.loopFrames + i] + more[FluidSynthEffect.loopFrames + i]
      }
    } else {
      for i in 0..<(blocks * Lane.blockFrames) {
        left[i] = wet[i]
        right[i] = wet[FluidSynthEffect.loopFrames + i]
      }
    }
  }

  /// Multiplies the values of the effects by those that System Exclusive has set.
  @_noLocks mutating func setFactors(_ factors: ModuleSettings.EffectFactors) {
    catchUp()
    values.setFactors(factors, reverb: reverb.synth, chorus: chorus.synth)
  }

  /// Sets values of the reverb, before those of System Exclusive are applied.
  @_noLocks mutating func setReverb(_ reverb: ReverbValues) {
    values.setReverb(reverb, in: self.reverb.synth)
  }

  /// The same for the chorus.
  @_noLocks mutating func setChorus(_ chorus: ChorusValues) {
    values.setChorus(chorus, in: self.chorus.synth)
  }

  /// Starts effects, or lets them fade out and stop.
  @_noLocks mutating func setEffects(_ effects: Effects) {
    if effects.reverb { reverb.run() } else { reverb.fade() }
    if effects.chorus { chorus.run() } else { chorus.fade() }
  }

  private var isFading: Bool {
    @_noLocks get {
      if reverb.isFading { return true }
      return chorus.isFading
    }
  }

  /// Clears the tails of the effects, as a system reset does.
  @_noLocks mutating func reset() {
    catchUp()
    if reverb.isRunning { reverb.reset() }
    if chorus.isRunning { chorus.reset() }
  }

  /// Whether the chorus must render the next block. If not, its output is zero.
  @_noLocks private mutating func needsChorus(_ send: UnsafePointer<Float>) -> Bool {
    guard chorus.isRunning else { return false }
    if !maySuspendChorus { return true }
    chorusIdle.observe(send)
    return !chorusIdle.isIdle
  }

  /// Renders the blocks that the chorus skipped while it was suspended.
  @_noLocks private mutating func catchUp() {
    while chorusIdle.missedBlocks > 0 {
      let blocks = min(chorusIdle.missedBlocks, FluidSynthEffect.maximumBlocks)
      chorusIdle.missedBlocks -= blocks
      chorus.writeSilence(blocks: blocks)
      chorus.render(blocks)
    }
  }

  /// Writes sends to the inputs of the effects.
  @_noLocks private mutating func write(
    _ reverbSend: UnsafePointer<Float>, _ chorusSend: UnsafePointer<Float>, blocks: Int
  ) {
    // Both in one loop, because each filter step waits for the previous one.
    var (reverbFilter, chorusFilter) = (reverb.filter, chorus.filter)
    for i in 0..<(blocks * Lane.blockFrames) {
      reverb.writeSample(reverbFilter.next(Double(reverbSend[i])), at: i)
      chorus.writeSample(chorusFilter.next(Double(chorusSend[i])), at: i)
    }
    reverb.filter = reverbFilter
    chorus.filter = chorusFilter
  }
}

/// Detects when the chorus may be suspended because it receives no signal.
///
/// When its delay lines are empty, the output of the chorus is zero. Its modulation continues, however, so
/// it must catch up in one go before it receives a signal again, which is possible only offline. Most songs
/// never use the chorus.
struct ChorusIdleDetector: BitwiseCopyable {
  /// The number of blocks that the chorus has skipped.
  fileprivate var missedBlocks = 0
  /// The delay lines are empty initially.
  private var silentBlocks = emptyAfter

  /// The number of blocks after which a sample has no effect, at any rate: neither in the delay line of
  /// 2048 frames (`fluid_chorus.c`) nor in ``SendFilter``, whose poles attenuate it to 10⁻⁷⁰.
  private static var emptyAfter: Int { @_noLocks get { 512 } }

  @_noLocks init() {}

  @_noLocks mutating func observe(_ send: UnsafePointer<Float>) {
    silentBlocks = CompressedBlock.isSilent(send) ? silentBlocks + 1 : 0
  }

  fileprivate var isIdle: Bool { @_noLocks get { silentBlocks > Self.emptyAfter } }
}
