import CALSA
import Glibc
import LiveAudio
import RenderCore
import Threads

/// All that a device's thread works on.
///
/// Made and freed off the thread. The calls of alsa-lib are no part of the realtime section, for what lies
/// between us and the device may be anything: a plugin that locks or allocates, a connection to a sound
/// server. With `hw:` they are system calls that do not block.
struct PlaybackState {
  let pcm: OpaquePointer
  /// The same; kept by the ``Playback``.
  let device: Unmanaged<PCM>
  var settings: PCMSettings
  let renderer: Renderer
  let gate: CallbackGate
  let news: DeviceEventFlags
  /// Left, right, and silence; a period each.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// One for each channel of the device, of our own buffer, if it is written to.
  let transfer: UnsafeMutablePointer<snd_pcm_channel_area_t>?
  let status: OpaquePointer
  /// What poll() waits for: the wish to end the thread, then the device.
  let descriptors: UnsafeMutablePointer<pollfd>
  /// Of the next cycle's first frame.
  var position: Int64 = 0
  /// When that frame is heard, if nothing is missed.
  var expectedTime: Int64?
  /// When the device took a cycle, or was asked to begin.
  var progressTime: Int64 = 0
  /// Whether its buffer is too short for it.
  var runs: BufferRuns
  /// Whether it has taken a cycle.
  var hasPlayed = false
  /// Whether it has run out of sound since it took the last one.
  var hasRunOut = false
  var isRunning = false
  /// Whether it has to be asked how much was missed.
  var hasStopped = false

  /// Plays until the thread is to end.
  ///
  /// - Throws: When the device is lost.
  mutating func run() throws(PCMFailure) {
    progressTime = MonotonicClock.now
    while isRunning ? wait(milliseconds: 1000) : rest(milliseconds: 1) {
      do throws(PCMFailure) {
        if isRunning { try play() } else { try restart() }
      } catch {
        try recover(from: error)
      }
      let idle = MonotonicClock.now - progressTime
      if hasPlayed ? idle > Self.idleTime : idle > Self.initialIdleTime {
        throw .failed(code: hasRunOut ? EPIPE : hasPlayed ? ETIME : ENODATA)
      }
    }
  }

  /// Renders as many periods as there is room for.
  private mutating func play() throws(PCMFailure) {
    var room = Int(try check(snd_pcm_avail_update(pcm)))
    if room < settings.period {
      try update()
      // Some plugins wake us before it is time; and one that always did would take the whole processor.
      rest(milliseconds: 1)
    }
    while room >= settings.period {
      try update()
      let isRendered = render(at: timeOfNextFrame)
      try deliver(settings.period, isSilent: !isRendered)
      room -= settings.period
      runs.countPeriod()
      progressTime = MonotonicClock.now
      hasPlayed = true
      hasRunOut = false
    }
  }

  /// Fills the buffer with silence, and starts the device.
  private mutating func restart() throws(PCMFailure) {
    try check(snd_pcm_prepare(pcm))
    var room = Int(try check(snd_pcm_avail_update(pcm)))
    while room > 0 {
      let frames = min(room, settings.period)
      try deliver(frames, isSilent: true)
      room -= frames
    }
    try check(snd_pcm_start(pcm))
    isRunning = true
    hasStopped = true
  }

  /// Goes on after what can be mended.
  private mutating func recover(from failure: PCMFailure) throws(PCMFailure) {
    switch failure {
    case .failed(EAGAIN), .failed(EINTR): break
    case .failed(EPIPE):
      if isRunning { try endRun() }
      isRunning = false
      hasRunOut = true
    case .failed(ESTRPIPE): resume()
    default: throw failure
    }
  }

  /// The device has run out of sound.
  private mutating func endRun() throws(PCMFailure) {
    if runs.end(), try lengthenBuffer() { return }
    news.countXrun()
  }

  /// Waits until the device is awake again.
  private mutating func resume() {
    var result = snd_pcm_resume(pcm)
    while result == -EAGAIN {
      if !rest(milliseconds: 100) { return }
      result = snd_pcm_resume(pcm)
    }
    // Many cannot go on where they stopped, and begin anew.
    isRunning = result == 0
    hasStopped = true
    progressTime = MonotonicClock.now
    news.countResumption()
  }

  /// Renders one period. This is what has to be in time.
  ///
  /// - Returns: `false` when the renderer must not be called any more.
  @_noLocks private mutating func render(at time: Int64) -> Bool {
    guard gate.enter() else { return false }
    RealtimeSection.begin()
    skipTo(time)
    var cycle = RenderCycle(
      midi: MIDICycle(
        frames: settings.period, events: UnsafeBufferPointer(start: nil, count: 0),
        sysEx: UnsafeBufferPointer(start: nil, count: 0)),
      position: position, hostTime: time, output: UnsafePointer(channels))
    _ = renderer.render(&cycle)
    if settings.channels == 1 { mixToMono() }
    position += Int64(settings.period)
    RealtimeSection.end()
    gate.leave()
    return true
  }
}
