import Glibc

/// A reference implementation of the documented delay, in double precision and with the complete history.
struct DelayReference {
  var sampleRate = 48_000.0
  var isSynced = true
  var beats = Curve(0.5)
  var milliseconds = Curve(350)
  var feedback = Curve(40)
  var tone = Curve(6000)
  var pingPong: [(frame: Int, isOn: Bool)] = [(0, false)]
  var width = Curve(100)
  var mix = Curve(35)
  /// The host's tempo at a frame.
  var tempo: (Int) -> (value: Double, isMoving: Bool)? = { _ in nil }

  /// - Parameter input: The left and right channels.
  func play(_ input: [[Float]]) -> [[Double]] {
    var past = [[Double]](repeating: [], count: 2)
    var output = past
    var low = [0.0, 0.0]
    var delay = frames(0)
    for frame in 0..<input[0].count {
      let echo = past.map { $0.read(delay) }
      let rest = tone.value(frame) >= 20_000 ? 0 : exp(-2 * .pi * tone.value(frame) / sampleRate)
      for side in 0...1 { low[side] += (1 - rest) * (echo[side] - low[side]) }
      let back = low.map { $0 * feedback.value(frame) / 100 }
      let over = crossing(frame)
      let sound = input.map { Double($0[frame]) }
      let middle = (sound[0] + sound[1]) / 2
      past[0].append(
        sound[0] * (1 - over) + middle * over + back[0] * (1 - over) + back[1] * over)
      past[1].append(sound[1] * (1 - over) + back[1] * (1 - over) + back[0] * over)
      let (wide, wet) = (width.value(frame) / 100, mix.value(frame) / 100)
      for side in 0...1 {
        let heard = echo[side] * (1 + wide) / 2 + echo[1 - side] * (1 - wide) / 2
        output[side].append(sound[side] * (1 - wet) + heard * wet)
      }
      delay = glide(delay, to: frames(frame))
    }
    return output
  }

  private func frames(_ frame: Int) -> Double {
    var seconds = milliseconds.value(frame) / 1000
    var isMoving = milliseconds.isMoving(frame)
    if isSynced, let tempo = tempo(frame) {
      seconds = beats.value(frame) * 60 / tempo.value
      isMoving = beats.isMoving(frame) || tempo.isMoving
    }
    while seconds > 10 { seconds /= 2 }
    return isMoving ? seconds * sampleRate : (seconds * sampleRate).rounded()
  }

  private func glide(_ delay: Double, to target: Double) -> Double {
    let way = target - delay
    let most = min(max(abs(way) / (0.05 * sampleRate), 1 / 1024), 0.5)
    return abs(way) <= most ? target : delay + (way < 0 ? -most : most)
  }

  private func crossing(_ frame: Int) -> Double {
    var value = Curve(0)
    for (at, isOn) in pingPong {
      value.set(isOn ? 1 : 0, at: at, ramp: at == 0 ? 0 : Int(0.02 * sampleRate))
    }
    return value.value(frame)
  }
}
