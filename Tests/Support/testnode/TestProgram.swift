import Glibc

/// The program's two modes: `testnode node SOCKET [OPTIONS]` and `testnode host SOCKET [OPTIONS]`.
enum TestProgram {
  static func run(_ arguments: [String]) -> CInt {
    guard arguments.count >= 2 else { return 2 }
    let options = Options(Array(arguments.dropFirst(2)))
    do {
      switch arguments[0] {
      case "node": try TestNode.run(arguments[1], options)
      case "host": try TestHost.run(arguments[1], options)
      default: return 2
      }
      return 0
    } catch {
      report("failed: \(error)")
      return 1
    }
  }

  /// Prints a line for the test.
  static func report(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }

  /// Waits until the test closes standard input or ends.
  static func awaitEnd() {
    while getchar() != EOF {}
  }
}

/// Options in the form `NAME VALUE NAME VALUE`, whose values are integers; a missing option is 0.
struct Options {
  private var values: [String: Int] = [:]

  init(_ arguments: [String]) {
    for i in stride(from: 0, to: arguments.count - 1, by: 2) {
      values[arguments[i]] = Int(arguments[i + 1])
    }
  }

  subscript(name: String) -> Int { values[name] ?? 0 }
}
