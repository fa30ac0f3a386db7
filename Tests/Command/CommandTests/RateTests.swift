import Foundation
import ProgramTestSupport
import TestSupport
import Testing
import portative

/// The program at the sample rates that users choose. Separate tests cover the engine at every rate.
@Suite(.timeLimit(.minutes(5))) struct ProgramRateTests {
  static let rates = [8000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000]

  private func data(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  @Test(arguments: rates)
  func `what is rendered, hosted and heard has the same bits`(rate: Int) throws {
    let user = try TemporaryUser()
    let song = try user.folder.put(shortSong())
    try user.serve()
    let options = ["--tail", "exact", "--rate", "\(rate)", song]
    // Recordings have these bits.
    let bits = ["--bits", "32f"]
    let rendered = user.folder("rendered.wav")
    let render = try Program(
      ["render", "-q", "-s", bundledSoundFont, "-o", rendered] + bits + options
    ).result()
    #expect(render.exitCode == 0, "\(render.errors)")
    let expected = samples(rendered)
    #expect(expected.count == (rate * 25 + 12) / 24 * 2)
    let hosted = user.folder("hosted.wav")
    _ = try play(["-o", hosted] + bits + options, user)
    let isSame = samples(hosted) == expected
    #expect(isSame)
    // On a busy machine, cycles may be late. Then the recording has gaps, and the warnings say so.
    for number in 0..<20 {
      let heard = user.folder("heard \(number).wav")
      let warnings = try play(["--audio", "none", "--record", heard] + options, user)
      if samples(heard) == expected { return }
      #expect(warnings.contains("late"), "\(warnings)")
    }
    Issue.record("20 of 20 recordings have gaps")
  }

  /// - Returns: The warnings.
  private func play(_ arguments: [String], _ user: TemporaryUser) throws -> String {
    let result = try Program(["play", "--node", "last"] + arguments, variables: user.variables)
      .result()
    #expect(result.exitCode == 0, "\(result.errors)")
    return result.errors
  }

  @Test(arguments: rates)
  func `a library does not depend on jobs, no note is silent, and stems add up`(rate: Int) throws {
    let songs = try TemporaryFolder()
    for number in 0..<4 {
      // Each note is a taiko with two voices: above 65.5 kHz, the thirteenth note of a lane was once silent.
      let notes = (0..<16).map {
        Note(tick: Int64($0) * 120, key: UInt8(40 + number + $0), length: 12)
      }
      try songs.createFile("\(number).mid", songBytes(notes, endTick: 2000, program: 115))
    }
    // The report contains a hash of every rendered file.
    var reports: [Data] = []
    let output = try TemporaryFolder()
    for jobs in ["1", "2"] {
      let result = try Program(
        [
          "render", "-q", "-s", bundledSoundFont, "--rate", "\(rate)", "-j", jobs, "--stems",
          "channel", "--bits", "24", "-d", output.path, "--report", output("r.json"), songs.path,
        ]
      ).result(within: 60)
      #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result.errors)")
      reports.append(try data(output("r.json")))
      try checkSum(output, rate)
    }
    #expect(reports[0] == reports[1])
    let text = String(decoding: reports[0], as: UTF8.self)
    #expect(text.matches(of: /"silentNotes":\s*0/).count == 4)
  }

  /// Checks that the stems of the first song add up to its mix, sample by sample.
  private func checkSum(_ output: TemporaryFolder, _ rate: Int) throws {
    let mix = samples(output("0.wav"))
    var sum = [Float](repeating: 0, count: mix.count)
    let stems = try FileManager.default.contentsOfDirectory(atPath: output("0.stems"))
    for stem in stems {
      for (index, sample) in samples(output("0.stems/\(stem)")).enumerated() {
        sum[index] += sample
      }
    }
    #expect(stems.count >= 2 && sum == mix)
    let second = rate * 2
    #expect(mix[..<second].contains { abs($0) > 0.01 })
  }
}
