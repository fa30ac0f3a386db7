/// A song as somebody listed it: on the command line, in a folder, or on a line of a manifest.
struct SongRequest: Equatable {
  /// Its path; `-` is standard input.
  var input: String
  /// What it is called below `--directory`.
  var name: String
  /// The folder that it was found in. Below it no symbolic link is followed; `nil`: they are.
  var root: String?
  /// Where it goes, if that was said.
  var output: String?
  var options: SongOptions
  /// Why it cannot be rendered, if that is known already.
  var problem: Failure?

  init(
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
