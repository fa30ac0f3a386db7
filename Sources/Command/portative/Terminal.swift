import Glibc
import LocalSystem

/// Standard output and error, as plain lines.
enum Terminal {
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Columns of the terminal behind standard error; 80 where they are unknown.
  static var columns: Int {
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Of the terminal behind standard output.
  static var outputSize: (columns: Int, rows: Int) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    return isKnown && size.ws_col > 0 && size.ws_row > 0
      ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
  }

  /// Whether nobody reads standard output any more, which writing would else find out.
  static var outputIsClosed: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
  }

  /// - Returns: Whether all of it was taken.
  @discardableResult
  static func write(_ text: String, to descriptor: CInt) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// A sentence that is no complaint, on standard error.
  static func note(_ sentence: String) {
    write("\(plain(sentence))\n", to: STDERR_FILENO)
  }

  /// `portative: ` and a sentence, on standard error.
  static func complain(_ sentence: String) {
    write("portative: \(plain(sentence))\n", to: STDERR_FILENO)
  }

  /// One line, whatever is in it: the name of a file from anywhere must not command the terminal.
  static func plain(_ sentence: String) -> String {
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    let sentence = sentence.showingBytes
    guard sentence.unicodeScalars.contains(where: isControl) else { return sentence }
    return sentence.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }
      .joined()
  }

  /// Keeps GLib's log off standard error. FluidSynth, having failed to load a SoundFont, tries it as
  /// DLS with a library that complains in ways that mean nothing to anyone.
  static func silenceGLib() {
    typealias Handler =
      @convention(c) (
        UnsafePointer<CChar>?, CUnsignedInt, UnsafePointer<CChar>?, UnsafeMutableRawPointer?
      ) -> Void
    typealias Setter = @convention(c) (Handler, UnsafeMutableRawPointer?) -> Handler?
    // Looked up and not linked: FluidSynth may have been built without it.
    guard let symbol = dlsym(nil, "g_log_set_default_handler") else { return }
    _ = unsafeBitCast(symbol, to: Setter.self)({ _, _, _, _ in }, nil)
  }
}
