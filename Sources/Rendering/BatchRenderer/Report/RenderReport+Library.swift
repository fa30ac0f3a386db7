import FluidSynthEngine

extension RenderReport {
  /// The library that played. Another may give other samples.
  package struct Library: Codable, Equatable, Sendable {
    package var name = "FluidSynth"
    package var version: String
    /// What was measured of it.
    package var traits: [String]

    package static let loaded = Library(
      version: FluidSynthLibrary.version, traits: FluidSynthLibrary.traits)

    /// For the hash of a recipe.
    var recipe: String { ([version] + traits).joined(separator: "; ") }

    /// One line for the user.
    package var summary: String { "\(name) \(version) (\(traits.joined(separator: "; ")))" }
  }
}
