import Glibc

/// The program's two parts, as `testnode node SOCKET [OPTIONS]` and `testnode host SOCKET [OPTIONS]`.
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
      say("failed: \(error)")
      return 1
    }
  }

  /// Tells the test something, in a line.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }

  /// Waits until the test lets go of standard input, or is gone.
  static func awaitEnd() {
    while getchar() != EOF {}
  }
}

/// `NAME VALUE NAME VALUE`, all values being numbers.
struct Options {
  private var values: [String: Int] = [:]

  init(_ arguments: [String]) {
    for i in stride(from: 0, to: arguments.count - 1, by: 2) {
      values[arguments[i]] = Int(arguments[i + 1])
    }
  }

  subscript(name: String) -> Int { values[name] ?? 0 }
}
