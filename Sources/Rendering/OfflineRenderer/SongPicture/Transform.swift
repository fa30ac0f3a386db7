import CKissFFT
import Glibc

/// A windowed Fourier transform of stereo.
///
/// The left channel is the real part, the right one the imaginary part. The powers at a frequency and at its negative
/// therefore add up to twice the power of both channels.
final class Transform {
  /// The length of the transform, in frames.
  let length: Int
  /// The cumulative power: at index k, the power of all bins below k. The power of a range is thus a difference. A sine
  /// at full scale in both channels has a total power of about 1. The count is half the length plus one.
  let sums: UnsafeMutablePointer<Double>
  private let library: transform_library
  private let configuration: kiss_fft_cfg
  private let window: UnsafeMutablePointer<Float>
  private let input: UnsafeMutablePointer<kiss_fft_cpx>
  private let output: UnsafeMutablePointer<kiss_fft_cpx>

  /// Whether the library is installed.
  static var isAvailable: Bool { ckissfft_load() != nil }

  /// Creates a transform.
  ///
  /// - Parameter length: A power of 2.
  /// - Precondition: ``isAvailable``.
  init(length: Int) {
    guard let library = ckissfft_load()?.pointee else {
      fatalError("a transform needs KISS FFT")
    }
    guard let configuration = library.kiss_fft_alloc(CInt(length), 0, nil, nil) else {
      fatalError("cannot allocate a transform of \(length) frames")
    }
    self.library = library
    self.configuration = configuration
    self.length = length
    // A Hann window, which spreads a tone over four bins and suppresses it in all others. Two thirds of the
    // tone's power are then in the central bin.
    let scale = 4 / Double(length) / 3.0.squareRoot()
    window = .allocate(capacity: length)
    for index in 0..<length {
      window[index] = Float(scale * pow(sin(.pi * (Double(index) + 0.5) / Double(length)), 2))
    }
    input = .allocate(capacity: length)
    output = .allocate(capacity: length)
    sums = .allocate(capacity: length / 2 + 1)
    sums.initialize(repeating: 0, count: length / 2 + 1)
  }

  deinit {
    // The expansion of the macro `kiss_fft_free`.
    free(UnsafeMutableRawPointer(configuration))
    window.deallocate()
    input.deallocate()
    output.deallocate()
    sums.deallocate()
  }

  /// Transforms `length` frames.
  ///
  /// - Parameters:
  ///   - samples: Interleaved left and right samples.
  ///   - start: The index of the first sample.
  func run(_ samples: [Float], from start: Int) {
    precondition(start >= 0 && start + 2 * length <= samples.count)
    samples.withUnsafeBufferPointer { samples in
      for index in 0..<length {
        let weight = window[index]
        input[index].r = weight * samples[start + 2 * index]
        input[index].i = weight * samples[start + 2 * index + 1]
      }
    }
    library.kiss_fft(configuration, input, output)
    var sum = 0.0
    for index in 1..<length / 2 {
      let (above, below) = (output[index], output[length - index])
      let power = above.r * above.r + above.i * above.i + below.r * below.r + below.i * below.i
      sum += Double(power)
      sums[index + 1] = sum
    }
  }
}
