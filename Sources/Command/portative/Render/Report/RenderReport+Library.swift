import FluidSynthEngine

extension RenderReport {
  /// The library that played. Another may give other samples.
  struct Library: Codable, Equatable, Sendable {
    var name = "FluidSynth"
    var version: String
    /// What was measured of it.
    var traits: [String]

    static let loaded = Library(
      version: FluidSynthLibrary.version, traits: FluidSynthLibrary.traits)

    /// For the hash of a recipe.
    var recipe: String { ([version] + traits).joined(separator: "; ") }

    /// One line for the user.
    var summary: String { "\(name) \(version) (\(traits.joined(separator: "; ")))" }
  }
}
