extension String {
  /// The name as a symbol, such as `channel_1` for "Channel 1": in lower case, with `_` for each space.
  ///
  /// The ports of the plugins and those in JACK's graph have the same symbols.
  package var symbol: String { lowercased().replacing(" ", with: "_") }
}
