import CSndFile

/// Reads the samples of an audio file, in any format of libsndfile.
///
/// Realtime: no. Threads: one at a time.
public struct AudioFileReader: ~Copyable {
  /// Frames per second.
  public let sampleRate: Int
  public let channels: Int
  /// The frames of the file, as its header counts them.
  public let frames: Int
  private let handle: OpaquePointer
  private let path: String

  /// Opens a file.
  ///
  /// - Throws: ``AudioReadError`` if it cannot be read.
  public init(path: String) throws(AudioReadError) {
    var information = SF_INFO()
    guard let handle = sf_open(path, CInt(SFM_READ), &information) else {
      throw AudioReadError(path: path, reason: String(cString: sf_strerror(nil)))
    }
    self.init(handle, information, path)
  }

  private init(_ handle: OpaquePointer, _ information: SF_INFO, _ path: String) {
    (self.handle, self.path) = (handle, path)
    (sampleRate, channels) = (Int(information.samplerate), Int(information.channels))
    frames = Int(information.frames)
  }

  deinit { sf_close(handle) }

  /// Continues at a frame.
  ///
  /// - Parameter frame: From 0 to ``frames``.
  /// - Throws: ``AudioReadError`` if the file has no such frame, or cannot be searched.
  public mutating func seek(to frame: Int) throws(AudioReadError) {
    if sf_seek(handle, sf_count_t(frame), CInt(SF_SEEK_SET)) != sf_count_t(frame) { throw error }
  }

  /// Reads the next frames as stereo: one channel is both, and channels after the second are left out.
  ///
  /// - Parameters:
  ///   - count: The most frames.
  ///   - samples: Receives the interleaved samples; none at the end of the file.
  public mutating func read(_ count: Int, _ samples: inout [Float]) throws(AudioReadError) {
    var block = [Float](repeating: 0, count: count * channels)
    let read = Int(sf_readf_float(handle, &block, sf_count_t(count)))
    if read < 0 { throw error }
    samples.removeAll(keepingCapacity: true)
    for frame in 0..<read {
      samples.append(block[frame * channels])
      samples.append(block[frame * channels + (channels > 1 ? 1 : 0)])
    }
  }

  private var error: AudioReadError {
    AudioReadError(path: path, reason: String(cString: sf_strerror(handle)))
  }
}

/// An audio file that cannot be read.
public struct AudioReadError: Error, Equatable, Sendable, CustomStringConvertible {
  public let path: String
  /// What libsndfile says.
  public let reason: String

  public var description: String { "cannot read '\(path)' as audio: \(reason)" }
}
