import CALSA
import Glibc
import LiveAudio
import RenderCore
import Threads

/// The state of a device's playback thread.
///
/// Created and destroyed on another thread. The alsa-lib calls are outside the realtime section, because the device
/// may be a plugin that locks or allocates, or a connection to a sound server. With `hw:` they are system calls that
/// do not block.
struct PlaybackState {
  let pcm: OpaquePointer
  /// The same device; retained by the ``Playback``.
  let device: Unmanaged<PCM>
  var settings: PCMSettings
  let renderer: Renderer
  let gate: CallbackGate
  let flags: DeviceEventFlags
  /// Left, right, and silence; one period each.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// One area of our own buffer for each device channel; `nil` if the device's buffer is memory-mapped.
  let transfer: UnsafeMutablePointer<snd_pcm_channel_area_t>?
  let status: OpaquePointer
  /// The descriptors for poll(): the shutdown descriptor, then the device's.
  let descriptors: UnsafeMutablePointer<pollfd>
  /// The position of the next cycle's first frame.
  var position: Int64 = 0
  /// The time at which that frame is heard if no frames are missed, in nanoseconds.
  var expectedTime: Int64?
  /// The time at which the device last accepted a cycle or was started, in nanoseconds.
  var progressTime: Int64 = 0
  /// Detects that the device's buffer is too short.
  var runs: BufferRuns
  var pace: PlaybackPace
  /// Whether the device has accepted a cycle.
  var hasPlayed = false
  /// Whether the device has underrun since the last cycle.
  var hasRunOut = false
  var isRunning = false
  /// Whether the missed frames have to be determined.
  var hasStopped = false

  /// Plays until the thread has to end.
  ///
  /// - Throws: If the device is lost.
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
      // Some plugins wake us too early. Without a pause, one that always does would use a whole CPU.
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
      let early = pace.add(settings.period, buffer: settings.buffer, at: progressTime)
      if early > 0 {
        rest(milliseconds: CInt(early / 1_000_000 + 1))
        return
      }
    }
  }

  /// Fills the buffer with silence and starts the device.
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

  /// Recovers from temporary errors; throws all others.
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

  /// Handles an underrun: lengthens the buffer if it is too short, otherwise counts an xrun.
  private mutating func endRun() throws(PCMFailure) {
    if runs.end(), try lengthenBuffer() { return }
    flags.countXrun()
  }

  /// Waits until the device is awake again.
  private mutating func resume() {
    var result = snd_pcm_resume(pcm)
    while result == -EAGAIN {
      if !rest(milliseconds: 100) { return }
      result = snd_pcm_resume(pcm)
    }
    // Many devices cannot resume where they stopped, and have to be restarted.
    isRunning = result == 0
    hasStopped = true
    progressTime = MonotonicClock.now
    flags.countResumption()
  }

  /// Renders one period. This call must meet the deadline.
  ///
  /// - Returns: `false` if the renderer must not be called any more.
  @_noLocks private mutating func render(at time: Int64) -> Bool {
    guard gate.acquire() else { return false }
    RealtimeSection.begin()
    skipTo(time)
    var cycle = RenderCycle(
      midi: MIDICycle(frames: settings.period), position: position, hostTime: time,
      output: UnsafePointer(channels))
    _ = renderer.render(&cycle)
    if settings.channels == 1 { mixToMono() }
    position += Int64(settings.period)
    RealtimeSection.end()
    gate.release()
    return true
  }
}
