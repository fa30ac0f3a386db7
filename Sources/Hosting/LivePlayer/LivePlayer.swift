import Effects
import FluidSynthEngine
import Glibc
import LiveAudio
import LiveMIDI
package import LocalSystem
package import MIDIFile
import NodeDirectory
package import NodeHost
import NodeProtocol
package import OfflineRenderer
import RenderCore
package import SongHost
import Synchronization

/// Plays a song in real time, until it ends or the user stops it.
///
/// The loss of a node or of the sound device does not end the song: it continues, and they are used again when they are
/// back; see `LivePlayer+Recovery.swift`.
///
/// Threads: the program's main thread, which checks everything about 30 times per second. The device has a thread of
/// its own.
package final class LivePlayer {
  let options: LivePlayerSettings
  let connector: NodeConnector
  let song: StandardMIDIFile
  /// The frame range at the rate of the device, like ``host``.
  var range: FrameRange
  var host: LiveHost
  private var observer: any LivePlayerObserver = NoObserver()
  var news = DeviceEventLog()
  let recorder: LiveRecorder
  let voices = VoiceCount()
  /// The realtime priority of the device's thread; 0 if it is denied.
  let priority: Int
  /// The longest cycle that the nodes can render, in frames.
  var maximumFrames: Int
  /// The number of xruns of earlier devices and hosts.
  var earlierXruns = 0
  var totals = LiveTotals()
  /// The warnings about the device that were reported; each is reported once.
  var said: Set<String> = []

  /// The absence of the device and, by index, of chains that miss a node. It is kept for a while after the return.
  var deviceAbsence: Absence?
  var deviceSearch: DeviceSearch?
  var deviceWatch = DeviceWatch()
  var absences: [Int: Absence] = [:]
  var revivals: [Int: NodeRevival] = [:]
  /// The error messages, by index, for chains that do not come back.
  var faults: [Int: String] = [:]
  var deviceFault = ""

  private var looks = 0
  /// The seconds since the output became silent.
  private var silence = 0.0

  /// The seconds between two checks.
  private static let interval = 1.0 / 30
  /// The peak below which the output is silent: −90 dBFS, as for a rendered tail.
  private static let threshold: Float = 3.2e-5

  /// Opens the device and initializes the nodes.
  ///
  /// - Parameters:
  ///   - connector: Initializes the nodes, reports messages and reads the nodes' figures.
  ///   - chains: Connected but not initialized.
  package init(
    _ song: StandardMIDIFile, _ options: LivePlayerSettings, _ connector: NodeConnector,
    _ chains: [[Connection]]
  ) throws(Failure) {
    self.options = options
    self.connector = connector
    self.song = song
    let device = try Self.open(options)
    let format = device.format
    guard format.channels == 2 else {
      throw Failure(
        .failed, "\(device.summary): play needs two channels, but it has \(format.channels)")
    }
    range = try Self.range(song, options, sampleRate: format.sampleRate)
    priority = try Self.permittedPriority()
    try connector.initialize(chains, format, mode: .realtime, priority: priority)
    maximumFrames = format.maximumFrames
    let mixer = NodeMixer(
      chains, metronome: try Self.metronome(format, options), maximumFrames: format.maximumFrames)
    mixer.isClicking = options.hasMetronome
    host = LiveHost(
      range.timeline, mixer: mixer, device: device, loop: try Self.loop(options, range),
      countIn: options.countIn, end: Int64(range.end))
    recorder = LiveRecorder(host, range.timeline.beatMap, song: options.song, wish: options.recording)
    if options.isLooping {
      do throws(LoopError) { try host.loop() } catch { throw .usage("--loop: \(error)") }
    }
  }

  package func run(_ observer: any LivePlayerObserver) throws(Failure) -> SongReport {
    self.observer = observer
    host.mixer.connections.forEach(adopt)
    setRecordedTail()
    if options.recording != nil { connector.say(try recorder.begin()) }
    do {
      try host.start(at: Int64(range.start)) { [news] in news.hear($0) }
    } catch {
      host.stop()
      throw Failure(.failed, "\(error)")
    }
    let result = Result { () throws(Failure) in try watch() }
    endRecovery()
    host.stop()
    for sentence in recorder.end() { say(sentence) }
    totals.add(host)
    let xruns = earlierXruns + news.xruns.load(ordering: .relaxed)
    if xruns > 1 { say("the sound was interrupted \(xruns) times") }
    try result.get()
    if let failure = recorder.failure { throw failure }
    return report
  }

  /// Accepts the commands and notices of a node.
  func adopt(_ connection: Connection) {
    connection.acceptCommands(Set(RemoteCommand.Kind.allCases)) { [remote] in remote.obey($0) }
    connection.onNotice = { [remote] in
      if case .latency = $0 { remote.mustAlign.store(true, ordering: .relaxed) }
    }
  }

  /// The handler of the nodes' commands and notices.
  let remote = NodeCommands()

  /// Checks everything periodically until the song is over or the user quits.
  private func watch() throws(Failure) {
    remote.host.withLock { $0 = host }
    defer { remote.host.withLock { $0 = nil } }
    while !isOver() {
      usleep(UInt32(Self.interval * 1e6))
      if let signal = Interruption.signal { throw .interrupted(by: signal) }
      try lookAfterDevice()
      try lookAfterNodes()
      tellNews()
      if remote.mustAlign.exchange(false, ordering: .relaxed) { alignChains() }
      for sentence in recorder.look() { say(sentence) }
      for request in look() {
        if request == .quit { return }
        follow(request)
      }
    }
  }

  /// Reports the first event of each kind; the number of xruns is reported at the end.
  private func tellNews() {
    for sentence in news.take() where said.insert(sentence).inserted { say("warning: \(sentence)") }
  }

  func alignChains() {
    host.mixer.align()
    setRecordedTail()
  }

  /// Limits what is recorded after the song's end to the tail, so that a recording with a tail of fixed length ends on
  /// its last frame and not at the end of a device cycle.
  func setRecordedTail() {
    host.setRecordedTail(
      range.endsInSilence ? nil : range.limit - range.end + host.mixer.latency)
  }

  private func follow(_ request: LivePlayerRequest) {
    switch request {
    case .command(let command):
      if !host.execute(command), case .loop = command { say("the song is too short to loop") }
    case .toggleMetronome: host.mixer.isClicking.toggle()
    case .quit: break
    }
  }

  private func look() -> [LivePlayerRequest] {
    let peaks = host.figures.readAndResetPeaks()
    let isQuiet = max(peaks.left, peaks.right) < Self.threshold
    silence = isQuiet ? silence + Self.interval : 0
    if observer.showsVoices, looks % 30 == 0, absences[0] == nil { voices.ask(connector, host.mixer.chains[0][0]) }
    looks += 1
    return observer.update(
      LivePlayerState(
        song: host.song, isClicking: host.mixer.isClicking, peaks: peaks, voices: voices.voices,
        lateCycles: host.figures.lateCycles))
  }

  /// The number of frames that the current host had rendered when the tail was found to have started; `nil` before.
  var tail: Int64?

  /// Returns whether the song and its tail are over. A song that loops, or that was stopped before its end, is not.
  private func isOver() -> Bool {
    let (song, frame) = (host.song, host.figures.songFrame)
    guard !song.isPlaying, song.frame == Int64(range.end), frame >= song.frame else {
      tail = nil
      return false
    }
    let rendered = host.figures.renderedFrames
    let passed = rendered - (tail ?? rendered)
    if tail == nil { tail = rendered }
    let late = host.mixer.latency + host.deviceLatency
    let rate = Double(range.timeline.sampleRate)
    if range.endsInSilence, silence > 0.5 + Double(late) / rate { return true }
    return passed >= Int64(range.limit - range.end + late)
  }

  func say(_ sentence: String) { observer.report(sentence) }

  /// The length of the song in seconds.
  package var seconds: Double { range.timeline.seconds }
  package var mixer: NodeMixer { host.mixer }
  /// The problems that occurred, as sentences for the user.
  package var warnings: [String] { totals.warnings }

  private var report: SongReport {
    var report = SongReport()
    report.audio.seconds = range.timeline.seconds
    report.statistics.notes = range.timeline.noteCount
    if absences[0] == nil, let figures = connector.noteFigures(of: host.mixer.chains[0][0]) {
      report.statistics.take(figures)
    }
    return report
  }
}

private struct NoObserver: LivePlayerObserver {
  let showsVoices = false
  func report(_ sentence: String) {}
  func update(_ state: LivePlayerState) -> [LivePlayerRequest] { [] }
}
