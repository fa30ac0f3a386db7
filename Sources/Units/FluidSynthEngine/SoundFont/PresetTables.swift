import CFluidSynth
import CFluidSynthOverrides
import LocalSystem

/// A SoundFont's presets as FluidSynth has loaded them, with their samples.
///
/// Several threads may play from the same tables without locks, each with its own synths. Once the file is loaded (with
/// `synth.dynamic-sample-loading` = 0), FluidSynth 2.3 only reads the tables, with three exceptions:
///
/// - **The use counts of samples** are incremented by a note and decremented when its voice ends, without atomic
///   operations, so concurrent threads can corrupt them. Only `delete_fluid_defsfont` reads them: it keeps a font whose
///   samples are in use. Portative frees tables only after every synth that played from them, when the correct count is
///   0. A wrong count, which threads that play the same samples for long do produce, can leak memory, once for each
///   free; it never frees memory early.
/// - **The use counts of presets** can be corrupted in the same way. Only `fluid_synth_sfunload` reads them. It is
///   never called: when it cannot unload a font, it retries on its own thread forever.
/// - **The `ignore` flag of a zone's range** affects the output. A legato note sets the flag of the zones whose voices
///   continue, then starts voices in all other zones and clears the flags. A note-on on another thread in between would
///   skip a zone and could be silent. Only the legato mode `MULTI_RETRIGGER`, FluidSynth's default, sets the flag.
///   Synths that play from shared tables are therefore kept in the mode `RETRIGGER`, which restarts the note. Correct
///   legato needs tables that belong to one instrument, whose notes all start on one thread.
///
/// `@unchecked Sendable`: the tables are used only as described above.
struct PresetTables: @unchecked Sendable, BitwiseCopyable {
  /// The synth that loaded the file. It is used for nothing else. `nil` for a stack of tables.
  private let owner: OpaquePointer?
  /// FluidSynth's SoundFont.
  let font: OpaquePointer
  let isShared: Bool
  /// The source of the samples, if they are loaded as needed; it outlives the tables.
  private let memory: Unmanaged<SampleMemory>?
  /// The table of loaded samples; `nil` if all are in memory.
  let samples: SampleTable?
  /// The only preset that is played, regardless of program changes; `nil` if channels choose.
  private(set) var only: OpaquePointer?

  /// Loads a file. Threads: one at a time. Realtime: no.
  ///
  /// - Throws: ``InstrumentError/notASoundFont(path:reason:)``, ``InstrumentError/outOfMemory``.
  init(loading path: String, isShared: Bool) throws(InstrumentError) {
    quietLibrary()
    let owner = try makeSynth(.silent)
    let (font, isShort) = MemoryShortage.watch {
      SoundFontFile(path).flatMap { file in
        SoundFontStream.load(file, name: path, into: owner) ? fluid_synth_get_sfont(owner, 0) : nil
      }
    }
    guard let font else {
      delete(owner)
      if isShort { throw .noMemoryForSoundFont(path: path) }
      throw .notASoundFont(path: path, reason: "FluidSynth cannot load it: damaged or truncated")
    }
    self.owner = owner
    self.font = font
    self.isShared = isShared
    (memory, samples) = (nil, nil)
  }

  /// Loads a file without its samples. Threads: one at a time. Realtime: no.
  ///
  /// - Parameters:
  ///   - memory: The source of the samples.
  ///   - name: A unique name for FluidSynth's sample cache; must not be the name of a file.
  ///   - isShared: Whether several instruments play from the tables.
  /// - Returns: `nil` if the file must be loaded as a whole.
  init?(
    loading memory: SampleMemory, name: String, isShared: Bool
  ) throws(InstrumentError) {
    quietLibrary()
    let owner = try makeSynth(.silent, locksSamples: false)
    guard SampleSource.load(memory, name: name, into: owner),
      let font = fluid_synth_get_sfont(owner, 0)
    else {
      memory.unregister(owner)
      delete(owner)
      return nil
    }
    self.owner = owner
    self.font = font
    self.isShared = isShared
    self.memory = .passUnretained(memory)
    samples = memory.table
    // A preset that is not in the sample table would be silent.
    guard list().allSatisfy({ memory.table.has(PresetNumber($0.selection)) }) else {
      free()
      return nil
    }
  }

  /// Stacks tables that outlive these. Samples are loaded as needed only of the lower one. Realtime: no.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(_ upper: PresetTables, over lower: PresetTables) throws(InstrumentError) {
    font = try StackedPresets.make(upper.font, over: lower.font)
    owner = nil
    isShared = upper.isShared
    (memory, samples) = (lower.memory, lower.samples)
  }

  /// Returns the same tables for an instrument that plays only one preset; unchanged for `nil`.
  ///
  /// - Throws: ``InstrumentError/noSuchPreset(_:path:)``.
  func playing(_ preset: PresetSelection?, path: String) throws(InstrumentError) -> PresetTables {
    guard let preset else { return self }
    var tables = self
    tables.only = fluid_sfont_get_preset(font, Int32(preset.bank), Int32(preset.program))
    if tables.only == nil { throw .noSuchPreset(preset, path: path) }
    return tables
  }

  /// Frees the tables. Threads: one at a time, and not while another thread loads. Realtime: no.
  func free() {
    guard let owner else {
      StackedPresets.free(font)
      return
    }
    memory?.takeUnretainedValue().unregister(owner)
    delete(owner)
  }

  /// The legato mode that synths playing from these tables must use.
  var legatoMode: Int32 {
    @_noLocks get {
      let mode =
        isShared ? FLUID_CHANNEL_LEGATO_MODE_RETRIGGER : FLUID_CHANNEL_LEGATO_MODE_MULTI_RETRIGGER
      return Int32(mode.rawValue)
    }
  }
}

/// Disables FluidSynth's log on stderr. Relevant conditions are reported as errors or in the song report.
func quietLibrary() {
  for level in [FLUID_PANIC, FLUID_ERR, FLUID_WARN, FLUID_INFO, FLUID_DBG] {
    fluid_set_log_function(Int32(level.rawValue), nil, nil)
  }
}

/// A SoundFont whose samples are loaded as needed: FluidSynth reads the file's image, without the samples.
final class SampleSource: SoundFontSource {
  private let memory: SampleMemory
  private var samples: [UnsafeMutableRawPointer] = []

  private init(_ memory: SampleMemory) { self.memory = memory }

  /// Loads a font into `owner`, without its samples.
  ///
  /// - Parameters:
  ///   - memory: The samples of the font.
  ///   - name: A unique name for FluidSynth's sample cache; must not be the name of a file.
  ///   - owner: The synth that loads the font.
  /// - Returns: Whether the font was loaded.
  static func load(_ memory: SampleMemory, name: String, into owner: OpaquePointer) -> Bool {
    let source = SampleSource(memory)
    defer_samples(receiveSample, Unmanaged.passUnretained(source).toOpaque())
    defer { defer_samples(nil, nil) }
    return SoundFontStream.load(source, name: name, into: owner)
      && memory.register(source.samples, of: owner)
  }

  fileprivate func add(_ sample: UnsafeMutableRawPointer) { samples.append(sample) }

  var size: Int { memory.image.size }

  func isReachable(_ position: Int) -> Bool { 0...size ~= position }

  /// Reads bytes of the image. For samples, registers `target` as their buffer instead.
  func read(_ target: UnsafeMutableRawBufferPointer, at start: Int) -> Bool {
    var rest = target[...]
    while !rest.isEmpty {
      let position = start + rest.startIndex
      guard let part = memory.image.part(at: position) else { return false }
      let offset = position - part.range.lowerBound
      switch part.content {
      case .bytes(let bytes):
        let size = min(rest.count, bytes.count - offset)
        bytes.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: rest)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + size]))
        }
        rest = rest.dropFirst(size)
      case .samples, .lowBytes:
        // FluidSynth may skip a trailing padding byte.
        guard rest.startIndex == 0, offset == 0, part.range.count - target.count <= 1,
          target.count <= part.range.count, let buffer = target.baseAddress
        else { return false }
        memory.setBuffer(buffer, for: part.content)
        return true
      }
    }
    return true
  }
}

private func receiveSample(
  _ context: UnsafeMutableRawPointer?, _ sample: UnsafeMutableRawPointer?
) {
  guard let context, let sample else { return }
  Unmanaged<SampleSource>.fromOpaque(context).takeUnretainedValue().add(sample)
}

/// Two SoundFonts as one for FluidSynth: the presets of the first, and those of the second that the first does not have.
struct StackedPresets: BitwiseCopyable {
  private let upper: OpaquePointer
  private let lower: OpaquePointer

  /// Returns a SoundFont that stacks two, which must outlive it. ``free(_:)`` frees it. Realtime: no.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  static func make(
    _ upper: OpaquePointer, over lower: OpaquePointer
  ) throws(InstrumentError) -> OpaquePointer {
    guard let font = new_fluid_sfont(stackName, stackedPreset, nil, nil, deleteStack) else {
      throw .outOfMemory
    }
    let stack = UnsafeMutablePointer<StackedPresets>.allocate(capacity: 1)
    stack.initialize(to: StackedPresets(upper: upper, lower: lower))
    fluid_sfont_set_data(font, stack)
    return font
  }

  static func free(_ font: OpaquePointer) {
    fluid_sfont_get_data(font)?.assumingMemoryBound(to: StackedPresets.self).deallocate()
    delete_fluid_sfont(font)
  }

  @_noLocks fileprivate static func of(_ font: OpaquePointer?) -> StackedPresets? {
    fluid_sfont_get_data(font)?.assumingMemoryBound(to: StackedPresets.self).pointee
  }

  @_noLocks fileprivate func preset(_ bank: Int32, _ program: Int32) -> OpaquePointer? {
    if let preset = fluid_sfont_get_preset(upper, bank, program) { return preset }
    return fluid_sfont_get_preset(lower, bank, program)
  }

  fileprivate var name: UnsafePointer<CChar>? { fluid_sfont_get_name(upper) }
}

@_noLocks private func stackedPreset(
  _ font: OpaquePointer?, bank: Int32, program: Int32
) -> OpaquePointer? {
  StackedPresets.of(font)?.preset(bank, program)
}

private func stackName(_ font: OpaquePointer?) -> UnsafePointer<CChar>? {
  StackedPresets.of(font)?.name
}

private func deleteStack(_ font: OpaquePointer?) -> Int32 { 0 }
