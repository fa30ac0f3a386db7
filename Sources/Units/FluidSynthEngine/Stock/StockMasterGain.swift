/// The master volume and balance by System Exclusive, in the output of a stock instrument. A change while notes sound
/// takes 64 frames.
///
/// Realtime: yes.
struct StockMasterGain: BitwiseCopyable {
  private var gain = MasterGain.unity
  private var target = MasterGain.unity
  /// The number of frames until the target is reached, and the change per frame.
  private var frames = 0
  private var step = SIMD2<Float>(repeating: 0)

  @_noLocks mutating func set(_ gain: SIMD2<Float>, isSounding: Bool) {
    target = gain
    if !isSounding { self.gain = gain }
    frames = isSounding ? Lane.blockFrames : 0
    step = (target - self.gain) / Float(Lane.blockFrames)
  }

  /// Multiplies the next frames of one side of the output.
  @_noLocks func apply(to samples: UnsafeMutablePointer<Float>, side: Int, _ count: Int) {
    if frames == 0, target[side] == 1 { return }
    let ramp = min(frames, count)
    for i in 0..<ramp { samples[i] *= gain[side] + step[side] * Float(i + 1) }
    for i in ramp..<count { samples[i] *= target[side] }
  }

  @_noLocks mutating func advance(_ count: Int) {
    let ramp = min(frames, count)
    frames -= ramp
    gain = frames == 0 ? target : gain + step * Float(ramp)
  }
}
