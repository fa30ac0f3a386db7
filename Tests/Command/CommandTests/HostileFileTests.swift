import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// Makes things in the runtime and state folders that are no files, under every name that a program opens.
private func addHostileFiles(to user: TemporaryUser) throws {
  let (runtime, state) = (user.folder("run/portative"), user.folder("state/portative"))
  for folder in [runtime, "\(state)/last-use/portative"] {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
  chmod(runtime, 0o700)
  for ending in ["lock", "turn", "json", "panel", "socket"] {
    mkfifo("\(runtime)/fifo.\(ending)", 0o600)
    mkdir("\(runtime)/folder.\(ending)", 0o700)
    symlink("/dev/zero", "\(runtime)/device.\(ending)")
    symlink("\(runtime)/loop.\(ending)", "\(runtime)/loop.\(ending)")
    symlink("\(runtime)/fifo.\(ending)", "\(runtime)/link.\(ending)")
  }
  mkfifo("\(state)/portative.log", 0o600)
  mkfifo("\(state)/controls.json", 0o600)
  mkfifo("\(state)/controls.json.lock", 0o600)
  for name in ["instrument gmsy Ptvo", "portative"] {
    mkfifo("\(state)/last-use/portative/\(name)", 0o600)
  }
}

@Test(.timeLimit(.minutes(2)))
func `every command answers beside files that are FIFOs, folders, devices and links`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  try addHostileFiles(to: user)
  let server = try user.serve()
  let port = "portative/Portative: General MIDI"
  let song = try user.folder.put(shortSong())
  for arguments in [
    ["list"], ["list", "--status"], ["info", port], ["set", port, "reverb.level=0.5"],
    ["play", "--node", port, "-o", user.folder("x.wav"), song],
  ] {
    let result = try user.run(arguments: arguments)
    #expect(result.exitCode == 0, "\(arguments): \(result.errors)")
  }
  // Another program replaces the server's own files while it runs.
  for ending in ["lock", "json", "panel"] {
    let path = user.folder("run/portative/portative.\(ending)")
    unlink(path)
    mkfifo(path, 0o600)
  }
  #expect(try user.run("list").exitCode == 0)
  server.send(SIGTERM)
  _ = try server.result()
}

@Test(.timeLimit(.minutes(1)), arguments: ["lock", "json"])
func `a server whose own file is a FIFO does not hang`(ending: String) throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  try addHostileFiles(to: user)
  let path = user.folder("run/portative/portative.\(ending)")
  mkfifo(path, 0o600)
  let server = try user.start("serve", "--midi", "none", "--audio", "none")
  if ending == "lock" {
    let result = try server.result()
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("'\(path)': it is not a regular file: remove it"))
  } else {
    // The list of ports replaces it.
    try server.wait { user.ports(of: "portative")?.isEmpty == false }
    server.send(SIGTERM)
    #expect(try server.result().exitCode == 0)
  }
}
