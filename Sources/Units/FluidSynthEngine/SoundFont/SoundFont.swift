import Synchronization

/// A SoundFont that any number of instruments play, on any threads, loaded into memory once.
///
/// Opening a file that is open already gives the same object. It is loaded when the first instrument
/// needs it, and let go with the last reference. ``PresetTables`` says why threads may share it.
///
/// Realtime: no. Threads: any.
///
/// `@unchecked Sendable`: `shared` and `list` are guarded by ``library``.
public final class SoundFont: @unchecked Sendable {
  public let path: String
  private let identity: FileIdentity
  /// What all instruments play that have no tables of their own.
  private var shared: PresetTables?
  /// Read with the first tables, before anybody plays from them.
  private var list: [SoundFontPreset]?
  /// Where samples come from, where they are not loaded all at once; known with the first tables.
  private(set) var memory: SampleMemory?
  private var isMemoryKnown = false
  /// A font with fewer bytes of samples is loaded as a whole.
  private let smallest: Int
  /// Loads in no more than some 10 ms, and is as large as what plays it.
  package static let largestWhole = 32 << 20

  private struct WeakReference {
    weak var font: SoundFont?
  }

  /// The SoundFonts that are open; held wherever tables are made or freed, for two reasons. FluidSynth
  /// initializes itself with its first synth, and a synth made meanwhile on another thread finds its
  /// modulators half set up, and sounds different: so the first is made here. And its cache of samples
  /// counts users without protection when it loads.
  private static let library = Mutex<[FileIdentity: WeakReference]>([:])

  /// Opens a SoundFont.
  ///
  /// - Parameter path: An SF2 or SF3 file. Files are told apart by device, inode, size and time of
  ///   change: another name for the same file gives the same SoundFont, a new file of the same name
  ///   another one.
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``,
  ///   ``InstrumentError/notASoundFont(path:reason:)``.
  public static func open(_ path: String) throws(InstrumentError) -> SoundFont {
    try open(path, smallest: largestWhole)
  }

  /// - Parameter smallest: A font with fewer bytes of samples is loaded as a whole.
  package static func open(
    _ path: String, smallest: Int
  ) throws(InstrumentError) -> SoundFont {
    let identity = try FileIdentity(ofSoundFont: path)
    return library.withLock { open in
      if let font = open[identity]?.font { return font }
      open = open.filter { $0.value.font != nil }
      let font = SoundFont(path: path, identity: identity, smallest: smallest)
      open[identity] = WeakReference(font: font)
      return font
    }
  }

  private init(path: String, identity: FileIdentity, smallest: Int) {
    self.path = path
    self.identity = identity
    self.smallest = smallest
  }

  deinit {
    if let shared { Self.free(shared) }
  }

  /// Loads it now rather than with the first instrument, and looks whether it has a preset.
  ///
  /// - Throws: As ``open(_:)``; ``InstrumentError/noSuchPreset(_:path:)``.
  package func check(_ preset: PresetSelection?) throws(InstrumentError) {
    _ = try sharedTables().playing(preset, path: path)
  }

  /// What it has, in order of bank and program. Loads it, unless it is loaded already.
  ///
  /// - Throws: As ``open(_:)``.
  public func presets() throws(InstrumentError) -> [SoundFontPreset] {
    if let list = Self.library.withLock({ _ in list }) { return list }
    _ = try sharedTables()
    return Self.library.withLock { _ in list ?? [] }
  }

  /// The tables that all share. They live as long as this object.
  func sharedTables() throws(InstrumentError) -> PresetTables {
    try Self.library.withLock { _ throws(InstrumentError) in try loadSharedTables() }
  }

  private func loadSharedTables() throws(InstrumentError) -> PresetTables {
    if let shared { return shared }
    let tables = try load(isShared: true)
    shared = tables
    return tables
  }

  /// Tables for one instrument alone, to be given to ``free(_:)``. The samples are shared all the same.
  func makeOwnTables() throws(InstrumentError) -> PresetTables {
    try Self.library.withLock { _ throws(InstrumentError) in try load(isShared: false) }
  }

  private func load(isShared: Bool) throws(InstrumentError) -> PresetTables {
    guard try FileIdentity(ofSoundFont: path) == identity else {
      throw .soundFontUnreadable(path: path, reason: "it was changed since it was opened")
    }
    let tables: PresetTables
    if let outlined = try loadWithoutSamples(isShared: isShared) {
      tables = outlined
    } else {
      tables = try PresetTables(loading: path, isShared: isShared)
    }
    if list == nil { list = tables.list() }
    return tables
  }

  /// - Returns: `nil` where the font must be loaded as a whole.
  private func loadWithoutSamples(isShared: Bool) throws(InstrumentError) -> PresetTables? {
    if !isMemoryKnown {
      memory = try SampleMemory(path, identity, smallest: smallest)
      isMemoryKnown = true
    }
    // FluidSynth keeps the room for samples as long as it is in use: so the shared tables come first.
    if memory != nil, !isShared { _ = try loadSharedTables() }
    guard let memory else { return nil }
    // As FluidSynth's cache of samples knows it. No file has the name.
    let name = "portative:\(ObjectIdentifier(memory).hashValue):\(path)"
    let tables = try PresetTables(loading: memory, name: name, isShared: isShared)
    if tables == nil, !isShared { throw .outOfMemory }
    if tables == nil { self.memory = nil }
    return tables
  }

  /// - Precondition: No synth that played from them is left.
  static func free(_ tables: PresetTables) {
    library.withLock { _ in tables.free() }
  }
}
