import Synchronization

/// How long a reverb rings, measured: each engine reckons otherwise with the size of its room.
///
/// Realtime: no. Threads: any.
package final class ReverbTail: Sendable {
  private let rate: Int
  private let engine: String?
  /// The last answer, and the values that it is for.
  private let known = Mutex<(values: ReverbValues, frames: Int)?>(nil)
  /// The longest that is looked at.
  private static let mostSeconds = 120
  /// −100 dB.
  private static let silence: Float = 1e-5

  /// - Parameter engine: `nil` is the library's default.
  package init(rate: Int, engine: String?) {
    self.rate = rate
    self.engine = engine
  }

  /// Frames from an impulse to where 100 dB of its reverb are gone; `nil` where no reverb can be made. It takes
  /// about a hundredth of that time, when the values are new.
  package func frames(_ values: ReverbValues) -> Int? {
    known.withLock { known in
      if let known, known.values == values { return known.frames }
      guard let frames = measure(values) else { return nil }
      known = (values, frames)
      return frames
    }
  }

  private func measure(_ values: ReverbValues) -> Int? {
    guard var reverb = try? FluidSynthEffect(.reverb, rate: rate, isRunning: true, engine: engine)
    else {
      return nil
    }
    defer { reverb.destroy() }
    values.set(in: reverb.synth, .shared)
    let frames = FluidSynthEffect.loopFrames
    var send = [Float](repeating: 0, count: frames)
    send[0] = 1
    var (greatest, last, done): (Float, Int, Int) = (0, 0, 0)
    while done < Self.mostSeconds * rate {
      reverb.write(send, blocks: FluidSynthEffect.mostBlocks)
      send[0] = 0
      reverb.render(FluidSynthEffect.mostBlocks)
      done += frames
      var peak: Float = 0
      for i in 0..<2 * frames { peak = max(peak, abs(reverb.wet[i])) }
      greatest = max(greatest, peak)
      if peak > greatest * Self.silence { last = done }
      // An echo may come after a while of silence, but not after so long a one.
      if done - last > rate { break }
    }
    return last
  }
}
