import RenderCore

/// Brings the sends to the wet stage in whole blocks and its output back, 64 frames later.
///
/// The effects work on a grid of 64 frames that begins with the engine's first frame. With one
/// block of delay, always, they need nothing from beyond the end of a cycle, and the output is the
/// same for every way of cutting time into cycles. The dry sound has no delay.
struct WetLine {
  var stage: WetStage
  /// What is sent on: of an effect that is off, nothing; what is in it already rings out.
  private(set) var effects: Effects
  /// Reverb send, chorus send, wet left, wet right: a block each.
  private let blocks: UnsafeMutablePointer<Float>
  /// Per block of the cycle in progress: whether a system reset falls into it.
  private var resets: UnsafeMutablePointer<Bool>
  /// The same of the cycle before, which may still be being mixed.
  private var lastResets: UnsafeMutablePointer<Bool>
  private let resetCapacity: Int

  /// Realtime: no, it allocates.
  init(stage: WetStage, effects: Effects, maximumFrames: Int) {
    self.stage = stage
    self.effects = effects
    blocks = .allocate(capacity: 4 * Lane.blockFrames)
    blocks.initialize(repeating: 0, count: 4 * Lane.blockFrames)
    resetCapacity = maximumFrames / Lane.blockFrames + 2
    resets = .allocate(capacity: resetCapacity)
    resets.initialize(repeating: false, count: resetCapacity)
    lastResets = .allocate(capacity: resetCapacity)
    lastResets.initialize(repeating: false, count: resetCapacity)
  }

  /// Realtime: no.
  func destroy() {
    stage.destroy()
    blocks.deallocate()
    resets.deallocate()
    lastResets.deallocate()
  }

  /// Switches effects on or off, from the next frame on.
  @_noLocks mutating func turn(_ effects: Effects) {
    self.effects = effects
    stage.run(effects)
  }

  /// Notes a system reset at `frame` of the cycle that begins at `now`: the effects fall silent with
  /// the block it falls into.
  @_noLocks func reset(at frame: Int64, now: Int64) {
    let block = Int(frame / 64 - now / 64)
    if block < resetCapacity { resets[block] = true }
  }

  /// Takes a cycle's sends in and adds what the effects give for it to `left` and `right`.
  @_noLocks mutating func process(
    _ sums: Sums, _ cycle: EndedCycle, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    let (now, frames) = (cycle.start, cycle.frames)
    var done = 0
    while done < frames {
      let place = Int((now + Int64(done)) % 64)
      let count = min(64 - place, frames - done)
      store(sums.channel(2) + done, if: effects.reverb, in: blocks + place, count)
      store(sums.channel(3) + done, if: effects.chorus, in: blocks + 64 + place, count)
      for i in 0..<count {
        left[done + i] += blocks[128 + place + i]
        right[done + i] += blocks[192 + place + i]
      }
      done += count
      if place + count == 64 {
        let block = Int((now + Int64(done) - 1) / 64 - now / 64)
        if lastResets[block] {
          stage.reset()
          lastResets[block] = false
        }
        // Until one is switched on for the first time, there is nothing to wait for.
        if stage.isRunning {
          stage.process(
            reverbSend: blocks, chorusSend: blocks + 64, left: blocks + 128, right: blocks + 192)
        }
      }
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
  @_noLocks mutating func endCycle(_ cycle: EndedCycle) {
    (resets, lastResets) = (lastResets, resets)
    let block = Int((cycle.start + Int64(cycle.frames)) / 64 - cycle.start / 64)
    if block < resetCapacity, lastResets[block] {
      lastResets[block] = false
      resets[0] = true
    }
  }
}
