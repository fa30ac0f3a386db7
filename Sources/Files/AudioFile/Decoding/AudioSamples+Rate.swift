import CSampleRate

extension AudioSamples {
  /// Returns the audio at another rate; the same samples at the rate that it has.
  ///
  /// What is new is free of distortion down to -120 dB, and has frequencies up to 90 % of half of the lower rate.
  ///
  /// - Parameter rate: Frames per second, at most 256 times more or less than ``sampleRate``.
  /// - Throws: ``Failure`` if libsamplerate is not installed, or cannot convert the audio.
  package func converted(to rate: Int) throws(Failure) -> AudioSamples {
    if rate == sampleRate || frames == 0 { return self }
    guard let library = csamplerate_load()?.pointee else {
      throw Failure(
        description:
          "its rate is \(sampleRate) Hz, but the sound device has \(rate) Hz: install libsamplerate0, which converts it, "
          + "or use --rate \(sampleRate)")
    }
    let ratio = Double(rate) / Double(sampleRate)
    let count = (frames * rate + sampleRate - 1) / sampleRate
    let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * count)
    output.initialize(repeating: 0)
    var data = SRC_DATA()
    data.data_in = samples.baseAddress
    data.input_frames = frames
    data.data_out = output.baseAddress
    data.output_frames = count
    data.src_ratio = ratio
    let code = library.src_simple(&data, CInt(SRC_SINC_MEDIUM_QUALITY), 2)
    if code != 0 {
      output.deallocate()
      let reason = library.src_strerror(code).map { String(cString: $0) } ?? "error \(code)"
      throw Failure(description: "it cannot be converted to \(rate) Hz: \(reason)")
    }
    return AudioSamples(sampleRate: rate, adopting: UnsafeBufferPointer(output))
  }
}
