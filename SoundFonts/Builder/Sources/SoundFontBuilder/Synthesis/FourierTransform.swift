/// The spectrum of one loop: `length / 2` bins that each turn a whole number of times in it.
///
/// Whatever is put in, the waveform that comes out ends exactly where it began, so it loops
/// without a seam: harmonics, clusters of detuned players and noise alike.
struct LoopSpectrum {
  private(set) var real: [Double]
  private(set) var imaginary: [Double]

  init(length: Int) {
    precondition(length & (length - 1) == 0, "the length of a spectrum is a power of two")
    real = [Double](repeating: 0, count: length)
    imaginary = real
  }

  /// Adds a partial that turns `bin` times per loop. Beyond the Nyquist frequency nothing is added.
  mutating func add(bin: Int, amplitude: Double, phase: Double) {
    guard bin > 0, bin < real.count / 2 else { return }
    let (sine, cosine) = Mathematics.sineAndCosine(phase)
    real[bin] += amplitude * cosine
    imaginary[bin] += amplitude * sine
  }

  /// One period of the waveform: the real part of the inverse transform.
  func waveform() -> [Double] {
    var re = real
    var im = imaginary
    inverseTransform(&re, &im)
    return re
  }
}

/// The radix-2 transform of Cooley and Tukey, 1965, in place and without scaling.
private func inverseTransform(_ re: inout [Double], _ im: inout [Double]) {
  let count = re.count
  var reversed = 0
  for index in 0..<count {
    if index < reversed {
      re.swapAt(index, reversed)
      im.swapAt(index, reversed)
    }
    var bit = count >> 1
    while bit > 0, reversed & bit != 0 {
      reversed ^= bit
      bit >>= 1
    }
    reversed |= bit
  }
  var half = 1
  while half < count {
    let twiddles = (0..<half).map {
      Mathematics.sineAndCosine(Mathematics.pi * Double($0) / Double(half))
    }
    for start in stride(from: 0, to: count, by: 2 * half) {
      for offset in 0..<half {
        let a = start + offset
        let b = a + half
        let (sine, cosine) = twiddles[offset]
        let bRe = re[b] * cosine - im[b] * sine
        let bIm = re[b] * sine + im[b] * cosine
        (re[b], im[b]) = (re[a] - bRe, im[a] - bIm)
        (re[a], im[a]) = (re[a] + bRe, im[a] + bIm)
      }
    }
    half *= 2
  }
}
