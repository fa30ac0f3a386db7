import LiveAudio
import LocalSystem
import MIDIFile
import NodeDirectory
import NodeHost
import OfflineRenderer
import Options
import RenderCore
import SongHost
import Synchronization
import Threads

// Recovery when a sound device or nodes of a song are lost and return.
//
// Without the device, the song continues in real time without output, so that a recording is complete. Without a node,
// its chain is silent, and the other chains continue; when the node is back, it receives the song's current settings
// and plays from there. An absence longer than `--patience` ends the song.
extension LivePlayer {
  private var patience: Double { options.absenceLimit / .seconds(1) }

  // MARK: The sound device

  func lookAfterDevice() throws(Failure) {
    let now = ContinuousClock.now
    let isStalled = deviceWatch.isStalled(host.figures.renderedFrames)
    if let reason = news.loss {
      try loseDevice(reason, now)
    } else if isStalled, deviceAbsence?.isGone != true {
      try loseDevice("the device requests no more audio", now)
    }
    if let absence = deviceAbsence, absence.isGone {
      if let device = deviceSearch?.take() {
        deviceSearch = nil
        try take(device, now)
      } else if absence.seconds(now) > patience {
        throw Failure(.failed, "the sound has stopped: \(deviceFault)")
      }
    }
    if deviceAbsence?.isOver(now) == true { deviceAbsence = nil }
  }

  private func loseDevice(_ reason: String, _ now: ContinuousClock.Instant) throws(Failure) {
    deviceFault = reason
    deviceWatch = DeviceWatch()
    say("the sound has stopped: \(reason); the song goes on unheard until it is back")
    if deviceAbsence == nil {
      deviceAbsence = Absence(begin: now)
    } else {
      deviceAbsence?.goAgain()
    }
    try change(
      to: PacedDevice(rate: range.timeline.sampleRate, period: maximumFrames))
    let options = options
    deviceSearch = try attempt { () throws(SystemError) in
      try DeviceSearch(after: self.deviceAbsence?.pause ?? 0) { () throws(SoundDeviceError) in
        // A device that can be opened may still request no audio; it is not back then.
        let trial = try options.openDevice()
        try SoundTrial.run(trial, named: trial.summary)
        let device = try options.openDevice()
        guard device.format.channels == 2 else {
          throw SoundDeviceError(
            device: device.summary, isTemporary: true, reason: "play needs two channels")
        }
        return device
      }
    }
  }

  /// Continues on a device that is back, at its current rate and cycle length.
  private func take(_ device: any SoundDevice, _ now: ContinuousClock.Instant) throws(Failure) {
    deviceAbsence?.comeBack(now)
    let format = device.format
    if format.sampleRate == range.timeline.sampleRate, format.maximumFrames <= maximumFrames {
      try change(to: device)
    } else {
      try rebuild(for: device)
    }
    // A device that is lost again immediately is reported as lost.
    if news.loss == nil { say("the sound is back: \(device.summary)") }
  }

  private func change(to device: any SoundDevice) throws(Failure) {
    let news = replaceNews()
    do throws(SoundDeviceError) {
      try host.changeDevice(to: device) { news.hear($0) }
    } catch {
      // A device that opens but does not start is lost. A `PacedDevice` always starts.
      if device is PacedDevice { throw Failure(.failed, error.description) }
      news.hear(.lost(reason: error.reason))
    }
  }

  private func replaceNews() -> DeviceEventLog {
    earlierXruns += news.xruns.load(ordering: .relaxed)
    news = DeviceEventLog()
    return news
  }

  /// Continues at the current position with a new host, for a device of another rate or with longer cycles.
  /// ``lookAfterNodes()`` opens the chains after the nodes have been initialized again.
  private func rebuild(for device: any SoundDevice) throws(Failure) {
    let format = device.format
    let (oldRange, old) = (range, host)
    var place = old.suspend()
    if old.figures.renderedFrames == 0 {
      (place.frame, place.isPlaying) = (Int64(range.start), true)
    }
    revivals.values.forEach { $0.cancel() }
    (revivals, absences, faults) = ([:], [:], [:])
    range = try Self.range(song, options, sampleRate: format.sampleRate)
    move(&place, from: oldRange)
    maximumFrames = format.maximumFrames
    let mixer = NodeMixer(
      old.mixer.chains, metronome: try Self.metronome(format, options),
      maximumFrames: format.maximumFrames, earlier: old.mixer.statistics)
    mixer.isClicking = old.mixer.isClicking
    for chain in mixer.chains.indices { try bringBack(chain, of: mixer, format) }
    host = LiveHost(
      range.timeline, mixer: mixer, device: device, loop: try Self.loop(options, range),
      countIn: options.countIn, end: Int64(range.end), firstTake: old.nextTake)
    for sentence in recorder.move(to: host, range.timeline.beatMap) { say(sentence) }
    totals.add(old)
    tail = nil
    remote.host.withLock { $0 = host }
    setRecordedTail()
    let news = replaceNews()
    do {
      try host.start(resuming: place) { news.hear($0) }
    } catch {
      news.hear(.lost(reason: "\(error)"))
    }
  }

  /// Converts the position to the new rate.
  private func move(_ place: inout SongPosition, from old: FrameRange) {
    // A song that has reached its end stays there at any rate.
    let isOver = !place.isLooping && place.frame >= Int64(old.end)
    let ratio = Double(range.timeline.sampleRate) / Double(old.timeline.sampleRate)
    place.frame =
      isOver ? Int64(range.end) : Int64((Double(place.frame) * ratio).rounded())
    if isOver { place.isPlaying = false }
  }

  // MARK: Nodes

  func lookAfterNodes() throws(Failure) {
    let now = ContinuousClock.now
    for chain in host.mixer.chains.indices {
      if let revival = revivals[chain] {
        if let connections = revival.take() {
          open(chain, with: connections, now)
        } else if let absence = absences[chain], absence.seconds(now) > patience {
          revival.cancel()
          throw Failure(.failed, faults[chain] ?? revival.reason ?? "a node is gone")
        }
      } else if let absent = host.mixer.chains[chain].first(where: { $0.absence != nil }) {
        try lose(chain, absent, now)
      } else if absences[chain]?.isOver(now) == true {
        absences[chain] = nil
      }
    }
  }

  private func lose(
    _ chain: Int, _ absent: Connection, _ now: ContinuousClock.Instant
  ) throws(Failure) {
    faults[chain] = absent.fault(isOffline: false)
    if absences[chain] == nil {
      absences[chain] = Absence(begin: now)
    } else {
      absences[chain]?.goAgain()
      if let absence = absences[chain], absence.seconds(now) > patience {
        throw Failure(.failed, faults[chain] ?? "a node is gone")
      }
    }
    if let reason = absent.absence {
      say("\(reason); the song goes on without it until it is back")
    }
    host.close(chain: chain)
    try bringBack(
      chain, of: host.mixer,
      Format(sampleRate: range.timeline.sampleRate, maximumFrames: maximumFrames))
  }

  private func bringBack(_ chain: Int, of mixer: NodeMixer, _ format: Format) throws(Failure) {
    mixer.close(chain)
    revivals[chain] = try attempt { () throws(SystemError) in
      try NodeRevival(
        mixer.chains[chain], self.connector, format, priority: self.priority,
        after: self.absences[chain]?.pause ?? 0)
    }
  }

  private func open(
    _ chain: Int, with connections: [Connection], _ now: ContinuousClock.Instant
  ) {
    revivals[chain] = nil
    for connection in connections
    where !host.mixer.chains[chain].contains(where: { $0 === connection }) {
      adopt(connection)
    }
    host.open(chain: chain, with: connections)
    setRecordedTail()
    // The chain was only initialized for another rate; no node was absent, so there is nothing to report.
    guard let absence = absences[chain] else { return }
    absences[chain]?.comeBack(now)
    let names = connections.map(\.port.name).joined(separator: " and ")
    say("\(names) plays again, after \(decimal(absence.seconds(now), digits: 1)) s")
  }

  func endRecovery() {
    deviceSearch?.cancel()
    revivals.values.forEach { $0.cancel() }
  }

  private func attempt<Job>(_ body: () throws(SystemError) -> Job) throws(Failure) -> Job {
    do throws(SystemError) {
      return try body()
    } catch {
      throw Failure(.failed, "cannot start a thread: \(error)")
    }
  }
}
