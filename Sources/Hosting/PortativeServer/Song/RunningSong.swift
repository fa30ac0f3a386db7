import Dispatch
import LiveAudio
import LivePlayer
import LocalSystem
import MIDIFile
import NodeHost
import OfflineRenderer
import RenderCore
import Synchronization

/// A song that a ``LivePlayer`` plays on a thread of its own, until it is ended.
///
/// Threads: any.
final class RunningSong: Sendable {
  let content: SongContent
  /// Controls the song at once.
  let remote: SongRemote
  private let input: SongInput
  private let observer: SongObserver

  /// How a song begins.
  struct Beginning: Sendable {
    var changes = SongChanges()
    var isClicking = false
    /// The factor of its samples.
    var level: Float = 1
  }

  /// Prepares the song, which is stopped at first. Waits for the sound device.
  ///
  /// - Parameters:
  ///   - open: Opens an input of the mix.
  ///   - report: Called on the thread of the song.
  ///   - onFailure: Called on the thread of the song if it ends because of an error.
  /// - Throws: ``Failure`` if the song cannot be played.
  init(
    _ content: SongContent, _ beginning: Beginning, on open: @escaping SongInput.Opening,
    report: @escaping @Sendable (PlayerEvent) -> Void,
    onFailure: @escaping @Sendable (Failure) -> Void
  ) throws(Failure) {
    let input = SongInput(open, level: beginning.level)
    let observer = SongObserver(report)
    do throws(SystemError) {
      try SystemThread(name: "portative-song") {
        let failure = Self.run(content, beginning, input, observer)
        observer.finish()
        if let failure { onFailure(failure) }
      }.detach()
    } catch {
      throw Failure(error)
    }
    (self.content, self.input, self.observer) = (content, input, observer)
    remote = try observer.waitForStart()
  }

  /// - Returns: Why the song has ended after it had started; `nil` if it was ended.
  private static func run(
    _ content: SongContent, _ beginning: Beginning, _ input: SongInput, _ observer: SongObserver
  ) -> Failure? {
    var instrument: SongInstrument?
    defer { instrument?.stop() }
    let player: LivePlayer
    do {
      let made = try content.makeInstrument()
      instrument = made
      var connector = NodeConnector(host: AudioHost(name: "portative serve")) {
        observer.report($0)
      }
      connector.instrument = made
      let chains = try (0..<content.portCount).map { _ in
        [try connector.connectToOwnInstrument()]
      }
      var range = RenderSettings()
      range.changes = beginning.changes
      var settings = LivePlayerSettings(
        song: content.name, range: range,
        openDevice: { () throws(SoundDeviceError) in try input.open() })
      settings.waits = true
      settings.hasMetronome = beginning.isClicking
      settings.absenceLimit = .seconds(1_000_000_000)
      player = try LivePlayer(content.file, settings, connector, chains)
    } catch {
      observer.start(.failure(Failure(error)))
      return nil
    }
    observer.expectStart(of: player.remote)
    do throws(Failure) {
      _ = try player.run(observer)
      return nil
    } catch {
      return observer.start(.failure(error)) ? nil : error
    }
  }

  /// The song as it is played now.
  var timeline: Timeline? { observer.timeline }

  /// The changes with which the song is played now.
  var changes: SongChanges? { observer.changes }

  /// Plays the song with other changes, within 50 ms.
  func change(to changes: SongChanges) { observer.request(.change(changes)) }

  /// The factor of the samples. A change is reached within 10 ms, without a click.
  func setLevel(_ level: Float) { input.setLevel(level) }

  /// Whether the song has ended.
  var isOver: Bool { observer.isOver }

  /// The frames per second of the sound device; `nil` before it was opened.
  var sampleRate: Int? { input.sampleRate }

  /// Ends the song, and waits until it has. What sounds fades out.
  func end() {
    observer.request(.quit)
    observer.waitForEnd()
  }
}

/// What the thread of a song and others exchange.
///
/// Threads: any.
private final class SongObserver: LivePlayerObserver, Sendable {
  let showsVoices = false
  private let onReport: @Sendable (PlayerEvent) -> Void
  private let state = Mutex(State())
  private let hasStarted = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  private struct State {
    var requests: [LivePlayerRequest] = []
    /// The song as it is played; `nil` before it has started.
    var timeline: Timeline?
    var changes: SongChanges?
    /// The remote of a song that is about to start.
    var remote: SongRemote?
    var start: Result<SongRemote, Failure>?
    var isOver = false
  }

  init(_ report: @escaping @Sendable (PlayerEvent) -> Void) { onReport = report }

  // MARK: The thread of the song

  func report(_ event: PlayerEvent) { onReport(event) }

  func update(_ state: LivePlayerState) -> [LivePlayerRequest] {
    let (remote, requests) = self.state.withLock { own in
      (own.timeline, own.changes) = (state.timeline, state.changes)
      defer { own.requests = [] }
      return (own.remote.take(), own.requests)
    }
    if let remote { start(.success(remote)) }
    return requests
  }

  /// The song has started with its first update.
  func expectStart(of remote: SongRemote) { state.withLock { $0.remote = remote } }

  /// Notes whether the song has started.
  ///
  /// - Returns: `false` if that is known already.
  @discardableResult
  func start(_ result: Result<SongRemote, Failure>) -> Bool {
    let isNew = state.withLock { state in
      if state.start != nil { return false }
      state.start = result
      return true
    }
    if isNew { hasStarted.signal() }
    return isNew
  }

  func finish() {
    state.withLock { $0.isOver = true }
    hasEnded.signal()
  }

  // MARK: Other threads

  func waitForStart() throws(Failure) -> SongRemote {
    hasStarted.wait()
    guard let start = state.withLock({ $0.start }) else { fatalError("it was signalled") }
    return try start.get()
  }

  var timeline: Timeline? { state.withLock { $0.timeline } }
  var changes: SongChanges? { state.withLock { $0.changes } }
  var isOver: Bool { state.withLock { $0.isOver } }

  func request(_ request: LivePlayerRequest) { state.withLock { $0.requests.append(request) } }

  func waitForEnd() {
    hasEnded.wait()
    hasEnded.signal()
  }
}

/// The sound device of a song: an input of a mix, with a level.
///
/// Threads: any.
final class SongInput: Sendable {
  typealias Opening = @Sendable () throws(SoundDeviceError) -> MixDevice

  private let openInput: Opening
  private let state: Mutex<(device: MixDevice?, level: Float)>

  init(_ open: @escaping Opening, level: Float) {
    openInput = open
    state = Mutex((nil, level))
  }

  fileprivate func open() throws(SoundDeviceError) -> any SoundDevice {
    let device = try openInput()
    state.withLock { state in
      state.device = device
      device.level = state.level
    }
    return device
  }

  fileprivate var sampleRate: Int? { state.withLock { $0.device?.format.sampleRate } }

  fileprivate func setLevel(_ level: Float) {
    state.withLock { state in
      state.level = level
      state.device?.level = level
    }
  }
}
