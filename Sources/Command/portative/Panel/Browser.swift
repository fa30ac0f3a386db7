import Glibc
import LocalSystem
import NodeProtocol

/// The user's web browser.
enum Browser {
  /// Opens a link with a secret. The browser is given a file that only the user can read, because the arguments of a
  /// program are visible to all users.
  ///
  /// - Parameter report: Receives a sentence if that fails.
  static func open(
    _ link: String, in environment: ProcessEnvironment = .current, report: (String) -> Void
  ) {
    let path = "\(NodeDirectories(environment).runtime)/panel.html"
    let page = "<!doctype html><meta http-equiv=refresh content=\"0;url=\(link)\">\n"
    let advice = "open \(link) yourself"
    guard let program = try? ProgramSearch.find("xdg-open", path: environment.variable("PATH"))
    else {
      return report("xdg-open is not installed: \(advice), or sudo apt install xdg-utils")
    }
    let null = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    do {
      try WholeFile.write(Array(page.utf8), to: path, mode: 0o600)
      _ = try DetachedProgram(
        program, arguments: ["xdg-open", path], variables: environment.variables, log: null)
    } catch {
      report("the browser cannot be started: \(error); \(advice)")
    }
  }
}
