import BatchRenderer
import CPortativeRender
import Configuration
import Glibc
import LocalSystem

@_cdecl("portative_synthesizer_create")
public func portative_synthesizer_create(
  _ options: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    try ForkGate.pass {
      return OpaquePointer(
        retaining: try ArraySynthesizer(arguments: texts(options, count: count)))
    }
  }
}

@_cdecl("portative_synthesizer_free")
public func portative_synthesizer_free(_ synthesizer: OpaquePointer!) { release(synthesizer) }

@_cdecl("portative_synthesizer_sample_rate")
public func portative_synthesizer_sample_rate(_ synthesizer: OpaquePointer!) -> Int32 {
  Int32(synthesizer.object(ArraySynthesizer.self).sampleRate)
}

@_cdecl("portative_synthesizer_provenance")
public func portative_synthesizer_provenance(
  _ synthesizer: OpaquePointer!, _ error: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  attempt(error) {
    try ForkGate.pass { strdup(try synthesizer.object(ArraySynthesizer.self).provenance()) }
  } ?? nil
}

@_cdecl("portative_synthesizer_soundfont")
public func portative_synthesizer_soundfont(
  _ synthesizer: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  strdup(synthesizer.object(ArraySynthesizer.self).found.path)
}

@_cdecl("portative_synthesizer_render")
public func portative_synthesizer_render(
  _ synthesizer: OpaquePointer!, _ song: OpaquePointer!,
  _ options: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int, _ frames: Int64, _ labels: Bool,
  _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    try ForkGate.pass {
      let song = song.object(SongHandle.self)
      let rendered = try synthesizer.object(ArraySynthesizer.self).stream(
        song.song, name: song.name, arguments: texts(options, count: count),
        frameLimit: frames > 0 ? Int(frames) : nil, hasLabels: labels)
      return OpaquePointer(retaining: RenderingHandle(rendered, of: song))
    }
  }
}

private func texts(_ texts: UnsafePointer<UnsafePointer<CChar>?>?, count: Int) -> [String] {
  guard let texts else { return [] }
  return (0..<count).compactMap { texts[$0].map { String(cString: $0) } }
}
