import CLinux
import Glibc
import LocalSystem

@testable import FluidSynthEngine

/// Called by libFuzzer with each input, a SoundFont file; traps if what is read of it violates a law.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSoundFont(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let descriptor = shared_memory_create("font", count)
  precondition(descriptor >= 0 && pwrite(descriptor, start, count, 0) == count)
  defer { close(descriptor) }
  let file = try! SampleFile(opening: "/proc/self/fd/\(descriptor)")
  defer { file.close() }
  if let outline = SoundFontOutline(file) { check(outline, file) }
  return 0
}

private func check(_ outline: SoundFontOutline, _ file: SampleFile) {
  law("the image is as long as the file", outline.image.size == file.size)
  law("the image's parts follow each other", follow(outline.image.parts.map(\.range), 0, file.size))
  law("the samples are in the file", outline.samples.upperBound <= file.size)
  let tables = outline.tables
  law(
    "zones belong to one preset, in order",
    follow(tables.presets.map(\.zones), 0, tables.zones.count))
  law(
    "each zone has a sample",
    tables.zones.allSatisfy { tables.samples.indices.contains(Int($0.sample)) })
  law(
    "no more samples can be played than there are", outline.playableSamples <= tables.samples.count)
  for sample in tables.samples {
    let reach = outline.reach(of: sample)
    law(
      "voices read only samples",
      reach.ranges.allSatisfy { 0 <= $0.lowerBound && $0.upperBound <= outline.frames })
  }
}

/// Whether each range begins where the one before it ends.
private func follow(_ ranges: [Range<Int>], _ start: Int, _ end: Int) -> Bool {
  var position = start
  for range in ranges {
    if range.lowerBound != position { return false }
    position = range.upperBound
  }
  return position == end
}

private func law(_ name: String, _ holds: Bool) {
  if !holds { fatalError("violated: \(name)") }
}
