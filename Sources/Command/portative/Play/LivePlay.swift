import BatchRenderer
import Effects
import FluidSynthEngine
import Glibc
import LiveAudio
import LiveMIDI
import LocalSystem
import MIDIFile
import NodeDirectory
import NodeHost
import NodeProtocol
import OfflineRenderer
import RenderCore
import SongHost
import Synchronization

/// Plays a song so that it is heard, until it is over or somebody has enough of it.
///
/// A node or a sound device that is gone does not end it: the song goes on, and they are taken back; see
/// `LivePlay+Recovery.swift`.
///
/// Threads: the program's first, which looks after everything about thirty times a second; the device has its own.
final class LivePlay {
  let options: PlayOptions
  let connector: NodeConnector
  let song: StandardMIDIFile
  private let title: String
  /// At the rate of the device, as ``host``.
  var range: FrameRange
  var host: LiveHost
  let panel: PlayPanel?
  var news = DeviceEventLog()
  let recorder: LiveRecorder
  let voices = VoiceCount()
  /// What the device's thread has; 0 where it is refused.
  let priority: Int
  /// The longest cycle that the nodes can render.
  var maximumFrames: Int
  /// Of devices and hosts before.
  var earlierXruns = 0
  var totals = LiveTotals()
  /// What was said of devices' threads.
  var said: Set<String> = []

  /// The device while it is looked for, and those chains of which a node is.
  var deviceAbsence: Absence?
  var deviceSearch: DeviceSearch?
  var deviceWatch = DeviceWatch()
  var absences: [Int: Absence] = [:]
  var revivals: [Int: NodeRevival] = [:]
  /// What is said should a chain stay away.
  var faults: [Int: String] = [:]
  var deviceFault = ""

  private var looks = 0
  /// Seconds for which nothing was heard.
  private var silence = 0.0

  /// Seconds between two looks.
  private static let interval = 1.0 / 30
  /// What is less is silence: −90 dBFS, as of a rendered tail.
  private static let threshold: Float = 3.2e-5

  /// - Parameters:
  ///   - connector: For what it says, and for figures.
  ///   - chains: Connected, and not initialized.
  init(
    _ song: StandardMIDIFile, _ options: PlayOptions, _ connector: NodeConnector,
    _ chains: [[Connection]]
  ) throws(Failure) {
    self.options = options
    self.connector = connector
    self.song = song
    let input = options.render.inputs[0]
    title = song.title ?? input.split(separator: "/").last.map(String.init) ?? input
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
    recorder = LiveRecorder(host, range.timeline.beatMap, song: input, wish: options.record)
    if options.loops {
      do throws(LoopError) { try host.loop() } catch { throw .usage("--loop: \(error)") }
    }
    panel = options.speaks ? PlayPanel(title: title, length: range.timeline.seconds) : nil
  }

  func run() throws(Failure) -> (SongReport, [PlayReport]) {
    host.mixer.connections.forEach(adopt)
    setRecordedTail()
    if options.record != nil { connector.say(try recorder.begin()) }
    defer { panel?.leave() }
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

  /// Takes what a node commands and says.
  func adopt(_ connection: Connection) {
    connection.acceptCommands(Set(RemoteCommand.Kind.allCases)) { [remote] in remote.obey($0) }
    connection.onNotice = { [remote] in
      if case .latency = $0 { remote.mustAlign.store(true, ordering: .relaxed) }
    }
  }

  /// What nodes command and say.
  let remote = NodeCommands()

  /// Until it is over.
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
      for wish in panel?.wishes(host.song) ?? [] {
        if wish == .quit { return }
        follow(wish)
      }
      for sentence in recorder.look() { say(sentence) }
      look()
    }
  }

  /// The first of its kind; how many there were is said in the end.
  private func tellNews() {
    for sentence in news.take() where said.insert(sentence).inserted { say("warning: \(sentence)") }
  }

  func alignChains() {
    host.mixer.align()
    setRecordedTail()
  }

  /// A take of a tail of so many frames ends on the last of them, and not with the device's cycle.
  func setRecordedTail() {
    host.setRecordedTail(
      range.endsInSilence ? nil : range.limit - range.end + host.mixer.latency)
  }

  private func follow(_ wish: PlayPanel.Wish) {
    switch wish {
    case .command(let command): host.execute(command)
    case .toggleLoop:
      if !host.execute(.loop(isOn: host.song.loop == nil)) { say("the song is too short to loop") }
    case .toggleMetronome: host.mixer.isClicking.toggle()
    case .toggleHelp: panel?.toggleHelp()
    case .quit: break
    }
  }

  private func look() {
    let peaks = host.figures.readAndResetPeaks()
    if let panel {
      if looks % 30 == 0, absences[0] == nil { voices.ask(connector, host.mixer.chains[0][0]) }
      looks += 1
      panel.draw(host, peaks: peaks, voices: voices.voices)
    }
    let isQuiet = max(peaks.left, peaks.right) < Self.threshold
    silence = isQuiet ? silence + Self.interval : 0
  }

  /// Frames rendered when the tail was found to have begun, by the present host.
  var tail: Int64?

  /// Whether the song and its tail are over. One that loops, or that somebody has stopped, goes on.
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

  func say(_ sentence: String) {
    if let panel { panel.say(sentence) } else { connector.say(sentence) }
  }
}

extension LivePlay {
  /// What was not as it should be.
  var warnings: [String] { totals.warnings }

  private var report: (SongReport, [PlayReport]) {
    var report = SongReport()
    report.audio.seconds = range.timeline.seconds
    report.statistics.notes = range.timeline.noteCount
    if absences[0] == nil, let figures = connector.noteFigures(of: host.mixer.chains[0][0]) {
      report.statistics.take(figures)
    }
    return (report, PlayReport.all(of: host.mixer))
  }
}
