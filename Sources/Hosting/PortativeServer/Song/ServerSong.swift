import Configuration
import Dispatch
import LiveAudio
import LivePlayer
import LocalSystem
import MIDIFile
package import NodeProtocol
import OfflineRenderer
import Synchronization

/// The song that a server plays beside the keyboards, through the same sound device and through units of its own.
///
/// The song is one of a file; it is loaded, stopped at first, and remains until another one is loaded. It is rendered in
/// the cycles of the device, as by `portative play`.
///
/// Threads: any.
package final class ServerSong: Sendable {
  private let observer: any ServerObserver
  let reader: SongReader
  /// Opens an input of the mix; `nil`: there is no sound device.
  private let open: SongInput.Opening?
  /// Locked while a song is loaded or ended, which may take seconds.
  private let loading = Mutex(())
  /// Follows scenes and controls, in their order.
  private let queue = DispatchQueue(label: "portative-song")
  private let state = Mutex(State())

  private struct State {
    var running: RunningSong?
    var settings = SongSettings()
    /// Why the song that was wanted last is not played.
    var problem: String?
    var revision = 0
    /// The number of scenes with a track that were chosen.
    var trackCount = 0
    var tapTempo = TapTempo()
    var isStopped = false
  }

  /// - Parameters:
  ///   - soundFont: Returns the path of the SoundFont.
  ///   - sampleRate: The frames per second that the device will probably have.
  ///   - open: Opens an input of the mix; `nil`: there is no sound device.
  init(
    soundFont: @escaping @Sendable () throws -> String, sampleRate: Int = 48_000,
    on open: SongInput.Opening?, _ observer: any ServerObserver
  ) {
    reader = SongReader(soundFont, sampleRate: sampleRate)
    (self.open, self.observer) = (open, observer)
  }

  // MARK: Loading

  typealias Source = SongReader.Source

  /// Plays another song, which is stopped at first.
  ///
  /// - Parameters:
  ///   - name: The name for the user, for a file without a title.
  ///   - soundFont: The path of the SoundFont; `nil`: that of the server.
  ///   - settings: How it is played.
  /// - Throws: ``Failure`` if it cannot be played. A file that cannot be read leaves the song before as it is.
  func load(
    _ source: Source, name: String, soundFont: String? = nil, _ settings: SongSettings
  ) throws(Failure) {
    try reportingProblem { () throws(Failure) in
      guard open != nil else {
        throw Failure(
          .failed,
          "a song needs a sound device, but the server has none: start it without --audio none")
      }
      let content = try reader.read(source, name: name, soundFont: soundFont, settings)
      try content.check(settings.changes(content))
      try start(content, settings)
    }
    observer.log("song: \(state.withLock { $0.running?.content.name } ?? name)")
  }

  /// Performs `body`, and keeps its error for the status.
  private func reportingProblem(_ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
      state.withLock { $0.problem = nil }
    } catch {
      state.withLock { $0.problem = error.message }
      throw error
    }
  }

  /// Ends the song of now, and starts another one.
  private func start(_ content: SongContent, _ settings: SongSettings) throws(Failure) {
    guard let open else { return }
    try loading.withLock { _ throws(Failure) in
      state.withLock { $0.running.take() }?.end()
      if state.withLock({ $0.isStopped }) { throw Failure(.failed, "the server is being stopped") }
      let (observer, state) = (observer, WeakSong(self))
      let song = try RunningSong(
        content,
        RunningSong.Beginning(
          changes: settings.changes(content), isClicking: settings.isClicking,
          level: settings.factor),
        on: open,
        report: { observer.log($0) },
        onFailure: { error in
          observer.log(error: "the song '\(content.name)' has ended: \(error.message)")
          state.song?.forget(because: error)
        })
      self.state.withLock { state in
        (state.running, state.settings) = (song, settings)
        state.revision += 1
      }
    }
  }

  private struct WeakSong: Sendable {
    weak let song: ServerSong?
    init(_ song: ServerSong) { self.song = song }
  }

  private func forget(because error: Failure) {
    state.withLock { state in
      state.problem = error.message
      if state.running?.isOver == true { state.running = nil }
    }
  }

  /// Removes the song. What sounds fades out.
  func unload() {
    let name = loading.withLock { _ in
      let running = state.withLock { state in
        state.problem = nil
        return state.running.take()
      }
      running?.end()
      return running?.content.name
    }
    if let name { observer.log("song: '\(name)' removed") }
  }

  /// Removes the song, for good.
  func stop() {
    state.withLock { $0.isStopped = true }
    loading.withLock { _ in state.withLock { $0.running.take() }?.end() }
  }

  // MARK: Playing

  /// Starts, stops or moves the song.
  ///
  /// - Throws: ``Failure`` if there is no song, or if it has no such place.
  func execute(_ command: SongCommand) throws(Failure) {
    let (running, settings) = state.withLock { ($0.running, $0.settings) }
    guard let running else {
      throw Failure(.failed, "no song is loaded: load one first")
    }
    try command.execute(on: running, countIn: settings.countIn)
  }

  /// Changes how the song is played.
  ///
  /// - Throws: ``Failure`` if that is impossible. Nothing has changed then.
  func change(_ body: (inout SongSettings, SongContent) throws(Failure) -> Void) throws(Failure) {
    guard let running = state.withLock({ $0.running }) else {
      throw Failure(.failed, "no song is loaded: load one first")
    }
    let content = running.content
    let before = state.withLock { $0.settings }
    var settings = before
    try body(&settings, content)
    let changes = settings.changes(content)
    let isOther = changes != before.changes(content)
    if isOther { try content.check(changes) }
    let isCurrent = state.withLock { state in
      guard state.running === running else { return false }
      state.settings = settings
      if isOther { state.revision += 1 }
      return true
    }
    guard isCurrent else { return }
    if isOther { running.change(to: changes) }
    running.setLevel(settings.factor)
    running.remote.isClicking = settings.isClicking
  }

  // MARK: Scenes and controls

  /// Follows a scene that was chosen, and reads the song of the next one ahead. Errors are logged. Returns at once.
  func follow(_ scene: SceneSong, next: SceneSong? = nil) {
    defer {
      if let next {
        // After this scene, whose song comes first.
        queue.async { [weak self] in
          self?.reader.prepare(next, for: self?.state.withLock { $0.running?.sampleRate })
        }
      }
    }
    if scene == SceneSong() { return }
    let number = state.withLock { state in
      if scene.track != nil { state.trackCount += 1 }
      return state.trackCount
    }
    queue.async { [weak self] in
      guard let self else { return }
      // The player has gone on to another track meanwhile.
      if scene.track != nil, state.withLock({ $0.trackCount }) != number { return }
      logging { () throws(Failure) in try self.play(scene) }
    }
  }

  /// Follows a control. Errors are logged. Returns at once.
  func follow(_ action: SongAction) {
    // The time of a beat is now, not that of the queue.
    let now = MonotonicClock.now
    let tempo = action == .tapTempo ? state.withLock { $0.tapTempo.tap(at: now) } : nil
    queue.async { [weak self] in
      self?.logging { () throws(Failure) in
        switch action {
        case .toggleTrack: try self?.execute(.togglePlay)
        case .startTrack: try self?.execute(.start)
        case .stopTrack: self?.silence()
        case .toggleClick: try self?.setClicking(self?.isClicking != true)
        case .tapTempo: if let tempo { try self?.setTempo(tempo) }
        }
      }
    }
  }

  /// Stops the song, if there is one.
  func silence() { state.withLock { $0.running }?.remote.execute(.stop) }

  private func logging(_ body: () throws(Failure) -> Void) {
    do throws(Failure) { try body() } catch { observer.log(error: error.message) }
  }

  private func play(_ scene: SceneSong) throws(Failure) {
    let click = scene.click ?? isClicking
    switch scene.track {
    case .song(let track):
      var settings = SongSettings(of: track, in: scene)
      settings.isClicking = click
      do throws(Failure) {
        try load(.path(track.file), name: track.name, settings)
      } catch {
        throw Failure(error.kind, "the song of the scene is not played: \(error.message)")
      }
      if track.start ?? true { try execute(.start) }
    case .stop, nil:
      // Without a song, a metronome clicks alone.
      if scene.track == .stop { unload() }
      if let tempo = scene.tempo { try setTempo(tempo) }
      try setClicking(click)
    }
  }

  /// Sets the tempo of the song and the metronome.
  ///
  /// - Parameter tempo: In quarter notes per minute.
  func setTempo(_ tempo: Double) throws(Failure) {
    let isAlone = state.withLock { state in
      if state.running == nil { state.settings.tempo = .beatsPerMinute(tempo) }
      return state.running == nil
    }
    if isAlone { return }
    var request = ChangeSong()
    request.tempo = tempo
    try change { settings, content throws(Failure) in try settings.follow(request, content) }
  }

  /// Lets the metronome click, with the song while that plays, or alone if none is loaded.
  func setClicking(_ isOn: Bool) throws(Failure) {
    let (running, tempo) = state.withLock { ($0.running, $0.settings.tempo) }
    if let running, running.content.kind != .click {
      return try change { settings, _ in settings.isClicking = isOn }
    }
    if isOn == (running != nil) { return }
    if !isOn { return unload() }
    var settings = SongSettings()
    settings.isClicking = true
    if case .beatsPerMinute = tempo { settings.tempo = tempo }
    try start(SongContent(), settings)
    try execute(.start)
  }

  // MARK: State

  private var isClicking: Bool { state.withLock { $0.running != nil && $0.settings.isClicking } }

  /// How the song is played.
  var settings: SongSettings { state.withLock { $0.settings } }

  /// The song and how it is played; `nil`: none is loaded.
  var contentToRender: (SongContent, SongSettings)? {
    state.withLock { state in state.running.map { ($0.content, state.settings) } }
  }

  /// The song for a program.
  var status: SongStatus {
    let (running, settings, problem, revision) = state.withLock {
      ($0.running, $0.settings, $0.problem, $0.revision)
    }
    return SongStatus(
      song: running.map { NodeSong($0, settings, revision: revision) },
      isClicking: running != nil && settings.isClicking, problem: problem)
  }

  /// The song for the status of the server; `nil`: none is loaded.
  package var report: NodeReport.Song? {
    guard let running = state.withLock({ $0.running }) else { return nil }
    let transport = running.remote.transport
    let position = transport.map { Double($0.frame) / Double($0.map.sampleRate) }
    // A metronome alone has no end.
    let isClick = running.content.kind == .click
    return NodeReport.Song(
      name: running.content.name, position: position ?? 0,
      length: isClick ? 0 : running.timeline?.seconds ?? 0,
      isPlaying: transport?.isPlaying ?? false)
  }

  /// The lyrics and markers of the song.
  var words: [SongWord] {
    state.withLock { $0.running }?.timeline.map { SongWord.all(of: $0) } ?? []
  }

  /// Whether a start of the song sounds as its rendering, because its instruments are new.
  var isFresh: Bool { state.withLock { $0.running }?.remote.isHeld ?? false }

  /// Whether the song is played as ``settings`` say, which takes up to 50 ms after a change.
  var followsSettings: Bool {
    let (running, settings) = state.withLock { ($0.running, $0.settings) }
    guard let running else { return true }
    return running.changes == settings.changes(running.content)
  }

  /// Whether the song's next cycles have been planned, so that a device that is not in real time can request them.
  package var isAhead: Bool { state.withLock { $0.running }?.remote.isAhead ?? true }
}

extension ServerObserver {
  /// Logs an event of the song's player.
  fileprivate func log(_ event: PlayerEvent) {
    switch event {
    case .sound(.device), .sound(.playing), .sound(.returned), .sound(.lost), .sound(.silent):
      // The playback of the ports reports the same device.
      break
    default: log("song: \(event)")
    }
  }
}
