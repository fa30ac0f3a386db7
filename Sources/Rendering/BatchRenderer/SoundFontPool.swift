import AudioFile
import Configuration
import FluidSynthEngine
import LocalSystem
import Synchronization

/// The SoundFonts of a run. Each is located, loaded and announced once, and released when the last song that uses it is
/// done.
///
/// Threads: any.
final class SoundFontPool: Sendable {
  /// A loaded SoundFont.
  struct Font: Sendable {
    let found: FoundSoundFont
    let font: SoundFont
    /// The hash of the file's bytes; `nil` if no report needs it.
    let hash: String?
    let announcement: Once
  }

  private struct State {
    var fonts: [String?: Result<Font, Failure>] = [:]
    /// The reports' descriptions of loaded SoundFonts, which remain after their release.
    var descriptions: [String?: RenderReport.SoundFont] = [:]
    /// The number of songs that still need each SoundFont.
    var uses: [String?: Int]
  }
  private let state: Mutex<State>
  private let needsHash: Bool
  private let announced: Set<String?>
  private let announce: @Sendable (FoundSoundFont) -> Void

  /// - Parameters:
  ///   - jobs: The songs of the run.
  ///   - announced: The names of the SoundFonts that were already announced.
  ///   - needsHash: Whether a report or a resumed run needs the hashes of the SoundFonts.
  ///   - announce: Called once with each SoundFont that plays a song.
  init(
    for jobs: [RenderPlan.Job], announced: Set<String?> = [], needsHash: Bool,
    announce: @escaping @Sendable (FoundSoundFont) -> Void
  ) {
    var uses: [String?: Int] = [:]
    for job in jobs {
      if case .success(let work) = job.work {
        for name in work.options.soundFonts { uses[name, default: 0] += 1 }
      }
    }
    state = Mutex(State(uses: uses))
    self.announced = announced
    self.needsHash = needsHash
    self.announce = announce
  }

  /// Whether all songs use the same SoundFont.
  var isSingle: Bool { state.withLock { $0.uses.count <= 1 } }

  /// Returns the SoundFonts that may play a song, first that of the options if it may.
  ///
  /// - Throws: As ``font(_:)``.
  func fonts(_ options: SongOptions) throws(Failure) -> [(name: String?, font: Font)] {
    try options.soundFonts.map { (name) throws(Failure) in (name, try font(name)) }
  }

  /// Returns a SoundFont, which the first call loads.
  ///
  /// - Parameter name: The value of `--soundfont`; `nil`: not given.
  /// - Throws: ``Failure/Kind/soundFontUnusable``, the same error at each call for the name.
  func font(_ name: String?) throws(Failure) -> Font {
    try state.withLock { state in
      if let known = state.fonts[name] { return known }
      let font = Result { () throws(Failure) in try open(name) }
      state.fonts[name] = font
      if case .success(let font) = font {
        state.descriptions[name] = RenderReport.SoundFont(font.found, hash: font.hash)
      }
      return font
    }.get()
  }

  /// Returns the path of a SoundFont, or its name if there is no such file.
  func path(_ name: String?) -> String {
    (try? font(name))?.found.path ?? name ?? "that was found"
  }

  /// Refuses a SoundFont: ``font(_:)`` throws `failure` for it.
  func refuse(_ name: String?, _ failure: Failure) {
    state.withLock { $0.fonts[name] = .failure(failure) }
  }

  /// Returns the report's description of a SoundFont; `nil` if the SoundFont is unusable.
  func description(of name: String?) -> RenderReport.SoundFont? {
    if let known = state.withLock({ $0.descriptions[name] }) { return known }
    return (try? font(name)).map { RenderReport.SoundFont($0.found, hash: $0.hash) }
  }

  /// Records that a song is done, and releases its SoundFonts after the last one.
  func release(_ options: SongOptions) {
    state.withLock { state in
      for name in options.soundFonts {
        let left = (state.uses[name] ?? 1) - 1
        state.uses[name] = left
        if left == 0 { state.fonts[name] = nil }
      }
    }
  }

  private func open(_ name: String?) throws(Failure) -> Font {
    do {
      let found = try SoundFontSearch().find(option: name)
      let announce = announce
      let isAnnounced = announced.contains(name)
      return Font(
        found: found, font: try SoundFont.open(found.path),
        hash: needsHash ? try? InputFile.hash(found.path) : nil,
        announcement: Once { if !isAnnounced { announce(found) } })
    } catch {
      throw Failure(error)
    }
  }
}
