import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing

/// The panel of a server on a pseudoterminal.
@Suite(.timeLimit(.minutes(5))) struct ServePanelTests {
  private let user: TemporaryUser
  private let terminal: PseudoTerminal
  private let before: [UInt32]

  init() throws {
    user = try TemporaryUser()
    try user.configure(
      #"""
      { ports: [{ name: "Test: Stage", subtype: "stag" }, { name: "Test: Echo", subtype: "echo", unit: "delay" }],
        scenes: [{ name: "Verse", ports: { "Test: Stage": { preset: "0:0" } } },
                 { name: "Chorus", ports: { "Test: Stage": { preset: "0:19" } } }] }
      """#)
    terminal = try PseudoTerminal()
    before = Self.settings(terminal.descriptor)
  }

  private func serve(_ arguments: String...) throws -> Process {
    try terminal.start(
      ["serve", "--audio", "none", "--midi", "none"] + arguments, user.variables,
      folder: user.folder.path)
  }

  private func eventually(_ isTrue: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while !isTrue(), ContinuousClock.now < deadline { usleep(5000) }
    return isTrue()
  }

  private static func settings(_ terminal: CInt) -> [UInt32] {
    var state = termios()
    tcgetattr(terminal, &state)
    return [state.c_iflag, state.c_oflag, state.c_cflag, state.c_lflag]
  }

  private var settings: [UInt32] { Self.settings(terminal.descriptor) }

  @Test func `keys act immediately, and the terminal is restored`() throws {
    let server = try serve()
    #expect(terminal.shows("scene -/2  none chosen"))
    #expect(terminal.shows("> Test: Stage"))
    #expect(settings != before)
    terminal.press("n")
    #expect(terminal.shows("scene 1/2  Verse"))
    #expect(terminal.shows("scene: Verse"))
    terminal.press("\u{1B}[C")
    #expect(terminal.shows("scene 2/2  Chorus"))
    terminal.press("p")
    #expect(terminal.shows("scene 1/2  Verse"))
    terminal.press("]")
    #expect(terminal.shows("scene 2/2  Chorus"))
    terminal.press("[")
    #expect(terminal.shows("scene 1/2  Verse"))
    terminal.press("\t")
    #expect(terminal.shows("> Test: Echo"))
    terminal.press("!")
    #expect(terminal.shows("panic: everything was silenced"))
    terminal.press("?")
    #expect(terminal.shows("q or Ctrl-C  quit"))
    terminal.press("q")
    // The log remains on the terminal.
    #expect(terminal.shows("\u{1B}[?25h"))
    #expect(terminal.shows("scene: Chorus"))
    #expect(terminal.shows("stopped"))
    #expect(eventually { !server.isRunning } && server.terminationStatus == 0)
    #expect(settings == before)
    #expect(user.nodes.isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends the server and restores the terminal`(signal: Int32) throws {
    let server = try serve()
    #expect(terminal.shows("> Test: Stage"))
    #expect(kill(terminal.foreground, signal) == 0)
    #expect(terminal.shows("\u{1B}[?25h"))
    #expect(terminal.shows("stopped"))
    #expect(eventually { !server.isRunning } && server.terminationStatus == 0)
    #expect(settings == before)
  }

  @Test func `output that Ctrl-S has stopped does not prevent the end`() throws {
    let server = try serve()
    #expect(terminal.shows("> Test: Stage"))
    terminal.press("\u{13}n")
    usleep(300_000)
    #expect(kill(terminal.foreground, SIGTERM) == 0)
    #expect(terminal.shows("stopped"))
    #expect(eventually { !server.isRunning } && settings == before)
  }

  @Test func `the terminal is restored while the server is stopped, and drawn again afterwards`()
    throws
  {
    let server = try serve()
    #expect(terminal.shows("> Test: Stage"))
    let process = terminal.foreground
    kill(process, SIGTSTP)
    #expect(terminal.shows("\u{1B}[?25h"))
    #expect(eventually { settings == before })
    kill(process, SIGCONT)
    #expect(terminal.shows("> Test: Stage"))
    kill(process, SIGTERM)
    #expect(eventually { !server.isRunning } && settings == before)
  }

  @Test func `there is no panel with --no-panel`() throws {
    let server = try serve("--no-panel")
    #expect(terminal.shows("Test: Stage: published"))
    #expect(settings == before)
    kill(terminal.foreground, SIGTERM)
    #expect(terminal.shows("stopped"))
    #expect(eventually { !server.isRunning } && server.terminationStatus == 0)
  }
}
