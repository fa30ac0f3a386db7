import RenderCore

extension Format {
  /// - Throws: ``FormatError`` unless the format is mono, stereo, or mono to stereo.
  func checkStereo() throws(FormatError) {
    try Self.check("outputChannels", outputChannels, in: 1...2)
    try Self.check("inputChannels", inputChannels, in: 1...outputChannels)
  }
}
