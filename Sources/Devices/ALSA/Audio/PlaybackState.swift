import CALSA
import Glibc
import LiveAudio
import LiveMIDI
import LocalSystem
import RenderCore

/// The state of a device's playback thread.
///
/// Created and destroyed on another thread. The alsa-lib calls are outside the realtime section, because the device
/// may be a plugin that locks or allocates, or a connection to a sound server. With `hw:` they are system calls that
/// do not block.
struct PlaybackState {
  private let pcm: OpaquePointer
  /// The same device; retained by the ``Playback``.
  private let device: Unmanaged<PCM>
  private var settings: PCMSettings
  private let renderer: Renderer
  private let gate: CallbackGate
  private let flags: DeviceEventFlags
  /// Left, right, and silence; one period each.
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// One area of our own buffer for each device channel; `nil` if the device's buffer is memory-mapped.
  private let transfer: UnsafeMutablePointer<snd_pcm_channel_area_t>?
  private let status: OpaquePointer
  /// The descriptors for poll(): the shutdown descriptor, then the device's.
  private let descriptors: UnsafeMutablePointer<pollfd>
  /// The position of the next cycle's first frame.
  private var position: Int64 = 0
  /// The time at which that frame is heard if no frames are missed, in nanoseconds.
  private var expectedTime: Int64?
  /// The time at which the device last accepted a cycle or was started, in nanoseconds.
  private var progressTime: Int64 = 0
  /// Detects that the device's buffer is too short.
  private var runs: BufferRuns
  private var pace: PlaybackPace
  /// Whether the device has accepted a cycle.
  private var hasPlayed = false
  /// Whether the device has underrun since the last cycle.
  private var hasRunOut = false
  private var isRunning = false
  /// Whether the missed frames have to be determined.
  private var hasStopped = false

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

extension PlaybackState {
  /// The greatest buffer length after lengthening, in frames: 0.34 s at 48 kHz.
  private static let longestBuffer = 16_384

  /// Doubles the device's buffer. The period, and so the cycle length, does not change.
  ///
  /// - Returns: `false` if the buffer cannot be lengthened further.
  /// - Throws: If the device no longer supports its other settings.
  private mutating func lengthenBuffer() throws(PCMFailure) -> Bool {
    let periods = 2 * settings.buffer / settings.period
    guard periods * settings.period <= Self.longestBuffer else { return false }
    let device = device.takeUnretainedValue()
    device.release()
    let present = settings
    settings = try device.configure(
      PCMRequest(
        rate: present.rate, period: present.period, periods: periods,
        encodings: [present.encoding], accesses: [present.access]))
    guard settings.format == present.format, settings.channels == present.channels else {
      throw .failed(code: EIO)
    }
    if settings.buffer <= present.buffer { return false }
    flags.reportBuffer(frames: settings.buffer)
    return true
  }
}

extension PlaybackState {
  /// Writes frames to the device, which must have room for them.
  ///
  /// - Parameter frames: The number of frames from the start of ``channels``, one period at most.
  private mutating func deliver(_ frames: Int, isSilent: Bool) throws(PCMFailure) {
    if let transfer {
      convert(to: transfer, at: 0, from: 0, frames, isSilent: isSilent)
      try write(frames, from: transfer)
    } else {
      try fill(frames, isSilent: isSilent)
    }
  }

  /// Writes into the device's memory-mapped buffer, which may wrap around.
  private func fill(_ frames: Int, isSilent: Bool) throws(PCMFailure) {
    var done = 0
    while done < frames {
      var areas: UnsafePointer<snd_pcm_channel_area_t>?
      var offset: snd_pcm_uframes_t = 0
      var count = snd_pcm_uframes_t(frames - done)
      try check(snd_pcm_mmap_begin(pcm, &areas, &offset, &count))
      guard let areas, count > 0 else { throw .failed(code: EPIPE) }
      convert(to: areas, at: Int(offset), from: done, Int(count), isSilent: isSilent)
      // Fewer frames are committed if the device has just stopped.
      guard try check(snd_pcm_mmap_commit(pcm, offset, count)) == snd_pcm_sframes_t(count) else {
        throw .failed(code: EPIPE)
      }
      done += Int(count)
    }
  }

  private func write(
    _ frames: Int, from areas: UnsafeMutablePointer<snd_pcm_channel_area_t>
  ) throws(PCMFailure) {
    let frameSize = settings.channels * settings.encoding.size
    var done = 0
    while done < frames {
      let written = snd_pcm_writei(
        pcm, areas.pointee.addr + done * frameSize, snd_pcm_uframes_t(frames - done))
      if written == -snd_pcm_sframes_t(EAGAIN) {
        if !rest(milliseconds: 1) { return }
      } else {
        done += Int(try check(written))
      }
    }
  }

  /// Converts samples to the device's encoding.
  ///
  /// - Parameters:
  ///   - offset: The index of the first frame in the areas.
  ///   - first: The index of the first frame in ``channels``.
  @_noLocks private func convert(
    to areas: UnsafePointer<snd_pcm_channel_area_t>, at offset: Int, from first: Int, _ count: Int,
    isSilent: Bool
  ) {
    RealtimeSection.begin()
    for channel in 0..<settings.channels {
      let area = areas[channel]
      let step = Int(area.step) / 8
      settings.encoding.write(
        channels[isSilent ? 2 : min(channel, 2)] + first, count: count,
        to: area.addr + Int(area.first) / 8 + offset * step, step: step)
    }
    RealtimeSection.end()
  }

  /// Replaces the left channel by the mean of both.
  @_noLocks private func mixToMono() {
    for frame in 0..<settings.period {
      channels[0][frame] = (channels[0][frame] + channels[1][frame]) / 2
    }
  }
}

/// Creation, on another thread than the playback thread.
extension PlaybackState {
  /// - Parameter shutdownSignal: Ends the thread; must outlive this state.
  init(
    _ pcm: PCM, _ settings: PCMSettings, _ renderer: Renderer, _ gate: CallbackGate,
    _ flags: DeviceEventFlags, shutdownSignal: ShutdownSignal, in memory: RenderMemory
  ) throws(PCMFailure) {
    let status = try PCM.allocated(snd_pcm_status_malloc)
    memory.onRelease { snd_pcm_status_free(status) }
    self.status = status
    self.pcm = pcm.handle
    device = .passUnretained(pcm)
    self.settings = settings
    pace = PlaybackPace(rate: settings.rate, at: MonotonicClock.now)
    runs = BufferRuns(isFixed: snd_pcm_type(pcm.handle) == SND_PCM_TYPE_HW)
    self.renderer = renderer
    self.gate = gate
    self.flags = flags
    channels = memory.makeEach(3) { _ in memory.make(settings.period, of: 0) }
    transfer = settings.access.isMapped ? nil : Self.makeTransfer(settings, in: memory)
    descriptors = memory.make(1 + Self.maximumDescriptors, of: pollfd())
    descriptors.pointee = pollfd(fd: shutdownSignal.reading, events: Int16(POLLIN), revents: 0)
  }

  /// Allocates an interleaved buffer of one period, with one area per channel.
  private static func makeTransfer(
    _ settings: PCMSettings, in memory: RenderMemory
  ) -> UnsafeMutablePointer<snd_pcm_channel_area_t> {
    let size = settings.encoding.size
    let bytes: UnsafeMutablePointer<UInt8> = memory.make(
      settings.period * settings.channels * size, of: 0)
    return memory.makeEach(settings.channels) { channel in
      snd_pcm_channel_area_t(
        addr: bytes, first: UInt32(8 * size * channel), step: UInt32(8 * size * settings.channels))
    }
  }
}

extension PlaybackState {
  /// Reads the device's status.
  ///
  /// - Throws: If the device has stopped.
  private func update() throws(PCMFailure) {
    try check(snd_pcm_status(pcm, status))
    switch snd_pcm_status_get_state(status) {
    case SND_PCM_STATE_XRUN: throw .failed(code: EPIPE)
    case SND_PCM_STATE_SUSPENDED: throw .failed(code: ESTRPIPE)
    case SND_PCM_STATE_DISCONNECTED: throw .failed(code: ENODEV)
    default: break
    }
  }

  /// The ``MonotonicClock`` time at which the next frame written to the device will be heard, in nanoseconds. It is
  /// calculated from the delay and timestamp at the last ``update()``.
  private var timeOfNextFrame: Int64 {
    Self.time(
      of: Int(snd_pcm_status_get_delay(status)), at: settings.rate,
      after: settings.stamp(of: status), now: MonotonicClock.now)
  }

  /// Returns the time at which a frame is heard, in nanoseconds.
  ///
  /// - Parameters:
  ///   - delay: The number of frames before it; clamped, because a plugin may report any value.
  ///   - stamp: The time at which `delay` was measured. If it is implausible, because a plugin has no timestamp or uses
  ///     another clock, `now` is used.
  static func time(of delay: Int, at rate: Int, after stamp: Int64, now: Int64) -> Int64 {
    let isPlausible = stamp <= now && now - stamp < 1_000_000_000
    let delay = Int64(max(0, min(60 * rate, delay)))
    return (isPlausible ? stamp : now) + delay * 1_000_000_000 / Int64(rate)
  }

  /// Advances ``position`` by the frames missed while the device was stopped, so that it stays in step with time.
  @_noLocks private mutating func skipTo(_ time: Int64) {
    let rate = Int64(settings.rate)
    if let expectedTime, hasStopped {
      position += max(0, (time - expectedTime) * rate / 1_000_000_000)
    }
    hasStopped = false
    expectedTime = time + Int64(settings.period) * 1_000_000_000 / rate
  }
}

extension PCMSettings {
  /// Returns the timestamp of a status in nanoseconds; 0 if the device has none.
  func stamp(of status: OpaquePointer) -> Int64 {
    var stamp = timespec()
    if isStamped { snd_pcm_status_get_htstamp(status, &stamp) }
    return Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
  }
}

extension PlaybackState {
  /// The time without progress after which a device counts as lost, in nanoseconds.
  private static let idleTime: Int64 = 5_000_000_000

  /// The same before the first cycle, in nanoseconds: a session manager may take seconds to connect the device.
  private static let initialIdleTime: Int64 = 4_000_000_000

  /// The greatest number of poll descriptors of a device; the number may vary.
  private static let maximumDescriptors = 16

  /// Waits until the device is ready or `milliseconds` have passed.
  ///
  /// - Returns: `false` if the thread has to end.
  private mutating func wait(milliseconds: CInt) -> Bool {
    let own = descriptors + 1
    let count = max(0, snd_pcm_poll_descriptors(pcm, own, UInt32(Self.maximumDescriptors)))
    descriptors.pointee.revents = 0
    poll(descriptors, nfds_t(1 + count), milliseconds)
    if descriptors.pointee.revents != 0 { return false }
    // The next device call reports the state, but some plugins require this call after each wake-up.
    var events: UInt16 = 0
    snd_pcm_poll_descriptors_revents(pcm, own, UInt32(count), &events)
    return true
  }

  /// Waits for `milliseconds`.
  ///
  /// - Returns: `false` if the thread has to end.
  @discardableResult
  func rest(milliseconds: CInt) -> Bool {
    descriptors.pointee.revents = 0
    poll(descriptors, 1, milliseconds)
    return descriptors.pointee.revents == 0
  }
}
