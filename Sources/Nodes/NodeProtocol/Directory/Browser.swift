import Glibc
package import LocalSystem

/// The user's web browser.
package enum Browser {
  /// Why a page was not opened.
  package enum Problem: Error, CustomStringConvertible {
    case noDisplay
    case noProgram
    case failed(any Error)

    package var description: String {
      switch self {
      case .noDisplay: "there is no display"
      case .noProgram: "xdg-open is not installed; sudo apt install xdg-utils installs it"
      case .failed(let error): "the browser cannot be started: \(error)"
      }
    }
  }

  /// Opens a page by a link with a secret. The browser is given a file that only the user can read, because the arguments of
  /// a program are visible to all users. It is not known whether the page appears.
  ///
  /// Realtime: no. Threads: any.
  package static func open(
    _ link: String, in environment: ProcessEnvironment = .current
  ) throws(Problem) {
    // BROWSER names a program that may show pages elsewhere.
    let displays = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]
    if displays.allSatisfy({ environment.variable($0) == nil }) { throw .noDisplay }
    guard let program = try? ProgramSearch.find("xdg-open", path: environment.variable("PATH"))
    else { throw .noProgram }
    let path = "\(NodeDirectories(environment).runtime)/panel.html"
    let page =
      "<!doctype html><meta http-equiv=refresh content=\"0;url=\(link.xmlEscaped)\">\n"
    let null = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    do {
      try WholeFile.write(Array(page.utf8), to: path, mode: 0o600)
      _ = try DetachedProgram(
        program, arguments: ["xdg-open", path], variables: environment.variables, log: null)
    } catch {
      throw .failed(error)
    }
  }
}
