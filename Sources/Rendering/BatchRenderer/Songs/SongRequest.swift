package import LocalSystem

/// A song as somebody listed it: on the command line, in a folder, or on a line of a manifest.
package struct SongRequest: Equatable {
  /// Its path; `-` is standard input.
  package var input: String
  /// What it is called below `--directory`.
  package var name: String
  /// The folder that it was found in. Below it no symbolic link is followed; `nil`: they are.
  package var root: String?
  /// Where it goes, if that was said.
  package var output: String?
  package var options: SongOptions
  /// Why it cannot be rendered, if that is known already.
  package var problem: Failure?

  package init(
    _ input: String, name: String? = nil, root: String? = nil, _ options: SongOptions,
    problem: Failure? = nil
  ) {
    self.input = input
    self.name = name ?? SongPath.lastPart(input)
    self.root = root
    self.options = options
    self.problem = problem
  }
}
