public import LocalSystem

/// Finds the SoundFont to use.
///
/// The first of these applies: the option; `$PORTATIVE_SOUNDFONT`; the ``Configuration``; the system's default;
/// `soundfonts` in `$XDG_DATA_HOME` (default: `~/.local/share`), there `default.sf2`, `default.sf3`, or the first by
/// name; the one bundled with Portative. A *named* file must exist: it is never replaced silently.
public struct SoundFontSearch: Sendable {
  let environment: ProcessEnvironment
  private let configuration: String?

  /// - Parameter configuration: The configuration file to read instead of the user's and the system's.
  public init(_ environment: ProcessEnvironment = .current, configuration: String? = nil) {
    self.environment = environment
    self.configuration = configuration
  }

  /// Finds the SoundFont.
  ///
  /// - Parameter option: The path given for this run, if any.
  /// - Returns: An existing file that is a complete SoundFont according to its header.
  /// - Throws: ``SoundFontError``, with the paths that were searched.
  public func find(option: String? = nil) throws(SoundFontError) -> FoundSoundFont {
    if let named = try named(option: option) {
      try SoundFontFile.check(named)
      return named
    }
    let candidates = unnamed
    guard let found = candidates.first(where: { SoundFontFile.exists($0.path) }) else {
      throw .noneFound(lookedFor: candidates.map(\.path))
    }
    try SoundFontFile.check(found)
    return found
  }

  private func named(option: String?) throws(SoundFontError) -> FoundSoundFont? {
    if let option { return FoundSoundFont(path: option, origin: .option) }
    if let path = environment.variable("PORTATIVE_SOUNDFONT") {
      return FoundSoundFont(path: path, origin: .variable)
    }
    do {
      return try Configuration(environment, file: configuration).soundFont.map {
        FoundSoundFont(path: $0.path, origin: .configuration(file: $0.statedIn))
      }
    } catch {
      throw .configuration(error)
    }
  }

  /// The user's folder for SoundFonts.
  private var userFolder: String? {
    environment.folder("XDG_DATA_HOME", inHome: ".local/share").map { "\($0)/soundfonts" }
  }

  /// The folders that programs and distributions use for SoundFonts, that of the user first.
  package var folders: [String] {
    let system = ["share", "local/share"].flatMap { share in
      ["soundfonts", "sounds/sf2", "sounds/sf3"].map { "\(environment.root)/usr/\(share)/\($0)" }
    }
    let bundled = bundledPaths.map { String($0.folderAndName.folder.dropLast()) }
    return (userFolder.map { [$0] } ?? []) + system + bundled
  }

  /// Returns the existing files with a name, in the folders that programs and distributions use for SoundFonts.
  public func paths(named name: some StringProtocol) -> [String] {
    folders.map { "\($0)/\(name)" }.filter(SoundFontFile.exists)
  }

  /// Returns the SoundFonts in the folders that programs and distributions use for them, those of the user first, each
  /// once, although names lead to one file.
  public var installed: [String] {
    var known: Set<String> = []
    return folders.flatMap { folder in
      SoundFontFile.names(in: folder).map { "\(folder)/\($0)" }
    }.filter { SoundFontFile.exists($0) && known.insert(resolvedPath($0) ?? $0).inserted }
  }

  /// Checks a file that a user chooses.
  ///
  /// - Throws: ``SoundFontError`` if it cannot be read, or is not a whole SoundFont according to its header.
  public func check(_ path: String) throws(SoundFontError) {
    try SoundFontFile.check(FoundSoundFont(path: path, origin: .user))
  }

  private var unnamed: [FoundSoundFont] {
    let system = ["soundfonts/default.sf2", "soundfonts/default.sf3", "sounds/sf2/default-GM.sf2"]
      .map { FoundSoundFont(path: "\(environment.root)/usr/share/\($0)", origin: .system) }
    let user = userFolder.map { folder in
      let names = ["default.sf2", "default.sf3"] + SoundFontFile.names(in: folder)
      return names.map { FoundSoundFont(path: "\(folder)/\($0)", origin: .user) }
    }
    let bundled = bundledPaths.map { FoundSoundFont(path: $0, origin: .bundled) }
    return system + (user ?? []) + bundled
  }

  /// Next to the installed program, `…/bin/portative` and `…/share/portative`; or in the checkout
  /// that contains the build.
  private var bundledPaths: [String] {
    guard let program = environment.executable, let prefix = environment.prefix else { return [] }
    var paths = ["\(prefix)/share/portative/SoundFonts/Portative.sf2"]
    let parts = program.pathParts
    if let build = parts.lastIndex(of: ".build") {
      let checkout = parts[..<build].map { "/\($0)" }.joined()
      paths.append("\(checkout)/SoundFonts/Portative.sf2")
    }
    return paths
  }
}

/// A SoundFont file, and how it was chosen.
public struct FoundSoundFont: Equatable, Sendable {
  public let path: String
  public let origin: Origin

  /// The source of the path.
  public enum Origin: Equatable, Sendable, CustomStringConvertible {
    case option
    case variable
    case configuration(file: String)
    case system
    case user
    case bundled

    public var description: String {
      switch self {
      case .option: "given with --soundfont"
      case .variable: "named by PORTATIVE_SOUNDFONT"
      case .configuration(let file): "named in \(file)"
      case .system: "the system's default"
      case .user: "found in the user's folder"
      case .bundled: "bundled with Portative"
      }
    }
  }
}

/// The reason why no SoundFont can be used.
public enum SoundFontError: Error, Equatable, Sendable, CustomStringConvertible {
  case noneFound(lookedFor: [String])
  /// The file was named or found, but cannot be opened; `reason` is the system's message.
  case unreadable(FoundSoundFont, reason: String)
  case notASoundFont(FoundSoundFont)
  /// The file is shorter than its header states.
  case cutShort(FoundSoundFont, expected: Int, found: Int)
  case configuration(ConfigurationError)

  public var description: String {
    switch self {
    case .noneFound(let paths):
      return "no SoundFont was found, neither by PORTATIVE_SOUNDFONT, nor by the configuration, "
        + "nor at " + paths.joined(separator: ", ") + ": name one with --soundfont FILE"
    case .unreadable(let file, let reason):
      return "cannot read the SoundFont '\(file.path)' (\(file.origin)): \(reason); "
        + "name another with --soundfont FILE"
    case .notASoundFont(let file):
      return "'\(file.path)' (\(file.origin)) is not a SoundFont: "
        + "name an .sf2 or .sf3 file with --soundfont FILE"
    case .cutShort(let file, let expected, let found):
      return "the SoundFont '\(file.path)' (\(file.origin)) is truncated: it has \(found) bytes "
        + "and should have \(expected); copy or download it again"
    case .configuration(let error):
      return error.description
    }
  }
}
