import FluidSynthEngine

extension RenderReport {
  /// The FluidSynth library that rendered the songs. Another one may yield other samples.
  package struct Library: Codable, Equatable, Sendable {
    package var name = "FluidSynth"
    package var version: String
    /// The measured properties of the library.
    package var traits: [String]

    package static let loaded = Library(
      version: FluidSynthLibrary.version, traits: FluidSynthLibrary.traits)

    /// The part of a recipe that identifies the library.
    var recipe: String { ([version] + traits).joined(separator: "; ") }

    /// A line for the user.
    package var summary: String { "\(name) \(version) (\(traits.joined(separator: "; ")))" }
  }
}
