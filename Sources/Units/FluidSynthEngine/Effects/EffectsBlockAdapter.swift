import RenderCore

/// Brings the sends to the wet stage in whole blocks and its output back, 64 frames later.
///
/// The effects work on a grid of 64 frames that begins with the engine's first frame. With one
/// block of delay, always, they need nothing from beyond the end of a cycle, and the output is the
/// same for every way of cutting time into cycles. The dry sound has no delay.
struct EffectsBlockAdapter {
  var stage: EffectsBus
  /// What is sent on: of an effect that is off, nothing. What is in it already fades; below −120 dBFS it is
  /// exact silence.
  private(set) var effects: Effects
  /// Reverb send, chorus send, wet left, wet right: ``capacity`` each. They begin with the block in progress:
  /// what of it is sent so far, and what the effects give for the one before.
  private let buffers: UnsafeMutablePointer<Float>
  /// One block more than the stage takes at a time.
  private static var capacity: Int {
    @_noLocks get { FluidSynthEffect.loopFrames + Lane.blockFrames }
  }
  private var reverbSend: UnsafeMutablePointer<Float> { @_noLocks get { buffers } }
  private var chorusSend: UnsafeMutablePointer<Float> { @_noLocks get { buffers + Self.capacity } }
  private var wetLeft: UnsafeMutablePointer<Float> { @_noLocks get { buffers + 2 * Self.capacity } }
  private var wetRight: UnsafeMutablePointer<Float> {
    @_noLocks get { buffers + 3 * Self.capacity }
  }
  /// Per block of the cycle in progress: whether a system reset falls into it.
  private var resets: UnsafeMutablePointer<Bool>
  /// The same of the cycle before, which may still be being mixed.
  private var lastResets: UnsafeMutablePointer<Bool>
  private let resetCapacity: Int

  /// Realtime: no, it allocates.
  init(stage: EffectsBus, effects: Effects, maximumFrames: Int) {
    self.stage = stage
    self.effects = effects
    buffers = .allocate(capacity: 4 * Self.capacity)
    buffers.initialize(repeating: 0, count: 4 * Self.capacity)
    resetCapacity = maximumFrames / Lane.blockFrames + 2
    resets = .allocate(capacity: resetCapacity)
    resets.initialize(repeating: false, count: resetCapacity)
    lastResets = .allocate(capacity: resetCapacity)
    lastResets.initialize(repeating: false, count: resetCapacity)
  }

  /// Realtime: no.
  func destroy() {
    stage.destroy()
    buffers.deallocate()
    resets.deallocate()
    lastResets.deallocate()
  }

  /// Switches effects on or off, from the next frame on.
  @_noLocks mutating func turn(_ effects: Effects) {
    self.effects = effects
    stage.turn(effects)
  }

  /// Notes a system reset at `frame` of the cycle that begins at `now`: the effects fall silent with
  /// the block it falls into.
  @_noLocks func reset(at frame: Int64, now: Int64) {
    let block = Int(frame / 64 - now / 64)
    if block < resetCapacity { resets[block] = true }
  }

  /// Takes a cycle's sends in and adds what the effects give for it to `left` and `right`.
  @_noLocks mutating func process(
    _ sums: Sums, _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    while done < cycle.frames {
      let begin = cycle.start + Int64(done)
      let place = Int(begin % 64)
      let count = min(FluidSynthEffect.loopFrames - place, cycle.frames - done)
      store(sums.channel(2) + done, if: effects.reverb, in: reverbSend + place, count)
      store(sums.channel(3) + done, if: effects.chorus, in: chorusSend + place, count)
      let blocks = (place + count) / 64
      run(blocks, first: Int(begin / 64 - cycle.start / 64))
      for i in 0..<count {
        left[done + i] += wetLeft[place + i]
        right[done + i] += wetRight[place + i]
      }
      if blocks > 0 { turn(by: blocks) }
      done += count
    }
  }

  /// Runs whole blocks through the effects.
  ///
  /// - Parameter first: Which block of the cycle the first one is.
  @_noLocks private mutating func run(_ blocks: Int, first: Int) {
    var done = 0
    while done < blocks {
      if lastResets[first + done] {
        stage.reset()
        lastResets[first + done] = false
      }
      var end = done + 1
      while end < blocks, !lastResets[first + end] { end += 1 }
      let begin = done * Lane.blockFrames
      if !stage.isRunning {
        let count = (end - done) * Lane.blockFrames
        (wetLeft + begin + Lane.blockFrames).update(repeating: 0, count: count)
        (wetRight + begin + Lane.blockFrames).update(repeating: 0, count: count)
      } else {
        stage.process(
          blocks: end - done, reverbSend: reverbSend + begin, chorusSend: chorusSend + begin,
          left: wetLeft + begin + Lane.blockFrames, right: wetRight + begin + Lane.blockFrames)
      }
      done = end
    }
  }

  /// Makes the block behind so many the one in progress.
  @_noLocks private func turn(by blocks: Int) {
    for index in 0..<4 {
      let buffer = buffers + index * Self.capacity
      for i in 0..<Lane.blockFrames { buffer[i] = buffer[blocks * Lane.blockFrames + i] }
    }
  }

  @_noLocks private func store(
    _ sums: UnsafePointer<Int64>, if isOn: Bool, in block: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    if isOn {
      FixedPoint.store(sums, in: block, count: count)
    } else {
      block.update(repeating: 0, count: count)
    }
  }

  /// Turns to the next cycle. A reset in a block that the next cycle completes is that cycle's.
  @_noLocks mutating func endCycle(_ cycle: RenderedCycle) {
    (resets, lastResets) = (lastResets, resets)
    let block = Int((cycle.start + Int64(cycle.frames)) / 64 - cycle.start / 64)
    if block < resetCapacity, lastResets[block] {
      lastResets[block] = false
      resets[0] = true
    }
  }
}
