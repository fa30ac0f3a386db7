import BatchRenderer
import Glibc
import LocalSystem

/// `--version`: the version of the program and those of its libraries.
enum VersionCommand {
  private struct Report: Encodable {
    var version = portativeVersion
    let libraries: [LibraryVersion]
  }

  /// - Parameter arguments: The arguments after `--version`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    guard arguments.isEmpty || arguments == ["--json"] else {
      throw Failure.usage("--version takes only --json, but got '\(arguments[0])'")
    }
    let libraries = LibraryVersion.all
    if !arguments.isEmpty {
      return try Command.write(JSONOutput.version.line(Report(libraries: libraries)))
    }
    let lines: OutputText = libraries.map { "\($0.text)\n" }.joined()
    return try Command.write("portative \(portativeVersion)\n\(lines)")
  }
}

/// A library that the program uses, with the version that is loaded.
struct LibraryVersion: Encodable, Equatable {
  let name: String
  /// `nil` if the library is not installed.
  let version: String?
  var traits: [String]?

  /// FluidSynth, the other linked libraries, and those that are loaded when they are needed.
  static var all: [LibraryVersion] {
    let fluidSynth = RenderReport.Library.loaded
    return [
      LibraryVersion(
        name: fluidSynth.name, version: fluidSynth.version, traits: fluidSynth.traits),
      // "libsndfile-1.2.0"
      LibraryVersion(name: "libsndfile", version: text("sf_version_string").map(number)),
      LibraryVersion(name: "libebur128", version: ebur128),
      LibraryVersion(name: "xxHash", version: xxHash),
      LibraryVersion(name: "alsa-lib", version: text("snd_asoundlib_version")),
      LibraryVersion(name: "JACK", version: text("jack_get_version_string", in: "libjack.so.0")),
      LibraryVersion(name: "cairo", version: text("cairo_version_string", in: "libcairo.so.2")),
      LibraryVersion(name: "Pango", version: text("pango_version_string", in: "libpango-1.0.so.0")),
    ]
  }

  /// Calls a function that returns the version as text.
  ///
  /// - Parameter library: The library to load; `nil` for a linked one.
  private static func text(_ function: String, in library: String? = nil) -> String? {
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    guard let symbol = symbol(function, in: library) else { return nil }
    return unsafeBitCast(symbol, to: Function.self)().map { String(cString: $0) }
  }

  private static func symbol(_ name: String, in library: String?) -> UnsafeMutableRawPointer? {
    // It is not closed: other threads may already use it.
    dlopen(library, RTLD_NOW | RTLD_LOCAL).flatMap { dlsym($0, name) }
  }

  private static func number(_ text: String) -> String {
    String(text.drop { !$0.isNumber })
  }

  private static var ebur128: String? {
    typealias Function =
      @convention(c) (
        UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>
      ) -> Void
    guard let symbol = symbol("ebur128_get_version", in: nil) else { return nil }
    var (major, minor, patch): (CInt, CInt, CInt) = (0, 0, 0)
    unsafeBitCast(symbol, to: Function.self)(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  /// The version is MAJOR·10000 + MINOR·100 + PATCH.
  private static var xxHash: String? {
    typealias Function = @convention(c) () -> CUnsignedInt
    guard let symbol = symbol("XXH_versionNumber", in: nil) else { return nil }
    let version = unsafeBitCast(symbol, to: Function.self)()
    return "\(version / 10_000).\(version / 100 % 100).\(version % 100)"
  }

  /// A line for the user.
  var text: String {
    let traits = traits.map { " (\($0.joined(separator: "; ")))" } ?? ""
    return "\(name) \(version ?? "not installed")\(traits)"
  }
}
