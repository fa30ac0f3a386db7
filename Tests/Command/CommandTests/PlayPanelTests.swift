import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing

/// The panel on a pseudoterminal.
@Suite(.timeLimit(.minutes(5))) struct PlayPanelTests {
  private let user: TemporaryUser
  private let song: String

  init() throws {
    user = try TemporaryUser()
    song = try user.folder.put(endlessSong())
    try user.serve()
  }

  private func eventually(_ isTrue: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while !isTrue(), ContinuousClock.now < deadline { usleep(5000) }
    return isTrue()
  }

  private func settings(_ terminal: CInt) -> [UInt32] {
    var state = termios()
    tcgetattr(terminal, &state)
    return [state.c_iflag, state.c_oflag, state.c_cflag, state.c_lflag]
  }

  @Test func `keys act immediately, and the terminal is restored`() throws {
    let terminal = try PseudoTerminal()
    let before = settings(terminal.descriptor)
    let player = try terminal.start(
      ["play", "--node", "last", "--audio", "none", "--cycle", "2048", song], user.variables,
      folder: user.folder.path)
    #expect(terminal.shows("r rec"))
    #expect(settings(terminal.descriptor) != before)
    terminal.press("r")
    #expect(terminal.shows("recording to song take.wav"))
    #expect(terminal.shows("r REC"))
    terminal.press("l")
    #expect(terminal.shows("l LOOP"))
    terminal.press("m")
    #expect(terminal.shows("m CLICK"))
    terminal.press("r")
    #expect(terminal.shows("recorded song take.wav"))
    terminal.press("r")
    #expect(terminal.shows("recording to song take-2.wav"))
    terminal.press("q")
    #expect(terminal.shows("recorded song take-2.wav"))
    #expect(eventually { !player.isRunning } && player.terminationStatus == 0)
    #expect(settings(terminal.descriptor) == before)
    #expect(!samples(user.folder("song take.wav")).isEmpty)
    #expect(user.folder.names.contains("song take-2.wav"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal restores the terminal`(signal: Int32) throws {
    let terminal = try PseudoTerminal()
    let before = settings(terminal.descriptor)
    let player = try terminal.start(
      ["play", "--node", "last", "--audio", "none", "--cycle", "2048", song], user.variables,
      folder: user.folder.path)
    #expect(terminal.shows("r rec"))
    let process = terminal.foreground
    #expect(kill(process, signal) == 0)
    // The cursor is visible again.
    #expect(terminal.shows("\u{1B}[?25h"))
    #expect(eventually { !player.isRunning } && player.terminationStatus != 0)
    #expect(settings(terminal.descriptor) == before)
  }
}
