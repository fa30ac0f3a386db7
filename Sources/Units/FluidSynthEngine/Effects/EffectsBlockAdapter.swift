import RenderCore

/// Passes the sends to the effects bus in whole blocks, and delays its output by 64 frames.
///
/// The effects work on a grid of 64 frames that begins with the engine's first frame. Because of the
/// constant delay of one block they never need input from beyond the end of a cycle, and the output is the
/// same for every division into cycles. The dry sound is not delayed.
struct EffectsBlockAdapter {
  var bus: EffectsBus
  /// The effects that receive their sends. An effect that is off receives silence, so its tail fades, and it is suspended.
  var effects: Effects
  /// Reverb send, chorus send, left and right of the effects: ``capacity`` samples each. They begin with
  /// the current block: its send so far, and the output of the block before.
  private let buffers: UnsafeMutablePointer<Float>
  /// One block more than the bus processes at a time.
  private static var capacity: Int {
    @_noLocks get { FluidSynthEffect.loopFrames + Lane.blockFrames }
  }
  private var reverbSend: UnsafeMutablePointer<Float> { @_noLocks get { buffers } }
  private var chorusSend: UnsafeMutablePointer<Float> { @_noLocks get { buffers + Self.capacity } }
  private var wetLeft: UnsafeMutablePointer<Float> { @_noLocks get { buffers + 2 * Self.capacity } }
  private var wetRight: UnsafeMutablePointer<Float> {
    @_noLocks get { buffers + 3 * Self.capacity }
  }
  /// Per block of the current cycle: whether it contains a system reset.
  private var resets: UnsafeMutablePointer<Bool>
  /// The same for the previous cycle, which may still be in the mix.
  private var lastResets: UnsafeMutablePointer<Bool>
  private let resetCapacity: Int
  /// The effect values by System Exclusive; for each block, those that were set in it.
  private var factors: UnsafeMutablePointer<ModuleSettings.EffectFactors?>
  private var lastFactors: UnsafeMutablePointer<ModuleSettings.EffectFactors?>
  private var currentFactors = ModuleSettings.EffectFactors()
  private let masterGain: UnsafeMutablePointer<MasterGain>

  init(
    bus: EffectsBus, effects: Effects, maximumFrames: Int,
    masterGain: UnsafeMutablePointer<MasterGain>, in memory: RenderMemory
  ) {
    self.bus = bus
    self.effects = effects
    buffers = memory.make(4 * Self.capacity, of: 0)
    resetCapacity = maximumFrames / Lane.blockFrames + 2
    resets = memory.make(resetCapacity, of: false)
    lastResets = memory.make(resetCapacity, of: false)
    factors = memory.make(resetCapacity, of: nil)
    lastFactors = memory.make(resetCapacity, of: nil)
    self.masterGain = masterGain
  }

  /// Records a system reset at `frame` of the cycle that begins at `now`: the effects are cleared at the
  /// block that contains it.
  @_noLocks func reset(at frame: Int64, now: Int64) {
    let block = Int(frame / 64 - now / 64)
    if block < resetCapacity { resets[block] = true }
  }

  /// Records effect values that System Exclusive has set at `frame` of the cycle that begins at `now`: they apply from the
  /// block that contains it.
  @_noLocks mutating func setFactors(
    _ factors: ModuleSettings.EffectFactors, at frame: Int64, now: Int64
  ) {
    if factors.isSame(as: currentFactors) { return }
    currentFactors = factors
    let block = Int(frame / 64 - now / 64)
    if block < resetCapacity { self.factors[block] = factors }
  }

  /// Consumes the sends of a cycle and adds the output of the effects to `left` and `right`.
  @_noLocks mutating func process(
    _ sums: Sums, _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    while done < cycle.frames {
      let begin = cycle.start + Int64(done)
      let offset = Int(begin % 64)
      let count = min(FluidSynthEffect.loopFrames - offset, cycle.frames - done)
      store(sums.channel(2) + done, if: effects.reverb, in: reverbSend + offset, count)
      store(sums.channel(3) + done, if: effects.chorus, in: chorusSend + offset, count)
      let blocks = (offset + count) / 64
      run(blocks, first: Int(begin / 64 - cycle.start / 64))
      if masterGain.pointee.isActive {
        masterGain.pointee.addWet(
          wetLeft + offset, wetRight + offset, first: begin, frames: count, to: left + done,
          right + done)
      } else {
        for i in 0..<count {
          left[done + i] += wetLeft[offset + i]
          right[done + i] += wetRight[offset + i]
        }
      }
      if blocks > 0 { discard(blocks) }
      done += count
    }
  }

  /// Runs whole blocks through the effects.
  ///
  /// - Parameter first: The index of the first block within the cycle.
  @_noLocks private mutating func run(_ blocks: Int, first: Int) {
    var done = 0
    while done < blocks {
      applyChanges(at: first + done)
      var end = done + 1
      while end < blocks, !hasChange(at: first + end) { end += 1 }
      let begin = done * Lane.blockFrames
      bus.process(
        blocks: end - done, reverbSend: reverbSend + begin, chorusSend: chorusSend + begin,
        left: wetLeft + begin + Lane.blockFrames, right: wetRight + begin + Lane.blockFrames)
      done = end
    }
  }

  /// Applies the changes of a block of the last ended cycle.
  @_noLocks private mutating func applyChanges(at block: Int) {
    if lastResets[block] {
      bus.reset()
      lastResets[block] = false
    }
    if let factors = lastFactors[block] {
      bus.setFactors(factors)
      lastFactors[block] = nil
    }
  }

  /// Applies the changes of a cycle that the effects do not process.
  @_noLocks mutating func skip(_ cycle: RenderedCycle) {
    let blocks = Int((cycle.start + Int64(cycle.frames)) / 64 - cycle.start / 64)
    for block in 0..<blocks { applyChanges(at: block) }
  }

  @_noLocks private func hasChange(at block: Int) -> Bool {
    if lastFactors[block] != nil { return true }
    return lastResets[block]
  }

  /// Removes the first `blocks` blocks from the buffers, so that the one after them is the current block.
  @_noLocks private func discard(_ blocks: Int) {
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

  /// Ends the cycle. A reset in a block that the next cycle completes is handed over to that cycle.
  @_noLocks mutating func endCycle(_ cycle: RenderedCycle) {
    (resets, lastResets) = (lastResets, resets)
    (factors, lastFactors) = (lastFactors, factors)
    let block = Int((cycle.start + Int64(cycle.frames)) / 64 - cycle.start / 64)
    if block < resetCapacity, lastResets[block] {
      lastResets[block] = false
      resets[0] = true
    }
    if block < resetCapacity, let values = lastFactors[block] {
      lastFactors[block] = nil
      factors[0] = values
    }
  }
}
