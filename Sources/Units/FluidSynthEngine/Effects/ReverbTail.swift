import RenderCore
import Synchronization

/// Measures the length of a reverb's tail, because each reverb engine computes it differently from the room size.
///
/// Realtime: no. Threads: any.
package final class ReverbTail: Sendable {
  private let rate: Int
  private let engine: String?
  /// The last result and its values.
  private let cached = Mutex<(values: ReverbValues, frames: Int)?>(nil)
  /// The maximum length of the measurement.
  private static let maximumSeconds = 120
  /// −100 dB.
  private static let silence: Float = 1e-5

  /// Creates a measurement for a sample rate, in frames per second.
  ///
  /// - Parameter engine: The name of the reverb engine; `nil` is the library's default.
  package init(rate: Int, engine: String?) {
    self.rate = rate
    self.engine = engine
  }

  /// Returns the number of frames after an impulse until its reverb has decayed by 100 dB; `nil` if no
  /// reverb can be created. New values take about a hundredth of that time to measure.
  package func frames(_ values: ReverbValues) -> Int? {
    cached.withLock { cached in
      if let cached, cached.values == values { return cached.frames }
      guard let frames = measure(values) else { return nil }
      cached = (values, frames)
      return frames
    }
  }

  private func measure(_ values: ReverbValues) -> Int? {
    let memory = RenderMemory()
    defer { memory.release() }
    guard
      var reverb = try? FluidSynthEffect(.reverb, rate: rate, engine: engine, in: memory)
    else { return nil }
    values.set(in: reverb.synth, .shared)
    let frames = FluidSynthEffect.loopFrames
    var send = [Float](repeating: 0, count: frames)
    send[0] = 1
    var (greatest, last, done): (Float, Int, Int) = (0, 0, 0)
    while done < Self.maximumSeconds * rate {
      reverb.write(send, blocks: FluidSynthEffect.maximumBlocks)
      send[0] = 0
      reverb.render(FluidSynthEffect.maximumBlocks)
      done += frames
      var peak: Float = 0
      for i in 0..<2 * frames { peak = max(peak, abs(reverb.wet[i])) }
      greatest = max(greatest, peak)
      if peak > greatest * Self.silence { last = done }
      // Echoes may follow a pause, but not one of this length.
      if done - last > rate { break }
    }
    return last
  }
}
