/// One reverb and one chorus for all lanes, fed with their sends.
///
/// Realtime: yes, but for making and destroying it.
struct EffectsBus {
  var reverb: FluidSynthEffect
  var chorus: FluidSynthEffect
  /// Whether the chorus may rest while nothing is sent to it; see ``ChorusRest``.
  var mayRest = false
  private var rest = ChorusRest()

  /// Realtime: no.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - effects: Which of the two run from the beginning.
  ///   - engine: Which reverb; `nil` is the library's default.
  /// - Throws: ``InstrumentError``; see ``WetEffect/init(_:rate:isRunning:)``.
  init(rate: Int, effects: Effects, engine: String? = nil) throws(InstrumentError) {
    reverb = try FluidSynthEffect(.reverb, rate: rate, isRunning: effects.reverb, engine: engine)
    do throws(InstrumentError) {
      chorus = try FluidSynthEffect(.chorus, rate: rate, isRunning: effects.chorus)
    } catch {
      reverb.destroy()
      throw error
    }
  }

  /// Realtime: no.
  func destroy() {
    reverb.destroy()
    chorus.destroy()
  }

  /// Whether an effect runs.
  var isRunning: Bool {
    @_noLocks get {
      // Not by `||`, whose closure the annotation refuses.
      if reverb.isRunning { return true }
      return chorus.isRunning
    }
  }

  /// Whether the chorus rests.
  var isResting: Bool { @_noLocks get { rest.missedBlocks > 0 } }

  /// Samples of the sends that were too loud for the door.
  var clippedSamples: Int { @_noLocks get { reverb.clippedSamples + chorus.clippedSamples } }

  /// Runs blocks of sends through the effects and writes what comes back.
  ///
  /// - Parameters:
  ///   - blocks: 1 to ``WetEffect/mostBlocks``. How many at a time makes no difference to the bits.
  ///   - reverbSend: 64 samples for each block, mono.
  ///   - chorusSend: The same.
  ///   - left: Gets 64 samples for each block.
  ///   - right: The same.
  @_noLocks mutating func process(
    blocks: Int, reverbSend: UnsafePointer<Float>, chorusSend: UnsafePointer<Float>,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    // Asked for once per block.
    var isNeeded = needsChorus(chorusSend)
    while done < blocks {
      // Up to where the chorus goes to rest, or comes from it. An effect that fades may stop after any block.
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
      if chorus.isRunning { rest.missedBlocks += blocks }
      if reverb.isRunning { reverb.write(reverbSend, blocks: blocks) }
    }
    if reverb.isRunning {
      reverb.render(blocks)
      reverb.silenceQuietBlock()
    }
    let (wet, more) = (reverb.wet, chorus.wet)
    // A resting chorus still has its last block there.
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

  /// Switches effects on, or lets them fade and then stops them.
  @_noLocks mutating func turn(_ effects: Effects) {
    if effects.reverb { reverb.run() } else { reverb.fade() }
    if effects.chorus { chorus.run() } else { chorus.fade() }
  }

  private var isFading: Bool {
    @_noLocks get {
      if reverb.isFading { return true }
      return chorus.isFading
    }
  }

  /// Clears the effects' tails, as a system reset does.
  @_noLocks mutating func reset() {
    catchUp()
    if reverb.isRunning { reverb.reset() }
    if chorus.isRunning { chorus.reset() }
  }

  /// Whether the chorus has to render the block that comes next. If not, it gives zero.
  @_noLocks private mutating func needsChorus(_ send: UnsafePointer<Float>) -> Bool {
    guard chorus.isRunning else { return false }
    if !mayRest { return true }
    rest.hear(send)
    return !rest.isDue
  }

  /// Brings the chorus to where it would be without its rest.
  @_noLocks private mutating func catchUp() {
    while rest.missedBlocks > 0 {
      let blocks = min(rest.missedBlocks, FluidSynthEffect.mostBlocks)
      rest.missedBlocks -= blocks
      chorus.writeSilence(blocks: blocks)
      chorus.render(blocks)
    }
  }

  /// Puts sends at the effects' doors.
  @_noLocks private mutating func write(
    _ reverbSend: UnsafePointer<Float>, _ chorusSend: UnsafePointer<Float>, blocks: Int
  ) {
    // Side by side, for each filter waits for its last output.
    var (reverbFilter, chorusFilter) = (reverb.filter, chorus.filter)
    for i in 0..<(blocks * Lane.blockFrames) {
      reverb.put(reverbFilter.next(Double(reverbSend[i])), at: i)
      chorus.put(chorusFilter.next(Double(chorusSend[i])), at: i)
    }
    reverb.filter = reverbFilter
    chorus.filter = chorusFilter
  }
}

/// When a chorus that nothing is sent to may rest.
///
/// Once its lines are empty, all it gives is zero. What moves in it moves on, so it must catch up before
/// it is sent anything again: all at once, which only those can wait for who render offline. Most songs
/// never send it anything.
struct ChorusRest: BitwiseCopyable {
  /// Blocks that it has not rendered.
  var missedBlocks = 0
  /// At first its lines are empty.
  private var silentBlocks = emptyAfter

  /// Blocks after which nothing is left of a sample, at any rate: in its line of 2048 frames
  /// (`fluid_chorus.c`), and in ``SendFilter``, whose poles leave 10⁻⁷⁰ of it.
  private static var emptyAfter: Int { @_noLocks get { 512 } }

  @_noLocks init() {}

  @_noLocks mutating func hear(_ send: UnsafePointer<Float>) {
    silentBlocks = CompressedBlock.isSilent(send) ? silentBlocks + 1 : 0
  }

  var isDue: Bool { @_noLocks get { silentBlocks > Self.emptyAfter } }
}
