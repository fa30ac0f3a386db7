import CLV2
import CLilv
import Glibc
import LV2Atoms
import LocalSystem
package import RenderCore
import Synchronization

/// Makes units that play an LV2 plugin in this process.
///
/// **Format.** As many channels as the plugin has audio ports. A plugin with one output also plays in stereo, on both sides, and
/// one with more than two has its odd outputs on the left and its even ones on the right. A plugin with one input receives the mean
/// of two; inputs beyond those of the format are silent, such as side chains.
///
/// **Events** act at their frames, as far as the plugin honours these. A change of a control port divides the plugin's cycle at its
/// frame; in a ramp, every ``LV2RenderState/step`` frames of the stream.
///
/// **State** is the plugin's, as lilv writes it. Presets with nothing but values of parameters are the unit's presets. A preset that
/// is named for new units stays: messages that choose programs and banks are not passed then.
///
/// **Files** are the properties of the plugin whose values are paths. While another one is loaded, the unit is silent.
package struct LV2Source: RenderUnitSource, Equatable {
  package let plugin: LV2Plugin
  /// The name of the plugin's preset that new units play; `nil` for its defaults.
  package let preset: String?
  /// The files and texts that new units have.
  private let values: [LV2PropertyValue]
  private let library: LV2Library
  /// Whether denormal numbers are flushed to zero while a plugin renders.
  package var flushesDenormals = true

  /// - Parameter properties: Files and texts by the names of the plugin's properties; see ``LV2TextProperty``.
  /// - Throws: ``LV2Error`` if the plugin is not installed or cannot be played, has no such preset or property, or if a file
  ///   cannot be read.
  package init(
    _ uri: String, preset: String? = nil, properties: [String: String] = [:]
  ) throws(LV2Error) {
    library = try LV2Library.open()
    plugin = try library.plugin(uri)
    if let problem = plugin.problem { throw .unplayable(plugin.name, problem) }
    self.preset = preset
    if let preset { _ = try LV2Presets(plugin, library).uri(of: preset) }
    values = try plugin.values(of: properties)
  }

  /// Returns the same plugin with another preset. A preset with a state has files of its own instead of the present ones.
  ///
  /// - Throws: ``LV2Error`` if there is no such preset.
  package func with(preset: String) throws(LV2Error) -> LV2Source {
    let hasFiles = try LV2Presets(plugin, library).hasState(preset)
    return try LV2Source(plugin.uri, preset: preset, properties: hasFiles ? [:] : properties)
  }

  /// Returns the same plugin with further files and texts.
  ///
  /// - Throws: ``LV2Error`` as for a new source.
  package func with(properties others: [String: String]) throws(LV2Error) -> LV2Source {
    try LV2Source(
      plugin.uri, preset: preset, properties: properties.merging(others) { $1 })
  }

  /// The files and texts by the names of the properties. Paths are absolute.
  package var properties: [String: String] {
    Dictionary(uniqueKeysWithValues: values.map { ($0.property.identifier, $0.text) })
  }

  /// The paths of the files.
  package var files: [String] { values.filter(\.property.isFile).map(\.text) }

  package static func == (first: Self, second: Self) -> Bool {
    first.plugin == second.plugin && first.preset == second.preset && first.values == second.values
  }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  package func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try LV2Unit(
      plugin, library, format, isOffline: use.isOffline, keepsPreset: preset != nil,
      flushesDenormals: flushesDenormals)
    if let preset { try unit.load(preset: preset) }
    try unit.set(values)
    return unit
  }
}

/// An instance of a plugin.
///
/// `@unchecked Sendable`: the render state belongs to the render thread, except while ``gate`` keeps it out.
final class LV2Unit: RenderUnit, @unchecked Sendable {
  private let plugin: LV2Plugin
  private let library: LV2Library
  private let controls: [LV2Control]
  private let store: ParameterStore
  private let features: LV2Features
  private let instance: UnsafeMutablePointer<LilvInstance>
  private let worker: UnsafeMutablePointer<LV2Worker>
  private let state: UnsafeMutablePointer<LV2RenderState>
  /// Closed while another thread changes the plugin, so that cycles are silent.
  let gate: CallbackGate
  /// The latency in frames after the last cycle.
  private let latencyWord: SharedWord
  private let memory = RenderMemory()
  /// Held while the plugin works, so that one piece of work follows another.
  private let working = Mutex(())
  private let hasState: Bool
  /// The presets, once they have been read.
  private let listedPresets = Mutex<[Preset]?>(nil)
  /// The values that properties were set to, by their URIs.
  private let chosen = Mutex<[String: LV2PropertyValue]>([:])
  /// The frames of silence that the plugin renders at a time.
  private let silentFrames: Int
  /// The cycles of silence in which a plugin loads a file: it asks for work in one, and receives the result in the next.
  private static let loadingCycles = 8

  init(
    _ plugin: LV2Plugin, _ library: LV2Library, _ format: Format, isOffline: Bool,
    keepsPreset: Bool, flushesDenormals: Bool
  ) throws {
    let routing = try ChannelRouting(plugin, format)
    silentFrames = plugin.needsBlocks ? BlockAdapter.length : min(format.maximumFrames, 64)
    self.plugin = plugin
    self.library = library
    let (controls, groups) = plugin.controls(sampleRate: format.sampleRate)
    self.controls = controls
    store = ParameterStore(ParameterTree(controls.map(\.parameter), groups: groups))
    worker = memory.make(LV2Worker(isOffline: isOffline, in: memory))
    let blocks = BlockAdapter.length...BlockAdapter.length
    let features = LV2Features(
      plugin.name, sampleRate: format.sampleRate,
      frames: plugin.needsBlocks
        ? blocks : 1...min(format.maximumFrames, LV2RenderState.longestPart),
      sequenceSize: EventSequence.size(plugin.eventPort), schedule: LV2Worker.schedule(worker))
    self.features = features
    let (made, code) = try library.read { lilv throws(LV2Error) in
      let found = try lilv.plugin(plugin.uri)
      errno = 0
      let made = lilv.functions.pointee.plugin_instantiate(
        found, Double(format.sampleRate), features.list)
      return (UInt(bitPattern: made), errno)
    }
    guard let instance = UnsafeMutablePointer<LilvInstance>(bitPattern: made) else {
      throw LV2Error.unplayable(
        plugin.name, plugin.refusal(sampleRate: format.sampleRate, code: code))
    }
    self.instance = instance
    let interface = lilv_instance_get_extension_data(instance, LV2URI.workerInterface)
    worker.pointee.begin(
      instance, interface?.assumingMemoryBound(to: LV2_Worker_Interface.self))
    hasState = lilv_instance_get_extension_data(instance, LV2URI.stateInterface) != nil
    let words = SharedWords(count: 2)
    memory.onRelease(words.destroy)
    (gate, latencyWord) = (CallbackGate(words[0]), words[1])
    state = memory.make(
      LV2RenderState(
        plugin, instance, worker, controls, store.values, routing, format, isOffline: isOffline,
        keepsPreset: keepsPreset, flushesDenormals: flushesDenormals, gate, latency: latencyWord,
        in: memory))
    lilv_instance_activate(instance)
    if plugin.latencyPort != nil {
      // Many plugins know their latency only after they have rendered.
      state.pointee.renderSilence(frames: silentFrames)
      lilv_instance_deactivate(instance)
      lilv_instance_activate(instance)
    }
  }

  deinit {
    lilv_instance_deactivate(instance)
    _ = try? library.read { [instance] lilv throws(LV2Error) in
      lilv.functions.pointee.instance_free(instance)
    }
    memory.release()
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderPlugin) }

  var latency: Int { Int(latencyWord.value) }

  var parameters: ParameterStore? { controls.isEmpty ? nil : store }

  var presets: [Preset] {
    listedPresets.withLock { list in
      let presets = list ?? LV2Presets(plugin, library).presets(controls)
      list = presets
      return presets
    }
  }

  func performDeferredWork() { working.withLock { [worker] _ in worker.pointee.perform() } }

  /// Sets the values of a preset and the state that it has.
  func load(preset: String) throws(LV2Error) {
    let presets = LV2Presets(plugin, library)
    try restore { [controls] lilv, restore throws(LV2Error) in
      let values = try presets.load(preset, controls, lilv, restore)
      for (identifier, value) in values { try? store.set(identifier, to: value) }
    }
  }
}

extension LV2Plugin {
  /// Returns why no instance could be made, with the remedy.
  ///
  /// - Parameter code: The error number that the attempt has left.
  fileprivate func refusal(sampleRate: Int, code: CInt) -> String {
    guard let library = dlopen(binary, RTLD_NOW | RTLD_LOCAL) else {
      let reason = dlerror().map { String(cString: $0) } ?? binary
      return "its library cannot be loaded (\(reason)): install the plugin again"
    }
    dlclose(library)
    if code == ENOMEM {
      return ResourceLimit.data.value.map {
        "it needs more memory than the \($0 >> 30) GiB that it may have (ulimit -d): choose smaller sounds in it, or use "
          + "another plugin"
      } ?? "there is too little memory for it: close other programs"
    }
    return "it refuses to start at \(sampleRate) Hz: choose another rate, or use another plugin"
  }
}

// The plugin's state.
extension LV2Unit {
  func save() -> [UInt8] {
    guard hasState else { return [] }
    let text = try? library.read { [instance, plugin, features] lilv throws(LV2Error) in
      LV2State.text(
        of: instance, try lilv.plugin(plugin.uri), lilv, features: features.list)
    }
    return text.map { Array($0.utf8) } ?? []
  }

  func restore(_ data: [UInt8]) throws {
    if data.isEmpty { return }
    let text = String(decoding: data, as: UTF8.self)
    try restore { lilv, restore throws(LV2Error) in
      guard let saved = LV2State.parse(text, lilv) else {
        throw .failed("the saved state is damaged")
      }
      restore(saved)
      lilv.functions.pointee.state_free(saved)
    }
    // Those that messages do not set are in the state.
    chosen.withLock { $0 = $0.filter { !$0.value.property.isWritable } }
  }

  func restore(_ data: [UInt8], files: [String: FileReference]) throws {
    let values: [LV2PropertyValue]
    do throws(LV2Error) {
      values = try plugin.values(of: files.mapValues(\.path))
    } catch {
      throw UnitFileError("\(error)")
    }
    // Restoring what the plugin has already would load its files again.
    if data != save() { try restore(data) }
    let present = texts
    try set(values.filter { present[$0.property.uri] != $0.text })
    choose(values)
  }

  var files: [UnitFile] {
    let others = chosen.withLock { $0.values.map(\.property) }.filter { !$0.isWritable }
    let properties = (plugin.textProperties + others).filter(\.isFile)
    if properties.isEmpty { return [] }
    let texts = texts
    return properties.map {
      UnitFile($0.identifier, $0.name, FileReference(path: texts[$0.uri] ?? ""))
    }
  }

  /// The values of properties by their URIs: those in the plugin's state, and those that the plugin does not save.
  private var texts: [String: String] {
    let set = chosen.withLock { $0.mapValues(\.text) }
    if !hasState { return set }
    return working.withLock { [instance, features] _ in
      LV2StateValues(of: instance, features).texts
    }.merging(set) { saved, _ in saved }
  }

  /// Gives properties their values, and waits until the plugin has loaded what they name.
  func set(_ values: [LV2PropertyValue]) throws(LV2Error) {
    if values.isEmpty { return }
    try working.withLock { _ throws(LV2Error) in
      gate.close()
      defer { gate.open() }
      let others = values.filter { !$0.property.isWritable }
      if !others.isEmpty {
        if !hasState {
          throw .unknownProperty(
            others[0].property.uri, plugin: plugin.name,
            known: plugin.textProperties.map(\.identifier))
        }
        var state = LV2StateValues(of: instance, features)
        for value in others { state.set(value) }
        state.restore(to: instance, features)
      }
      state.pointee.set(values.filter(\.property.isWritable))
      for _ in 0..<Self.loadingCycles {
        state.pointee.renderSilence(frames: silentFrames)
        worker.pointee.perform()
      }
    }
    choose(values)
  }

  private func choose(_ values: [LV2PropertyValue]) {
    chosen.withLock { chosen in for value in values { chosen[value.property.uri] = value } }
  }

  /// Calls `body` with a function that gives the plugin a state, while the plugin does not render, and does the work that the plugin
  /// asks for meanwhile.
  private func restore(
    _ body: (LilvReader, (OpaquePointer) -> Void) throws(LV2Error) -> Void
  ) throws(LV2Error) {
    try working.withLock { _ throws(LV2Error) in
      gate.close()
      defer { gate.open() }
      try library.read { [instance, features] lilv throws(LV2Error) in
        try body(lilv) { state in
          lilv.functions.pointee.state_restore(state, instance, nil, nil, 0, features.list)
        }
      }
      worker.pointee.perform()
    }
  }
}

/// The render thread's entry point.
@_noLocks private func renderPlugin(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: LV2RenderState.self).pointee.render(cycle.renderCycle)
}
