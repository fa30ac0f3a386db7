import LiveAudio
package import LocalSystem
import MIDIFile
import Synchronization

/// The Link session that a song follows or leads.
///
/// Realtime: no. Threads: any.
package final class LinkSession: Sendable {
  private let program: LinkProgram
  private let leads: Bool
  private let lines: Lines
  private let sent = Mutex<(tempo: Double?, isPlaying: Bool?)>((nil, nil))

  private final class Lines: Sendable {
    let unread = Mutex<[String]>([])
  }

  /// Joins the session of the local network.
  ///
  /// - Parameter leads: Whether the session gets the song's tempo, and is started and stopped with the song.
  /// - Throws: ``Failure`` if `portative-link` is not installed; `SystemError`.
  package init(in environment: ProcessEnvironment = .current, leads: Bool) throws {
    let lines = Lines()
    program = try LinkProgram(in: environment) { line, _ in
      lines.unread.withLock { $0.append(line) }
    }
    (self.lines, self.leads) = (lines, leads)
  }

  var memory: LinkMemory { program.memory }

  /// Removes and returns the sentences for the user since the last call.
  func takeLines() -> [String] {
    lines.unread.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  /// Leads the session, if it is to be led, with the song's present tempo and state.
  func update(_ song: SongTransport) {
    // Before there is a session, the program does not know the tempo that it begins with.
    guard leads, program.memory.state != nil else { return }
    let tempo = min(max(song.map.tempo(at: song.frame), 20), 999)
    let isPlaying = song.isPlaying
    let changes = sent.withLock { sent in
      defer { sent = (tempo, isPlaying) }
      return (tempo: sent.tempo != tempo, isPlaying: sent.isPlaying != isPlaying)
    }
    if changes.tempo { program.send(.tempo(tempo)) }
    if changes.isPlaying { program.send(isPlaying ? .play : .stop) }
  }

  /// Leaves the session.
  package func stop() { program.stop() }
}
