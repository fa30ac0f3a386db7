import AudioFile
package import Configuration
package import FluidSynthEngine
package import LocalSystem
import Synchronization
package import Threads

/// The SoundFonts of a run: each is looked for, loaded and announced once, and let go when the last
/// song that wants it is done.
///
/// Threads: any.
package final class SoundFontPool: Sendable {
  /// A SoundFont that songs are played from.
  package struct Font: Sendable {
    package let found: FoundSoundFont
    package let font: SoundFont
    /// Of the file's bytes; `nil` where nobody asks.
    package let hash: String?
    package let announcement: Once
  }

  private struct State {
    package var fonts: [String?: Result<Font, Failure>] = [:]
    /// What reports say of those that were opened, which stays when they are let go.
    package var descriptions: [String?: RenderReport.SoundFont] = [:]
    /// How many songs are still to be done.
    package var uses: [String?: Int]
  }
  private let state: Mutex<State>
  private let needsHash: Bool
  private let announce: @Sendable (FoundSoundFont) -> Void

  /// - Parameters:
  ///   - needsHash: Whether a report or a resumed run wants to know the fonts' bytes.
  ///   - announce: Called with each font that plays, once.
  package init(
    for jobs: [RenderPlan.Job], needsHash: Bool,
    announce: @escaping @Sendable (FoundSoundFont) -> Void
  ) {
    var uses: [String?: Int] = [:]
    for job in jobs {
      if case .success(let work) = job.work { uses[work.options.soundFont, default: 0] += 1 }
    }
    state = Mutex(State(uses: uses))
    self.needsHash = needsHash
    self.announce = announce
  }

  /// Whether all songs want the same font, so that one of no use ends the run.
  package var isSingle: Bool { state.withLock { $0.uses.count <= 1 } }

  /// - Parameter name: As `--soundfont` takes it; `nil` where it was not given.
  /// - Throws: ``Failure/Kind/soundFontUnusable``: the same to everybody who asks.
  package func font(_ name: String?) throws(Failure) -> Font {
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

  /// What a report says of a font; `nil` where it is of no use.
  package func description(of name: String?) -> RenderReport.SoundFont? {
    if let known = state.withLock({ $0.descriptions[name] }) { return known }
    return (try? font(name)).map { RenderReport.SoundFont($0.found, hash: $0.hash) }
  }

  /// Says that a song which wanted the font is done.
  package func release(_ name: String?) {
    state.withLock { state in
      let left = (state.uses[name] ?? 1) - 1
      state.uses[name] = left
      if left == 0 { state.fonts[name] = nil }
    }
  }

  private func open(_ name: String?) throws(Failure) -> Font {
    let found: FoundSoundFont
    do throws(SoundFontError) {
      found = try SoundFontSearch().find(option: name)
    } catch {
      throw Failure(error)
    }
    do throws(InstrumentError) {
      let announce = announce
      return Font(
        found: found, font: try SoundFont.open(found.path),
        hash: needsHash ? try? InputFile.hash(found.path) : nil,
        announcement: Once { announce(found) })
    } catch {
      throw Failure(error)
    }
  }
}
