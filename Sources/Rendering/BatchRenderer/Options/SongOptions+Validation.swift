import AudioFile
import FluidSynthEngine
import LocalSystem
import OfflineRenderer
import Options
import SongPicture

extension SongOptions {
  /// Checks that no options contradict each other.
  func validate() throws(Failure) {
    if isRaw, let container, container != .raw {
      throw .usage("--raw and --format \(container.rawValue) contradict each other: leave one out")
    }
    if let end, end <= start {
      throw .usage(
        "--to \(OptionValue.brief(end)) is not after --from \(OptionValue.brief(start)): "
          + "nothing would be rendered")
    }
    if stems != nil, timing == .stock {
      throw .usage(
        "--stems needs --timing exact: with --timing stock, one synth mixes all notes")
    }
    if stems == .note, normalization != nil {
      throw .usage(
        "--stems note and --normalize contradict each other, because files of notes are complete before "
          + "the level of the song is known: use --gain, or --stems channel")
    }
    if labels != nil, timing == .stock {
      throw .usage(
        "--labels needs --timing exact: with --timing stock, notes begin up to 63 frames late")
    }
    if imageStyle != .dark, image == nil {
      throw .usage("--image-style needs --image: add --image, or --image FILE")
    }
    if labelsMessages, labels == nil {
      throw .usage("--label-messages needs --labels: name their file with --labels FILE")
    }
    if let maximumTail, case .seconds(let seconds) = tail, seconds > maximumTail {
      throw .usage(
        "--tail \(OptionValue.brief(seconds)) is longer than --max-tail "
          + "\(OptionValue.brief(maximumTail)): leave one out")
    }
  }

  /// Checks that the ending of an output file does not stand for another format than the requested one.
  func validateEnding(of output: String) throws(Failure) {
    if output != "-", let requested = isRaw ? AudioFormat.Container.raw : container,
      let ending = try? AudioFormat.Container(fileName: output), ending != requested
    {
      throw .usage(
        "'\(output)' has the ending of \(ending.rawValue), but \(isRaw ? "--raw" : "--format") requests "
          + "\(requested.rawValue): change one of them")
    }
  }

  /// Returns the format of an output file.
  ///
  /// - Parameter output: Its name; `-` is standard output, `nil`: not given.
  /// - Throws: If the format is unknown, or does not support the requested bits, rate or streaming.
  func format(of output: String?) throws(Failure) -> AudioFormat {
    if stems != nil, output == "-" {
      throw .usage("--stems needs a file for the mix, but --output is -: name a file")
    }
    do {
      let format = try AudioFormat(container(of: output), bits: bits)
      try format.check(sampleRate: sampleRate)
      if output == "-", !format.container.canStream {
        throw AudioFormatError.cannotStream(format.container)
      }
      return format
    } catch AudioFormatError.unknownExtension(let name) {
      throw .usage("\(AudioFormatError.unknownExtension(name)), or pass it with --format")
    } catch {
      throw Failure(error)
    }
  }

  private func container(of output: String?) throws(AudioFormatError) -> AudioFormat.Container {
    if isRaw { return .raw }
    if let container { return container }
    guard let output, output != "-" else { return .wav }
    // Devices and FIFOs have no ending that stands for a format.
    return SongPath.isDevice(output) ? .wav : try AudioFormat.Container(fileName: output)
  }
}
