import Glibc
import TestSupport
import Testing

/// A USB MIDI keyboard emulated by Tests/Rig/keyboard.
final class EmulatedKeyboard {
  private let socket: Int

  /// - Parameters:
  ///   - socket: The USB socket, 0 or 1.
  ///   - name: The product name; it must not contain quotes, because it is passed to a shell.
  ///   - cables: The number of cables, each of which is a port of the sequencer.
  init(socket: Int, name: String, serial: String = "", cables: Int = 1) throws {
    self.socket = socket
    try keyboard("make \(socket) '\(name)' '\(serial)' \(cables)")
  }

  deinit { try? keyboard("remove \(socket)") }

  func plug() throws { try keyboard("plug \(socket)") }

  func unplug() throws { try keyboard("unplug \(socket)") }

  /// Plays bytes of MIDI, in hexadecimal.
  func send(_ bytes: String, cable: Int = 0) throws {
    try keyboard("send \(socket).\(cable) \(bytes)")
  }
}

private struct KeyboardError: Error {
  let command: String
}

private func keyboard(_ command: String) throws {
  let script = repositoryFile("Tests/Rig/keyboard")
  guard system("'\(script)' \(command)") == 0 else { throw KeyboardError(command: command) }
}
