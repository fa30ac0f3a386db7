import CLV2
import CLilv
import Glibc
import LV2Atoms
import RenderCore

/// What an instance of a plugin may ask its host for: numbers of URIs, the sizes of its buffers, the log, and work off the render
/// thread.
///
/// Threads: one makes and destroys it; plugins use it as LV2 says.
final class LV2Features {
  /// The list for the plugin, which ends with null.
  let list: UnsafePointer<UnsafePointer<LV2_Feature>?>
  private let memory = RenderMemory()

  /// The features that a plugin may require.
  static let known = ofBlocks.union([
    LV2URI.map, LV2URI.unmap, LV2URI.options, LV2URI.log, LV2URI.schedule,
    LV2URI.bufferSize + "boundedBlockLength", LV2URI.loadDefaultState, LV2URI.threadSafeRestore,
    LV2URI.core + "isLive", LV2URI.core + "hardRTCapable", LV2URI.core + "inPlaceBroken",
  ])

  /// Those of plugins that need blocks of one length, a power of two, or that are not divided where controls change.
  static let ofBlocks: Set<String> = [
    LV2URI.bufferSize + "fixedBlockLength", LV2URI.bufferSize + "powerOf2BlockLength",
    LV2URI.bufferSize + "coarseBlockLength",
  ]

  /// - Parameters:
  ///   - name: The name of the plugin, for its messages.
  ///   - frames: The least and the greatest number of frames that the plugin renders at once.
  ///   - schedule: How the plugin asks for work off the render thread.
  init(
    _ name: String, sampleRate: Int, frames: ClosedRange<Int>, sequenceSize: Int,
    schedule: LV2_Worker_Schedule
  ) {
    let map = memory.make(URINumbers.map)
    let unmap = memory.make(URINumbers.unmap)
    let work = memory.make(schedule)
    let pluginLog = PluginLog.of(name)
    let handler = Unmanaged.passRetained(pluginLog)
    memory.onRelease {
      handler.release()
      pluginLog.end()
    }
    let log = memory.make(clilv_log_make(writeLogLine, handler.toOpaque()))
    log.pointee.log.handle = UnsafeMutableRawPointer(log)

    let options = memory.make(6, of: LV2_Options_Option())
    func set(_ index: Int, _ key: String, _ type: String, _ value: UnsafeRawPointer) {
      options[index] = LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: URINumbers.number(of: key), size: 4,
        type: URINumbers.number(of: LV2URI.atom + type), value: value)
    }
    let lengths = [
      ("minBlockLength", frames.lowerBound), ("maxBlockLength", frames.upperBound),
      ("nominalBlockLength", frames.upperBound), ("sequenceSize", sequenceSize),
    ]
    for (index, (name, value)) in lengths.enumerated() {
      set(index, LV2URI.bufferSize + name, "Int", memory.make(Int32(value)))
    }
    set(
      4, LV2URI.sampleRate, "Float", memory.make(Float(sampleRate)))

    var data: [(String, UnsafeMutableRawPointer?)] = [
      (LV2URI.map, UnsafeMutableRawPointer(map)),
      (LV2URI.unmap, UnsafeMutableRawPointer(unmap)),
      (LV2URI.options, UnsafeMutableRawPointer(options)),
      (LV2URI.log, UnsafeMutableRawPointer(log)),
      (LV2URI.schedule, UnsafeMutableRawPointer(work)),
      (LV2URI.bufferSize + "boundedBlockLength", nil),
      (LV2URI.loadDefaultState, nil),
    ]
    if frames.count == 1 { data += Self.ofBlocks.map { ($0, nil) } }
    let list = memory.make(data.count + 1, of: nil as UnsafePointer<LV2_Feature>?)
    for (index, (uri, data)) in data.enumerated() {
      let text = strdup(uri)
      memory.onRelease { free(text) }
      list[index] = UnsafePointer(memory.make(LV2_Feature(URI: text, data: data)))
    }
    self.list = UnsafePointer(list)
  }
}

/// Writes a line of a plugin's log, except traces, which may come from the render thread.
private func writeLogLine(
  _ log: UnsafeMutableRawPointer?, _ type: LV2_URID, _ line: UnsafePointer<CChar>
) {
  guard let log, type != URINumbers.number(of: LV2URI.logTrace) else { return }
  var line = String(cString: line)[...]
  while line.last?.isNewline ?? false { line.removeLast() }
  Unmanaged<PluginLog>.fromOpaque(log).takeUnretainedValue().write(String(line))
}
