import Components
import Effects
import FluidSynthInstrument
import Glibc
import HostConnection
import LiveCore
import MIDIFile
import NodeHost
import OfflineRenderer
import RenderCore
import SongHost
import Synchronization

/// Plays a song so that it is heard, until it is over or somebody has enough of it.
///
/// Threads: the program's first, which looks after everything about thirty times a second; the device has its own.
final class LivePlay {
  let options: PlayOptions
  private let connector: NodeConnector
  private let title: String
  let range: FrameRange
  let host: LiveHost
  private let panel: PlayPanel?
  private let news = DeviceNews()
  private let recorder: LiveRecorder
  /// Frames from a cycle of the device's until it is heard.
  private let deviceLatency: Int
  private var voices: Int?
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
    let input = options.render.inputs[0]
    title = song.title ?? input.split(separator: "/").last.map(String.init) ?? input
    let device = try Self.open(options)
    let format = device.format
    guard format.channels == 2 else {
      throw Failure(
        .failed, "\(device.summary): play needs two channels, but it has \(format.channels)")
    }
    do throws(RenderError) {
      var settings = options.song.settings
      settings.sampleRate = format.sampleRate
      range = try FrameRange(song, settings)
    } catch {
      throw Failure(error, input: input)
    }
    try connector.initialize(
      chains, format, mode: .realtime, priority: try Self.permittedPriority())
    let rack = NodeRack(
      chains, metronome: try Self.metronome(format, options), maximumFrames: format.maximumFrames)
    deviceLatency = device.latency
    host = LiveHost(
      range.timeline, rack: rack, device: device, loop: try Self.loop(options, range),
      countIn: options.countIn, end: Int64(range.end))
    rack.isClicking = options.hasMetronome
    recorder = LiveRecorder(host, range.timeline.beatMap, song: input, wish: options.record)
    if options.loops {
      do throws(LoopError) { try host.loop() } catch { throw .usage("--loop: \(error)") }
    }
    panel = options.speaks ? PlayPanel(title: title, length: range.timeline.seconds) : nil
  }

  func run() throws(Failure) -> (SongReport, [PlayReport]) {
    for connection in host.rack.connections {
      connection.takeCommands(Set(RemoteCommand.Kind.allCases)) { [host] in host.obey($0) }
      connection.onNotice = { [news] in
        if case .latency = $0 { news.mustAlign.store(true, ordering: .relaxed) }
      }
    }
    if options.record != nil { connector.say(try recorder.begin()) }
    defer { panel?.leave() }
    do {
      try host.start(at: Int64(range.start)) { [news] in news.hear($0) }
    } catch {
      host.stop()
      throw Failure(.failed, "\(error)")
    }
    let result = Result { () throws(Failure) in try watch() }
    host.stop()
    for sentence in recorder.end() { say(sentence) }
    let xruns = news.xruns.load(ordering: .relaxed)
    if xruns > 1 { say("the sound was interrupted \(xruns) times") }
    try result.get()
    if let failure = recorder.failure { throw failure }
    return report
  }

  /// Until it is over.
  private func watch() throws(Failure) {
    while !isOver() {
      usleep(UInt32(Self.interval * 1e6))
      if let signal = Interruption.signal { throw .interrupted(by: signal) }
      if let fault = host.rack.fault { throw Failure(.failed, fault) }
      if let reason = news.loss { throw Failure(.failed, "the sound has stopped: \(reason)") }
      // The first of its kind; how many there were is said in the end.
      for sentence in news.take() { say("warning: \(sentence)") }
      if news.mustAlign.exchange(false, ordering: .relaxed) { host.rack.align() }
      for wish in panel?.wishes(host.song) ?? [] {
        if wish == .quit { return }
        follow(wish)
      }
      for sentence in recorder.look() { say(sentence) }
      look()
    }
  }

  private func follow(_ wish: PlayPanel.Wish) {
    switch wish {
    case .command(let command): host.obey(command)
    case .toggleLoop:
      if !host.obey(.loop(isOn: host.song.loop == nil)) { say("the song is too short to loop") }
    case .toggleMetronome: host.rack.isClicking.toggle()
    case .quit: break
    }
  }

  private func look() {
    let peaks = host.figures.takePeaks()
    if let panel {
      if looks % 30 == 0 {
        voices = connector.noteFigures(of: host.rack.chains[0][0])?.voices
      }
      looks += 1
      panel.draw(host, peaks: peaks, voices: voices)
    }
    let isQuiet = max(peaks.left, peaks.right) < Self.threshold
    silence = isQuiet ? silence + Self.interval : 0
  }

  /// When the tail began.
  private var tail: ContinuousClock.Instant?

  /// Whether the song and its tail are over. One that loops, or that somebody has stopped, goes on.
  private func isOver() -> Bool {
    let (song, frame) = (host.song, host.figures.songFrame)
    guard !song.isPlaying, song.frame == Int64(range.end), frame >= song.frame else {
      tail = nil
      return false
    }
    if tail == nil { tail = .now }
    let passed = tail.map { (.now - $0) / .seconds(1) } ?? 0
    let rate = Double(range.timeline.sampleRate)
    let late = Double(host.rack.latency + deviceLatency) / rate
    if range.endsInSilence, silence > 0.5 + late { return true }
    return passed >= Double(range.limit - range.end) / rate + late
  }

  func say(_ sentence: String) {
    if let panel { panel.say(sentence) } else { connector.say(sentence) }
  }
}

extension LivePlay {
  /// What was not as it should be.
  var warnings: [String] {
    func sentence(_ count: Int, _ text: String) -> [String] {
      count > 0 ? ["\(count) \(text)"] : []
    }
    return sentence(
      host.figures.unplanned,
      "times the song stood still, for the machine was too busy: use longer cycles (--cycle)")
      + sentence(host.delayedEvents, "events came late, for there were too many at once")
      + sentence(
        host.figures.refusedEvents, "events were left out, for a node was late and had no more room"
      )
      + sentence(host.tap.refused, "frames are missing in what was recorded: the disk was too slow")
  }

  private var report: (SongReport, [PlayReport]) {
    var report = SongReport()
    report.audio.seconds = range.timeline.seconds
    report.statistics.notes = range.timeline.noteCount
    if let figures = connector.noteFigures(of: host.rack.chains[0][0]) {
      report.statistics.take(figures)
    }
    return (report, host.rack.connections.map { PlayReport($0) })
  }
}
