import Glibc
import LocalSystem

/// Standard output and standard error, as lines of text.
enum Terminal {
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The number of columns of the terminal on standard error; 80 if it is unknown.
  static var columns: Int {
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// The size of the terminal on standard output; 80 columns and 24 rows if it is unknown.
  static var outputSize: (columns: Int, rows: Int) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    return isKnown && size.ws_col > 0 && size.ws_row > 0
      ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
  }

  /// - Throws: ``Failure/Kind/usage`` if the output file of audio is `-` and standard output is a terminal.
  static func refuseAudio(_ output: String?) throws(Failure) {
    if output == "-", outputIsTerminal {
      throw .usage("a terminal cannot play audio: send it to a file or a pipe")
    }
  }

  /// Whether the reader of standard output has closed it, which is otherwise detected only by writing.
  static var outputIsClosed: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
  }

  /// - Returns: Whether all bytes were written.
  @discardableResult
  static func write(_ output: OutputText, to descriptor: CInt) -> Bool {
    var bytes = Array(output.text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Writes a message that is not an error to standard error.
  static func note(_ sentence: String) {
    write("\(sentence)\n", to: STDERR_FILENO)
  }

  /// Writes an error message to standard error, after `portative: `.
  ///
  /// - Parameter verb: The verb that was used wrongly, which is named too. The sentence may begin with it.
  static func complain(_ sentence: String, of verb: String? = nil) {
    let begin: OutputText =
      verb.map { sentence.hasPrefix("\($0) ") ? "portative " : "portative \($0): " }
      ?? "portative: "
    write("\(begin)\(sentence)\n", to: STDERR_FILENO)
  }

  /// Suppresses GLib's log on standard error. When FluidSynth cannot load a SoundFont, it tries to load it as DLS with
  /// a library that logs irrelevant messages.
  static func silenceGLib() {
    typealias Handler =
      @convention(c) (
        UnsafePointer<CChar>?, CUnsignedInt, UnsafePointer<CChar>?, UnsafeMutableRawPointer?
      ) -> Void
    typealias Setter = @convention(c) (Handler, UnsafeMutableRawPointer?) -> Handler?
    // Looked up at run time, because FluidSynth may have been built without GLib.
    guard let symbol = dlsym(nil, "g_log_set_default_handler") else { return }
    _ = unsafeBitCast(symbol, to: Setter.self)({ _, _, _, _ in }, nil)
  }
}
