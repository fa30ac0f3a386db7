import RenderCore

extension Format {
  /// - Throws: ``FormatError`` unless the format is mono, stereo, or mono to stereo.
  func checkStereo() throws(FormatError) {
    try Self.check("outputChannels", outputChannels, 1...2)
    try Self.check("inputChannels", inputChannels, 1...outputChannels)
  }

  private static func check(
    _ field: String, _ value: Int, _ allowed: ClosedRange<Int>
  ) throws(FormatError) {
    if !allowed.contains(value) { throw FormatError(field: field, value: value, allowed: allowed) }
  }
}
