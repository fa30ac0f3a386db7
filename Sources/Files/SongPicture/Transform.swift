import CKissFFT
import Glibc

/// The Fourier transform of a stretch of stereo, under a window.
///
/// Left is the real part and right the imaginary one, so that the powers at a frequency and at its
/// negative are, together, twice those of both channels.
final class Transform {
  /// Frames.
  let length: Int
  /// At index k, the power of all frequencies below the k-th, so that a difference is the power between
  /// two; a sine at full scale in both channels is about 1 in all. One more than half the length.
  let sums: UnsafeMutablePointer<Double>
  private let library: transform_library
  private let configuration: kiss_fft_cfg
  private let window: UnsafeMutablePointer<Float>
  private let input: UnsafeMutablePointer<kiss_fft_cpx>
  private let output: UnsafeMutablePointer<kiss_fft_cpx>

  /// Whether the library for it is here.
  static var isAvailable: Bool { ckissfft_load() != nil }

  /// - Parameter length: A power of 2.
  /// - Precondition: ``isAvailable``.
  init(length: Int) {
    guard let library = ckissfft_load()?.pointee else {
      fatalError("a transform needs KISS FFT")
    }
    guard let configuration = library.kiss_fft_alloc(CInt(length), 0, nil, nil) else {
      fatalError("no memory for a transform of \(length) frames")
    }
    self.library = library
    self.configuration = configuration
    self.length = length
    // Hann's, which lets a tone sound in four places, and hides it from all others. Two thirds of the
    // power of a tone then lie in the middle one.
    let scale = 4 / Double(length) / 3.0.squareRoot()
    window = .allocate(capacity: length)
    for place in 0..<length {
      window[place] = Float(scale * pow(sin(.pi * (Double(place) + 0.5) / Double(length)), 2))
    }
    input = .allocate(capacity: length)
    output = .allocate(capacity: length)
    sums = .allocate(capacity: length / 2 + 1)
    sums.initialize(repeating: 0, count: length / 2 + 1)
  }

  deinit {
    // What `kiss_fft_free`, a macro, stands for.
    free(UnsafeMutableRawPointer(configuration))
    window.deallocate()
    input.deallocate()
    output.deallocate()
    sums.deallocate()
  }

  /// - Parameters:
  ///   - samples: Left and right side by side.
  ///   - start: The index of the first.
  func run(_ samples: [Float], from start: Int) {
    precondition(start >= 0 && start + 2 * length <= samples.count)
    samples.withUnsafeBufferPointer { samples in
      for place in 0..<length {
        let weight = window[place]
        input[place].r = weight * samples[start + 2 * place]
        input[place].i = weight * samples[start + 2 * place + 1]
      }
    }
    library.kiss_fft(configuration, input, output)
    var sum = 0.0
    for place in 1..<length / 2 {
      let (above, below) = (output[place], output[length - place])
      let power = above.r * above.r + above.i * above.i + below.r * below.r + below.i * below.i
      sum += Double(power)
      sums[place + 1] = sum
    }
  }
}
