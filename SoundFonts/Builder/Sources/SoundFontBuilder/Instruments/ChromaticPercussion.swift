/// Programs 8...15: bars, tubes and strings under mallets.
enum ChromaticPercussion {
  static let programs: [Program] = [
    Program("Celesta", celesta, Articulation(release: 0.7, softness: 1_800, reverb: 0.2)),
    Program("Glockenspiel", glockenspiel, Articulation(release: 1.2, softness: 1_500, reverb: 0.2)),
    Program("Music Box", musicBox, Articulation(release: 1.2, softness: 1_200, reverb: 0.22)),
    Program(
      "Vibraphone", vibraphone,
      Articulation(
        release: 1.0, softness: 2_400, tremolo: .init(depth: 2.2, hertz: 5), width: 0.4, reverb: 0.2
      )),
    Program(
      "Marimba", marimba, Articulation(release: 0.6, softness: 2_400, width: 0.4, reverb: 0.15)),
    Program("Xylophone", xylophone, Articulation(release: 0.5, softness: 1_800, reverb: 0.15)),
    Program("Tubular Bells", chimes, Articulation(release: 2.5, softness: 1_500, reverb: 0.25)),
    Program("Dulcimer", dulcimer, Articulation(release: 0.9, softness: 1_800, reverb: 0.18)),
  ]

  private static func struck(
    _ name: String, _ keys: [Int], _ ratios: [Double], _ levels: [Double], decay: Double,
    damping: Double, click: Double, onset: Double = 0.0015, rate: Double = 28_000,
    length: Double = 0.32, loopLength: Int = 2_048
  ) -> [Recording] {
    recordings(name, keys) { name, key in
      let seconds = decay * Mathematics.pow(0.6, Double(key - 72) / 12)
      return DecayingTone(
        modes: StruckBody.modes(
          ratios, hertz: Mathematics.frequency(key: key), levels: levels, decay: seconds,
          damping: damping),
        noise: [NoiseBurst(band: 500...5_000, amplitude: click, decay: 0.012)], onset: onset,
        beating: 0.03, sampleRate: rate, length: length, loopLength: loopLength
      ).record(name, key: key)
    }
  }

  static let celesta = struck(
    "Celesta", [71], [1, 2, 3.98, 6.9], [0, -22, -14, -32], decay: 2.2, damping: 0.9,
    click: 0.06)
  static let glockenspiel = struck(
    "Glockenspiel", [84], StruckBody.bar, [0, -3, -12, -24, -34], decay: 4, damping: 0.7,
    click: 0.2, rate: 34_000, length: 0.3)
  static let musicBox = struck(
    "Music Box", [76], [1, 2, 3, 6.27, 9.1], [0, -10, -16, -9, -20], decay: 2.6, damping: 0.7,
    click: 0.08)
  static let vibraphone = struck(
    "Vibraphone", [57, 74], StruckBody.marimba, [0, -18, -32, -42], decay: 5, damping: 1.0,
    click: 0.03, onset: 0.003, rate: 20_000, length: 0.42)
  static let marimba = struck(
    "Marimba", [50, 72], StruckBody.marimba, [0, -14, -24, -34], decay: 0.9, damping: 1.1,
    click: 0.07, onset: 0.0025, rate: 22_000, length: 0.3, loopLength: 1_024)
  static let xylophone = struck(
    "Xylophone", [74], StruckBody.xylophone, [0, -4, -8, -16], decay: 0.6, damping: 0.8,
    click: 0.16, onset: 0.0008, rate: 36_000, length: 0.25, loopLength: 2_048)

  static let chimes = struck(
    "Tubular Bell", [66], StruckBody.chime, [-18, -14, -2, -4, -7, -13, -18, -24], decay: 4.5,
    damping: 0.6, click: 0.15, rate: 24_000, length: 0.6, loopLength: 8_192)

  /// Paired strings under wooden hammers.
  static let dulcimer = recordings("Dulcimer", [62]) { name, key in
    var tone = PluckedString(
      position: 0.1, brightness: 5_500, tilt: 0.5, decay: 3.2, damping: 2_400, stiffness: 0.0001,
      body: Spectrum.resonances([(240, 160, 4), (620, 500, 2), (2_200, 2_000, 0)], floor: -5),
      noise: [NoiseBurst(band: 700...4_000, amplitude: 0.3, decay: 0.02)], sampleRate: 26_000,
      length: 0.42
    ).tone(key: key)
    tone.beating = 0.3
    return tone.record(name, key: key)
  }
}
