import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// Returns a configuration with two ports.
///
/// - Parameter gain: The gain of the second port, in decibels.
private func configuration(gain: Int) -> String {
  """
  { ports: [
    { name: "Test: Still", subtype: "stil" },
    { name: "Test: Changing", subtype: "chan", gain: \(gain) },
  ] }
  """
}

/// Returns a song with notes for 50 seconds.
private func longSong() throws -> Data {
  try songBytes((0..<200).map { Note(tick: $0 * 240, key: UInt8(40 + $0 % 40), length: 230) })
}

@Test func `a song continues through reloads, bit for bit`() throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(longSong())
  try user.configure(configuration(gain: 0))
  let server = try user.serve()
  let alone = try user.run(
    "play", "--json", "--node", "Still", "-o", user.folder("alone.wav"), song)
  #expect(alone.exitCode == 0, "\(alone.errors)")
  let player = try user.start(
    "play", "--json", "--node", "Still", "-o", user.folder("x.wav"), song)
  try player.wait { player.unnamedBytes > 10_000 }
  var reloads = 0
  while reloads < 3, player.process.isRunning {
    reloads += 1
    try user.configure(configuration(gain: reloads))
    server.send(SIGHUP)
    try server.wait { server.errors.components(separatedBy: "reloaded").count == reloads + 1 }
  }
  #expect(
    reloads > 1 || player.process.isRunning,
    "it was over before the first reload: take a longer song")
  let result = try player.result()
  #expect(result.exitCode == 0, "\(result.errors)")
  #expect(
    try Data(contentsOf: URL(filePath: user.folder("x.wav")))
      == Data(contentsOf: URL(filePath: user.folder("alone.wav"))))
  #expect(
    server.errors.components(separatedBy: "Test: Changing: withdrawn").count == reloads + 1)
  #expect(!server.errors.contains("Test: Still: withdrawn"))
}

@Test func `a reload publishes new ports and withdraws those that are no longer listed`() throws {
  let user = try TemporaryUser()
  try user.configure(configuration(gain: 0))
  let server = try user.serve()
  try user.configure(
    #"{ ports: [{ name: "Test: New", subtype: "new " }, { name: "Test: Still", subtype: "stil" }] }"#
  )
  server.send(SIGHUP)
  try server.wait { server.errors.contains("reloaded") }
  #expect(Set(user.ports(of: "portative") ?? []) == ["Test: Still", "Test: New"])
}

@Test(arguments: [
  "{ ports: [", #"{ ports: [{ name: "Test: Still", subtype: "stil", soundfont: "/none.sf2" }] }"#,
])
func `a reload with an unusable configuration changes nothing`(
  configuration broken: String
) throws {
  let user = try TemporaryUser()
  try user.configure(configuration(gain: 0))
  let server = try user.serve()
  try user.configure(broken)
  server.send(SIGHUP)
  try server.wait { server.errors.contains("; the previous configuration stays in use\n") }
  #expect(user.ports(of: "portative") == ["Test: Still", "Test: Changing"])
  #expect(!server.errors.contains("withdrawn"))
  try user.configure(configuration(gain: 5))
  server.send(SIGHUP)
  try server.wait { server.errors.contains("reloaded") }
}
