import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

/// Starts to play a song into `x.wav`, and waits until some of it has been written.
private func startPlaying(_ user: TemporaryUser) throws -> Program {
  let song = try user.folder.put(endlessSong())
  let player = try user.start("play", "--node", "last", "-q", "-o", user.folder("x.wav"), song)
  try player.wait { player.unnamedBytes > 100_000 }
  return player
}

private func expectNoFile(_ user: TemporaryUser) {
  #expect(!user.folder.names.contains { $0.contains("x.wav") }, "\(user.folder.names)")
}

@Test func `a killed server ends the song with an error, and no file is left`()
  throws
{
  let user = try TemporaryUser()
  let server = try user.serve()
  let player = try startPlaying(user)
  server.send(SIGKILL)
  let result = try player.result()
  #expect(result.exitCode == 1)
  let process = server.process.processIdentifier
  #expect(
    result.errors
      == "portative: Portative: General MIDI was lost during the song: the node 'portative' "
      + "(process \(process)) has ended; start it again, then play the song again\n")
  expectNoFile(user)
}

@Test func `a host reports that its server has ended`() throws {
  let user = try TemporaryUser()
  let server = try user.serve()
  let player = try startPlaying(user)
  server.send(SIGTERM)
  let result = try player.result()
  #expect(result.exitCode == 1)
  #expect(result.errors.contains("no longer publishes it; start the node"))
  expectNoFile(user)
  #expect(try server.result().exitCode == 0)
  #expect(user.files == [])
}

@Test(arguments: [SIGINT, SIGTERM])
func `an interrupted player ends by the signal, and releases the port`(signal: Int32) throws {
  let user = try TemporaryUser()
  let server = try user.serve()
  let player = try startPlaying(user)
  player.send(signal)
  let result = try player.result()
  #expect(result.signal == signal)
  #expect(result.errors == "")
  expectNoFile(user)
  try server.wait { server.errors.contains(": left by portative play") }
  let short = try user.folder.put(shortSong(), "short.mid")
  #expect(
    try user.run("play", "--node", "last", "-q", "-o", user.folder("y.wav"), short).exitCode == 0)
}

@Test func `a port that another host has is played by a unit of its own, with the same bits`()
  throws
{
  let user = try TemporaryUser()
  try user.serve()
  let player = try startPlaying(user)
  let song = try user.folder.put(shortSong(), "short.mid")
  #expect(
    try user.run("play", "--node", "last", "-q", "-o", user.folder("beside.wav"), song).exitCode
      == 0)
  #expect(player.process.isRunning)
  let status = try user.run("list", "--status")
  #expect(status.outputText.contains("portative play"))
  player.send(SIGTERM)
  _ = try player.result()
  #expect(
    try user.run("play", "--node", "last", "-q", "-o", user.folder("alone.wav"), song).exitCode == 0
  )
  #expect(
    try Data(contentsOf: URL(filePath: user.folder("beside.wav")))
      == Data(contentsOf: URL(filePath: user.folder("alone.wav"))))
}

@Test
func `a player whose node stays absent ends after --timeout, with the remedy`()
  throws
{
  let user = try TemporaryUser()
  let song = try user.folder.put(endlessSong())
  let server = try user.serve()
  let player = try user.start("play", "--node", "last", "--audio", "none", "--timeout", "1", song)
  try server.wait {
    let status = try? user.run("list", "--status", "--json").outputText
    return status?.contains(/"cycles":[1-9]/) == true
  }
  server.send(SIGSTOP)
  let result = try player.result()
  server.send(SIGCONT)
  #expect(result.exitCode == 1)
  let process = server.process.processIdentifier
  #expect(
    result.errors.contains(
      "Portative: General MIDI was late in 50 consecutive cycles, and the node 'portative' (process "
        + "\(process)) answered none of them: it hangs or is stopped; end it with 'kill -9 \(process)'"
    ))
}

@Test func `the error for a node that cannot start contains the end of its log`() throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(shortSong())
  #expect(try user.run("serve", "--install", "-q").exitCode == 0)
  user.variables["PORTATIVE_SOUNDFONT"] = "/none.sf2"
  let result = try user.run("play", "--node", "last", "-o", user.folder("x.wav"), song)
  #expect(result.exitCode == 1)
  #expect(result.errors.contains("exited with status 5 before it was ready"), "\(result.errors)")
  #expect(result.errors.contains("portative: cannot read the SoundFont '/none.sf2'"))
  expectNoFile(user)
}

@Test func `a missing instrument is reported with the remedy`() throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(shortSong())
  let result = try user.run("play", "--node", "last", "-o", user.folder("x.wav"), song)
  #expect(result.exitCode == 1)
  #expect(result.errors.hasPrefix("portative: there is no instrument: start a node"))
}

@Test func `an unwritable standard output is exit code 4, and the file is written`() throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(shortSong())
  try user.serve()
  let output = user.folder("x.wav")
  let play = try Program(
    ["play", "--node", "last", "--json", "-o", output, song], variables: user.variables,
    outputPath: "/dev/full"
  ).result()
  #expect(play.exitCode == ExitCode.outputNotWritten.rawValue)
  #expect(play.errors.contains("portative: cannot write standard output: No space left"))
  #expect(!samples(output).isEmpty)
  let list = try Program(["list"], variables: user.variables, outputPath: "/dev/full").result()
  #expect(list.exitCode == ExitCode.outputNotWritten.rawValue)
  #expect(list.errors.hasPrefix("portative: cannot write standard output: No space left"))
}
