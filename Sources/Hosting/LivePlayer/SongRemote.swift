package import NodeProtocol
import Synchronization

/// Controls a song that a ``LivePlayer`` runs, at once. Without a running song, nothing happens.
///
/// Realtime: no. Threads: any.
package struct SongRemote: Sendable {
  private let commands: NodeCommands

  init(_ commands: NodeCommands) { self.commands = commands }

  /// Executes a transport command.
  ///
  /// - Returns: Whether the command was possible.
  @discardableResult
  package func execute(_ command: RemoteCommand) -> Bool {
    withHost { $0.execute(command) } ?? false
  }

  /// Plays from the start.
  ///
  /// - Parameter countIn: The number of bars before the song.
  /// - Returns: Whether a song runs.
  @discardableResult
  package func play(countIn: Int) -> Bool { withHost { $0.play(countIn: countIn) } != nil }

  /// Starts looping a range of beats.
  ///
  /// - Throws: ``LoopError``.
  package func loop(_ beats: Range<Double>) throws(LoopError) {
    let result = withHost { host -> Result<Void, LoopError> in
      do throws(LoopError) { return .success(try host.loop(beats)) } catch {
        return .failure(error)
      }
    }
    try result?.get()
  }

  /// Whether the metronome clicks during the song, in addition to the count-in.
  package var isClicking: Bool {
    get { withHost { $0.mixer.isClicking } ?? false }
    nonmutating set { withHost { $0.mixer.isClicking = newValue } }
  }

  /// The transport of the song, a few cycles ahead of what is heard; `nil` if no song runs.
  package var transport: SongTransport? { withHost { $0.song } }

  /// Whether the instruments are new and wait for the song, which then sounds as if they had begun with it.
  package var isHeld: Bool { withHost { $0.isHeld } ?? false }

  /// Whether the next cycles have been scheduled, so that the device can request them without a wait.
  package var isAhead: Bool { withHost { $0.scheduler.isAhead } ?? false }

  @discardableResult
  private func withHost<Result: Sendable>(_ body: (LiveHost) -> Result) -> Result? {
    commands.host.withLock { host -> Result? in
      guard let host else { return nil }
      return body(host)
    }
  }
}
