import RenderCore

/// The master volume and balance by System Exclusive: gains of left and right, over the frames of a cycle.
///
/// A note begins with the gain of its first frame. The gain of a sounding note changes with its next block, during the 64
/// frames of the block, as the library changes it after a controller. The effects have the gain of each frame, which
/// changes during 64 frames too.
///
/// The planning thread adds changes. The threads that render lanes only read.
///
/// Realtime: yes, except for creation.
struct MasterGain {
  private struct Change: BitwiseCopyable {
    var frame: Int64
    var gain: SIMD2<Float>
  }

  /// The gain at the beginning of the cycle, and its changes.
  private var initial = unity
  private var changes: UnsafeMutablePointer<Change>
  private var count = 0
  /// The changes of the previous cycle, which may still be in the mix.
  private var lastChanges: UnsafeMutablePointer<Change>
  private var lastCount = 0
  /// Whether any gain since the first frame differed from 1.
  private(set) var isActive = false

  private var wet = unity
  private var wetTarget = unity
  private var wetStep = SIMD2<Float>(repeating: 0)
  private var wetFrames = 0

  static var unity: SIMD2<Float> { @_noLocks get { SIMD2(repeating: 1) } }
  /// More changes in a cycle replace the last.
  private static var capacity: Int { @_noLocks get { 1024 } }

  init(in memory: RenderMemory) {
    changes = memory.make(Self.capacity, of: Change(frame: 0, gain: Self.unity))
    lastChanges = memory.make(Self.capacity, of: Change(frame: 0, gain: Self.unity))
  }

  /// Sets the gain from `frame` of the current cycle on.
  @_noLocks mutating func set(_ gain: SIMD2<Float>, at frame: Int64) {
    if gain == self.gain(at: .max) { return }
    isActive = true
    count = min(count + 1, Self.capacity)
    changes[count - 1] = Change(frame: frame, gain: gain)
  }

  /// The gain at a frame of the current cycle.
  @_noLocks func gain(at frame: Int64) -> SIMD2<Float> {
    var index = count - 1
    while index >= 0 {
      if changes[index].frame <= frame { return changes[index].gain }
      index -= 1
    }
    return initial
  }

  @_noLocks mutating func endCycle() {
    initial = gain(at: .max)
    (changes, lastChanges) = (lastChanges, changes)
    (count, lastCount) = (0, count)
  }

  /// Gives the effects the gain at the end of the last ended cycle, of which nothing is heard.
  @_noLocks mutating func skipWet() { (wet, wetTarget, wetFrames) = (initial, initial, 0) }

  /// Multiplies whole blocks of one side of a lane's dry sound.
  ///
  /// - Parameters:
  ///   - side: 0 for left, 1 for right.
  ///   - start: The gain of the lane's block before.
  ///   - first: The frame of the first sample.
  @_noLocks func apply(
    to samples: UnsafePointer<Float>, side: Int, from start: Float, first: Int64, frames: Int,
    in output: UnsafeMutablePointer<Float>
  ) {
    var gain = start
    for block in stride(from: 0, to: frames, by: Lane.blockFrames) {
      let end = self.gain(at: first + Int64(block))[side]
      let step = (end - gain) / Float(Lane.blockFrames)
      for i in 0..<Lane.blockFrames {
        output[block + i] = samples[block + i] * (gain + step * Float(i + 1))
      }
      gain = end
    }
  }

  /// Adds the output of the effects to a part of the mix of the last ended cycle.
  @_noLocks mutating func addWet(
    _ wetLeft: UnsafePointer<Float>, _ wetRight: UnsafePointer<Float>, first: Int64, frames: Int,
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    var index = 0
    while index < lastCount, lastChanges[index].frame < first { index += 1 }
    for i in 0..<frames {
      while index < lastCount, lastChanges[index].frame <= first + Int64(i) {
        wetTarget = lastChanges[index].gain
        wetStep = (wetTarget - wet) / Float(Lane.blockFrames)
        wetFrames = Lane.blockFrames
        index += 1
      }
      if wetFrames > 0 {
        wetFrames -= 1
        wet = wetFrames == 0 ? wetTarget : wet + wetStep
      }
      left[i] += wetLeft[i] * wet[0]
      right[i] += wetRight[i] * wet[1]
    }
  }
}
