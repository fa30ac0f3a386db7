import CRender
import RenderCore
import Synchronization

/// The state of a delay's render thread: two delay lines and a common read head.
///
/// In mono both lines receive the same input, and the left line is the output.
///
/// Realtime: yes, except for creation.
struct DelayState: ~Copyable {
  /// The delay time in frames at the end of the last cycle. Threads: any.
  let time = Atomic<Int>(0)
  var values: ParameterValues
  private var tempo = TempoFollower()
  var head: ReadHead
  var left: DelayLine
  var right: DelayLine
  /// The previous outputs of the low-pass filters in the feedback.
  private var leftTone: Float = 0
  private var rightTone: Float = 0
  /// The fraction of the feedback that is sent to the other side, 0…1.
  private var crossfeed = Glide(0)
  /// Whether no frame has been rendered. The first one uses the target values without ramps.
  private var isFirstFrame = true
  private let followsControllers: Bool
  let sampleRate: Double
  let inputs: Int
  let channels: Int

  /// - Parameters:
  ///   - format: The format of input and output.
  ///   - values: The parameter values of the render thread.
  ///   - followsControllers: Whether MIDI controllers change parameters.
  init(
    _ format: Format, _ values: ParameterValues, followsControllers: Bool, in memory: RenderMemory
  ) {
    self.values = values
    self.followsControllers = followsControllers
    sampleRate = Double(format.sampleRate)
    inputs = format.inputChannels
    channels = format.outputChannels
    head = ReadHead(sampleRate: sampleRate)
    let longest = Int(DelayTime.longestSeconds * sampleRate) + 1
    left = DelayLine(maximumDelay: longest, in: memory)
    right = DelayLine(maximumDelay: longest, in: memory)
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    values.begin()
    if cycle.transport.isEmpty { tempo = TempoFollower() }
    var steps = CycleSteps(cycle)
    while let step = steps.next() {
      switch step {
      case .transport(let transport): tempo = TempoFollower(transport)
      case .parameter(let change): values.apply(change)
      case .event(let event): handle(event)
      case .frames(let begin, let end): render(cycle, begin, end)
      }
    }
    values.publish()
    time.store(Int(max(head.delay, head.target)), ordering: .relaxed)
  }

  @_noLocks private mutating func handle(_ event: MIDIEvent) {
    guard followsControllers, case .channel(let message) = event.content else { return }
    if let change = DelayControllers.change(message, sampleRate: sampleRate) {
      values.apply(change)
    }
  }

  /// Renders frames without events. Parameters and tempo may be ramping.
  @_noLocks private mutating func render(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    var frame = begin
    while frame < end {
      let until = values.isRamping || tempo.isChanging ? frame + 1 : end
      head.target = DelayTime.frames(values, tempo, sampleRate: sampleRate)
      updateCrossfeed()
      if isFirstFrame {
        head.jump()
        isFirstFrame = false
      }
      echo(cycle, frame, until, EchoSettings(values, channels: channels, sampleRate: sampleRate))
      values.advance(frames: until - frame)
      tempo.advance(frames: until - frame)
      frame = until
    }
  }

  @_noLocks private mutating func updateCrossfeed() {
    let target = channels == 2 ? Double(values[.pingPong]) : 0
    if target == crossfeed.target { return }
    crossfeed.start(to: target, frames: isFirstFrame ? 0 : Int(0.02 * sampleRate))
  }
}

extension DelayState {
  @_noLocks mutating func echo(
    _ cycle: RenderCycle, _ begin: Int, _ end: Int, _ settings: EchoSettings
  ) {
    let first = cycle.input[0]
    let second = cycle.input[inputs - 1]
    let leftOutput = cycle.output[0]
    let rightOutput = cycle.output[channels - 1]
    for frame in begin..<end {
      let input = (left: first[frame], right: second[frame])
      let echo = nextEcho(input, settings)
      // Left is written last because in mono both outputs are the same buffer.
      rightOutput[frame] = settings.blend(input.right, near: echo.right, far: echo.left)
      leftOutput[frame] = settings.blend(input.left, near: echo.left, far: echo.right)
    }
  }

  /// Reads the echo of this frame and writes the input and the feedback to the delay lines.
  @_noLocks private mutating func nextEcho(
    _ input: (left: Float, right: Float), _ settings: EchoSettings
  ) -> (left: Float, right: Float) {
    let echo = read()
    let left = settings.tone.process(echo.left, &leftTone) * settings.feedback
    let right = settings.tone.process(echo.right, &rightTone) * settings.feedback
    let cross = Float(crossfeed.next())
    let direct = 1 - cross
    let dry = (left: Sample.sanitize(input.left), right: Sample.sanitize(input.right))
    let mono = (dry.left + dry.right) / 2
    self.left.write(dry.left * direct + mono * cross + (left * direct + right * cross))
    self.right.write(dry.right * direct + (right * direct + left * cross))
    return echo
  }

  @_noLocks private mutating func read() -> (left: Float, right: Float) {
    if head.isAtTarget {
      let delay = Int(head.delay)
      return (left.read(delay), right.read(delay))
    }
    let taps = CubicTaps(delay: head.delay)
    head.move()
    return (left.read(taps), right.read(taps))
  }
}

/// The mapping from MIDI controllers to parameters; ``DelaySource`` has the table.
///
/// Realtime: yes.
enum DelayControllers {
  /// Returns the parameter change for a message, with offset 0; `nil` if the message is not mapped.
  @_noLocks static func change(
    _ message: ChannelMessage, sampleRate: Double
  ) -> ParameterChange? {
    guard message.kind == .controlChange else { return nil }
    let position = Double(message.data2) / 127
    let isOn: Float = message.data2 >= 64 ? 1 : 0
    let ramp = Int(0.01 * sampleRate)
    switch message.data1 {
    case 1: return change(.feedback, Float(98 * position), ramp)
    case 12: return change(.beats, beats(step: Int(message.data2) * 21 / 127), 0)
    case 13: return change(.milliseconds, logarithmic(1, 4000, position), ramp)
    case 14: return change(.width, Float(100 * position), ramp)
    case 74: return change(.tone, logarithmic(200, 20_000, position), ramp)
    case 80: return change(.sync, isOn, 0)
    case 81: return change(.pingPong, isOn, 0)
    case 94: return change(.mix, Float(100 * position), ramp)
    default: return nil
    }
  }

  @_noLocks private static func change(
    _ parameter: DelayParameter, _ value: Float, _ ramp: Int
  ) -> ParameterChange {
    ParameterChange(
      offset: 0, index: UInt32(parameter.index), value: value, ramp: UInt32(ramp))
  }

  /// Returns the note value of a step in beats: 1/16, the triplet of 1/8, dotted 1/16, 1/8, and so on, up to 8 for
  /// the 22nd step.
  @_noLocks private static func beats(step: Int) -> Float {
    let plain = Float(1 << (step / 3)) / 16
    switch step % 3 {
    case 1: return plain * 4 / 3
    case 2: return plain * 3 / 2
    default: return plain
    }
  }

  @_noLocks private static func logarithmic(
    _ minimum: Double, _ maximum: Double, _ position: Double
  ) -> Float {
    let octaves = maths_log2(maximum / minimum)
    return Float(minimum * maths_exp2(octaves * position))
  }
}

/// The delay time that the parameters and the tempo determine.
///
/// Realtime: yes.
enum DelayTime {
  fileprivate static var longestSeconds: Double { @_noLocks get { 10 } }

  /// Returns the delay time in frames.
  ///
  /// The time is rounded to whole frames unless it is changing, because rounding would make a ramp uneven.
  @_noLocks static func frames(
    _ values: ParameterValues, _ tempo: TempoFollower, sampleRate: Double
  ) -> Double {
    let isSynced = values[.sync] > 0.5 && tempo.isKnown
    let parameter = isSynced ? DelayParameter.beats : .milliseconds
    let value = values[parameter]
    var seconds = isSynced ? Double(value) * 60 / tempo.value : Double(value) / 1000
    while seconds > longestSeconds { seconds /= 2 }
    let frames = max(seconds, 0.001) * sampleRate
    let isMoving =
      (isSynced && tempo.isChanging) || !(values.value(parameter.index, after: 1) == value)
    return isMoving ? frames : Double(Int(frames + 0.5))
  }
}

/// The settings of the echoes between two parameter changes.
///
/// Realtime: yes.
struct EchoSettings: BitwiseCopyable {
  let feedback: Float
  let tone: LowPass
  /// The gains of each side's own echoes and of the other side's echoes.
  let near: Float
  let far: Float
  let mix: Float

  @_noLocks init(_ values: ParameterValues, channels: Int, sampleRate: Double) {
    feedback = values[.feedback] / 100
    tone = LowPass(frequency: values[.tone], sampleRate: sampleRate)
    let width = channels == 2 ? values[.width] / 100 : 1
    near = (1 + width) / 2
    far = (1 - width) / 2
    mix = values[DelayParameter.mix] / 100
  }

  /// Returns one output channel.
  ///
  /// - Parameters:
  ///   - input: The channel's input.
  ///   - echo: The channel's own echo.
  ///   - other: The other channel's echo.
  @_noLocks fileprivate func blend(_ input: Float, near echo: Float, far other: Float) -> Float {
    // Without arithmetic, which would turn −0 into 0.
    if mix == 0 { return input }
    return input * (1 - mix) + (echo * near + other * far) * mix
  }
}

/// The read position of the delay lines, as a delay in frames. It glides to its target.
///
/// Realtime: yes.
struct ReadHead: BitwiseCopyable {
  private(set) var delay = 0.0
  var target = 0.0
  /// The fraction of the remaining distance that it moves per frame.
  private let ease: Double

  init(sampleRate: Double) { ease = 1 / (0.05 * sampleRate) }

  var isAtTarget: Bool { @_noLocks get { delay == target } }

  @_noLocks mutating func jump() { delay = target }

  /// Moves toward the target by one frame of time: by 1/1024…1/2 frame of delay.
  @_noLocks mutating func move() {
    let distance = target - delay
    let speed = min(max(abs(distance) * ease, 1 / 1024), 0.5)
    delay = abs(distance) <= speed ? target : delay + (distance > 0 ? speed : -speed)
  }
}
