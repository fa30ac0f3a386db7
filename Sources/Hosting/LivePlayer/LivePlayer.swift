import FluidSynthEngine
import Glibc
import LiveAudio
package import LocalSystem
package import MIDIFile
package import NodeHost
import NodeProtocol
package import OfflineRenderer
import RenderCore
package import SongHost
import Synchronization
import Threads

/// Plays a song in real time, until it ends or the observer ends it.
///
/// The loss of a node or of the sound device does not end the song: it continues, and they are used again when they
/// return; see `LivePlayer+Recovery.swift`.
///
/// Threads: one, which checks everything about 30 times per second. The device has a thread of its own.
package final class LivePlayer {
  let settings: LivePlayerSettings
  let file: StandardMIDIFile
  let connector: NodeConnector
  /// The song at the rate of the device, like ``host``.
  var song: LiveSong
  var host: LiveHost
  let recorder: LiveRecorder
  /// The realtime priority of the device's thread; 0 if it is denied.
  let priority: Int
  /// The longest cycle that the nodes can render, in frames.
  var maximumFrames: Int

  var deviceEvents = DeviceEventLog()
  var deviceWatch = DeviceWatch()
  var deviceRecovery = Recovery<any SoundDevice>()
  var chainRecoveries: [Recovery<[Connection]>]
  let commands = NodeCommands()

  var totals = LiveTotals()
  var end = SongEnd()
  private var observer: (any LivePlayerObserver)?
  private let voices = VoiceCount()
  private var checks = 0
  /// The device events that were reported; each is reported once.
  private var reportedEvents: Set<String> = []
  private var timebase = TransportLead.Timebase.nobody

  /// The number of checks per second.
  private static let checkRate = 30

  /// Opens the device and initializes the nodes.
  ///
  /// - Parameters:
  ///   - connector: Initializes the nodes and reads their figures.
  ///   - chains: Connected but not initialized; as many for each port of the song, first those of the first port.
  package init(
    _ file: StandardMIDIFile, _ settings: LivePlayerSettings, _ connector: NodeConnector,
    _ chains: [[Connection]]
  ) throws(Failure) {
    self.settings = settings
    self.connector = connector
    self.file = file
    chainRecoveries = chains.map { _ in Recovery() }
    do {
      let device = try settings.openDevice()
      let format = device.format
      guard format.outputChannels == 2 else {
        throw Failure(
          .failed,
          "a song needs a device with 2 channels, but this one has \(format.outputChannels): \(device.summary)"
        )
      }
      song = try LiveSong(file, settings, sampleRate: format.sampleRate)
      // Requested on another thread, because this one must keep its normal priority.
      priority = try interruptibly {
        (try? RealtimePriority.request(PacedDevice.priority)) ?? 0
      }
      try connector.initialize(chains, format, mode: .realtime, priority: priority)
      maximumFrames = format.maximumFrames
      recorder = LiveRecorder(song.beatMap, song: settings.song, path: settings.recording)
      host = song.host(
        try song.mixer(chains, format, isClicking: settings.hasMetronome), device,
        recording: recorder.song)
      if settings.isLooping {
        do { try host.loop() } catch { throw Failure.usage("--loop: \(error)") }
      }
    } catch {
      throw Failure(error)
    }
  }

  /// The length of the song in seconds.
  package var seconds: Double { song.range.timeline.seconds }
  package var mixer: NodeMixer { host.mixer }
  /// The problems that occurred, as sentences for the user.
  package var warnings: [String] { totals.warnings }

  /// Plays the song. A player plays once.
  package func run(_ observer: any LivePlayerObserver) throws(Failure) -> SongReport {
    self.observer = observer
    do {
      return try run()
    } catch {
      throw Failure(error)
    }
  }

  private func run() throws -> SongReport {
    host.mixer.connections.forEach(commands.follow)
    setRecordedTail()
    if settings.recording != nil { try recorder.begin(host) }
    do {
      try host.start(at: song.start, report: deviceEvents.receive)
    } catch {
      host.stop()
      throw error
    }
    let result = Result { try play() }
    deviceRecovery.cancel()
    chainRecoveries.forEach { $0.cancel() }
    host.stop()
    settings.link?.stop()
    recorder.end(host).forEach { report(.recorder($0)) }
    totals.add(host)
    totals.add(deviceEvents)
    if totals.xruns > 1 { report(.xruns(totals.xruns)) }
    try result.get()
    if let failure = recorder.failure { throw failure }
    return songReport
  }

  /// Checks everything periodically until the song is over or the observer ends it.
  private func play() throws {
    commands.host.withLock { $0 = host }
    defer { commands.host.withLock { $0 = nil } }
    while !end.isReached(host, song) {
      usleep(UInt32(1_000_000 / Self.checkRate))
      if let signal = Interruption.signal { throw Failure.interrupted(by: signal) }
      let now = ContinuousClock.now
      try checkDevice(now)
      try checkNodes(now)
      for event in deviceEvents.take() where reportedEvents.insert(event.description).inserted {
        report(.device(event))
      }
      if commands.takeLatencyChange() {
        host.mixer.align()
        setRecordedTail()
      }
      recorder.update(host).forEach { report(.recorder($0)) }
      if let link = settings.link {
        link.takeLines().forEach { report(.link($0)) }
        link.update(host.song)
      }
      if host.timebase != timebase {
        timebase = host.timebase
        report(.timebase(timebase))
      }
      for request in update() {
        switch request {
        case .quit: return
        case .toggleMetronome: host.mixer.isClicking.toggle()
        case .command(let command):
          if !host.execute(command), case .loop(isOn: true) = command { report(.loopTooShort) }
        }
      }
    }
  }

  /// Limits what is recorded after the song's end to the tail, so that a recording with a tail of fixed length ends on
  /// its last frame and not at the end of a device cycle.
  func setRecordedTail() {
    let range = song.range
    host.setRecordedTail(
      range.endsInSilence ? nil : range.limit - range.end + host.mixer.latency)
  }

  private func update() -> [LivePlayerRequest] {
    let peaks = host.figures.readAndResetPeaks()
    end.follow(peaks, after: 1 / Double(Self.checkRate))
    guard let observer else { return [] }
    if observer.showsVoices, checks % Self.checkRate == 0, chainRecoveries[0].isOver {
      voices.request(connector, host.mixer.chains[0][0])
    }
    checks += 1
    return observer.update(
      LivePlayerState(
        song: host.song, isClicking: host.mixer.isClicking, peaks: peaks, voices: voices.voices,
        lateCycles: host.figures.lateCycles))
  }

  func report(_ event: PlayerEvent) { observer?.report(event) }

  private var songReport: SongReport {
    var report = SongReport()
    report.addRepairs(of: file)
    report.repairs += song.range.timeline.repairs
    report.ports = song.range.timeline.ports
    report.loop = song.range.loop
    report.audio.seconds = seconds
    report.statistics.notes = song.range.timeline.noteCount
    if chainRecoveries[0].isOver, let figures = connector.noteFigures(of: host.mixer.chains[0][0]) {
      report.statistics.set(figures)
    }
    return report
  }
}
