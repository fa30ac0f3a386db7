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

  @Test func `keys change the song while it plays, and write what is set`() throws {
    let song = try user.folder.put(shortSong(), "short.mid")
    let terminal = try PseudoTerminal()
    let player = try terminal.start(
      ["play", "--audio", "none", "--cycle", "2048", "--loop", song], user.variables,
      folder: user.folder.path)
    #expect(terminal.shows(">    1 "))
    terminal.press("\u{1B}[B")
    #expect(terminal.shows(">   10 "))
    terminal.press("x")
    #expect(terminal.shows("MUTE"))
    terminal.press("++-+")
    #expect(terminal.shows("transposed by +2"))
    terminal.press("]")
    #expect(terminal.shows("speed 105 %"))
    terminal.press("w")
    #expect(terminal.shows("writing short mix.wav"))
    #expect(terminal.shows("short mix.wav: 0:0"))
    terminal.press("=")
    #expect(terminal.shows("r rec"))
    terminal.press("w")
    #expect(terminal.shows("short mix-2.wav: 0:0"))
    terminal.press("q")
    #expect(eventually { !player.isRunning } && player.terminationStatus == 0)
    for (name, options) in [
      ("short mix.wav", ["--mute", "10", "--transpose", "2", "--tempo", "105%"]),
      ("short mix-2.wav", []),
    ] {
      let rendered = user.folder("rendered.wav")
      #expect(
        try user.run(arguments: ["render", "-q", "--overwrite", "-o", rendered, song] + options)
          .exitCode == 0)
      #expect(
        try Data(contentsOf: URL(filePath: user.folder(name)))
          == Data(contentsOf: URL(filePath: rendered)))
    }
  }

  @Test func `impossible changes are reported, and the song goes on`() throws {
    let song = try user.folder.put(
      songBytes([Note(tick: 0, key: 127, length: 4000)], endTick: 4800))
    let terminal = try PseudoTerminal()
    let player = try terminal.start(
      ["play", "--audio", "none", "--loop", song], user.variables, folder: user.folder.path)
    #expect(terminal.shows("r rec"))
    terminal.press("+")
    #expect(terminal.shows("its keys are 127 to 127"))
    terminal.press("r")
    #expect(terminal.shows("r REC"))
    terminal.press("]")
    #expect(terminal.shows("the tempo cannot change in a recording"))
    terminal.press("q")
    #expect(eventually { !player.isRunning } && player.terminationStatus == 0)
  }

  @Test func `keys choose the next and the previous song`() throws {
    let other = try user.folder.put(songBytes([Note(tick: 0, key: 60)], endTick: 100_000), "b.mid")
    let terminal = try PseudoTerminal()
    let player = try terminal.start(
      ["play", "--audio", "none", song, other], user.variables, folder: user.folder.path)
    #expect(terminal.shows("1/2 song.mid"))
    terminal.press("n")
    #expect(terminal.shows("2/2 b.mid"))
    terminal.press("p")
    #expect(terminal.shows("1/2 song.mid"))
    terminal.press("q")
    #expect(eventually { !player.isRunning } && player.terminationStatus == 0)
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
