import RenderCore
import Synchronization

/// The state of a metronome's render thread.
struct MetronomeState: ~Copyable {
  /// The number of clicks that have started. Threads: any.
  let clickCount = Atomic<Int>(0)
  private let format: Format
  private var values: ParameterValues
  private var finder: BeatFinder
  private var freeRun: FreeRun
  /// Whether the host provides the position of its song.
  private var isHosted = false
  /// The sounding clicks; several if beats are shorter than a click.
  private var clicks = InlineArray<4, Click>(repeating: Click())

  init(_ format: Format, _ values: ParameterValues) {
    self.format = format
    self.values = values
    finder = BeatFinder(sampleRate: format.sampleRate)
    freeRun = FreeRun(sampleRate: format.sampleRate)
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    for channel in 0..<format.outputChannels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    values.begin()
    finder.begin(cycle)
    if cycle.transport.isEmpty { isHosted = false }
    var steps = CycleSteps(cycle)
    var frame = 0
    while let step = steps.next() {
      switch step {
      case .transport(let transport):
        isHosted = transport.provides.has(.beat)
        finder.follow(transport, at: frame)
      case .parameter(let change): values.apply(change)
      case .event: break
      case .frames(let begin, let end):
        render(cycle, begin, end)
        frame = end
      }
    }
    values.publish()
  }

  @_noLocks private mutating func render(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    finder.divide(by: Int(values[.subdivision]) + 1, at: begin)
    if !isHosted, values[.freeRun] > 0 {
      runFreely(cycle, begin, end)
    } else {
      if freeRun.isOn {
        freeRun.stop()
        if !isHosted { finder.rest() }
      }
      play(cycle, begin, end)
    }
  }

  @_noLocks private mutating func runFreely(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    if !freeRun.isOn { finder.rest() }
    var frame = begin
    while frame < end {
      // While the tempo ramps, it differs on every frame.
      let next = values.isRamping ? frame + 1 : end
      freeRun.play(tempo: Double(values[.freeTempo]))
      finder.follow(freeRun.transport, at: frame)
      play(cycle, frame, next)
      freeRun.advance(frames: next - frame)
      frame = next
    }
  }

  /// Renders frames without events other than beats.
  @_noLocks private mutating func play(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    var frame = begin
    while let beat = finder.next(before: end) {
      addClicks(cycle, frame, beat.frame)
      frame = beat.frame
      if values[beat.isBeforeSong ? .countIn : .song] > 0 { startClick(beat) }
    }
    addClicks(cycle, frame, end)
  }

  @_noLocks private mutating func startClick(_ beat: BeatFinder.Beat) {
    let level =
      beat.beginsBar
      ? values[.accentLevel] : beat.isWhole ? values[.level] : values[.level] - 6
    let pitch = beat.beginsBar ? values[.accentPitch] : values[.pitch]
    // Replaces the click that is over or closest to its end.
    var index = 0
    for other in 1..<clicks.count where clicks[other].remaining < clicks[index].remaining {
      index = other
    }
    clicks[index] = Click(pitch: pitch, level: level, sampleRate: format.sampleRate)
    clickCount.add(1, ordering: .relaxed)
  }

  /// Renders frames without events: adds the sounding clicks to the output.
  @_noLocks private mutating func addClicks(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    values.advance(frames: end - begin)
    for number in 0..<clicks.count where clicks[number].remaining > 0 {
      var click = clicks[number]
      for frame in begin..<min(end, begin + click.remaining) {
        let sample = click.next()
        for channel in 0..<format.outputChannels { cycle.output[channel][frame] += sample }
      }
      clicks[number] = click
    }
  }
}

/// The transport of a metronome without a host transport: 4/4 from beat 0 on.
///
/// Realtime: yes.
struct FreeRun: BitwiseCopyable {
  private let sampleRate: Double
  private(set) var isOn = false
  /// The transport at the last change of tempo.
  private var start = Transport()
  /// The number of frames since then. Counting from there prevents rounding errors from accumulating over hours.
  private var frames = 0

  @_noLocks init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// The transport at the current frame.
  var transport: Transport {
    @_noLocks get { start.after(frames: frames, sampleRate: sampleRate) }
  }

  @_noLocks mutating func stop() { isOn = false }

  /// Starts at beat 0 if it is off; otherwise continues at the new tempo.
  ///
  /// - Parameter tempo: Beats per minute.
  @_noLocks mutating func play(tempo: Double) {
    if !isOn {
      isOn = true
      start = Transport()
      start.isPlaying = true
    } else if tempo == start.tempo {
      return
    } else {
      start = transport
    }
    frames = 0
    start.tempo = tempo
  }

  @_noLocks mutating func advance(frames: Int) { self.frames += frames }
}
