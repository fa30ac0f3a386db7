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
  var leftTone: Float = 0
  var rightTone: Float = 0
  /// The fraction of the feedback that is sent to the other side, 0…1.
  var crossfeed = Glide(0)
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
