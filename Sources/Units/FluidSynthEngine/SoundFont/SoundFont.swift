import CLinux
import ContentHash
import Glibc
import LocalSystem
import Synchronization

/// A SoundFont that any number of instruments can play on any threads, loaded into memory once.
///
/// Opening a file that is already open returns the same object. The file is loaded when the first instrument needs it
/// and freed with the last reference. ``PresetTables`` explains why threads may share it.
///
/// Realtime: no. Threads: any.
///
/// `@unchecked Sendable`: `shared` and `list` are guarded by ``library``.
public final class SoundFont: @unchecked Sendable {
  public let path: String
  private let identity: FileVersion
  /// The tables of all instruments that have no tables of their own.
  private var shared: PresetTables?
  /// The presets; read with the first tables, before an instrument plays from them.
  private var list: [SoundFontPreset]?
  /// The source of the samples, if they are loaded as needed; set with the first tables.
  private(set) var memory: SampleMemory?
  private var isMemoryKnown = false
  /// The file's hash, once it has been requested.
  private let hash = Mutex<String?>(nil)
  /// The sources of the file's modulators, once they have been requested. The inner `nil`: they are unknown.
  private let sources = Mutex<ModulatorSources??>(nil)
  /// The minimum size in bytes of the samples that are loaded as needed. Smaller fonts are loaded as a whole.
  private let smallest: Int
  /// The SoundFonts of a stack; `nil` for a file.
  private let stack: Stack?

  private struct Stack {
    let upper: SoundFont
    let lower: SoundFont
    /// The file of the upper one.
    let file: SoundFontMemory
  }
  /// The default for that minimum. A font of this size loads in about 10 ms and takes as much memory as
  /// the instrument that plays it.
  package static let largestWhole = 32 << 20

  private struct WeakReference {
    weak var font: SoundFont?
  }

  /// The open SoundFonts. The lock is also held while tables are created or freed, for two reasons.
  /// FluidSynth initializes itself when it creates its first synth, and a synth created meanwhile on
  /// another thread would get incomplete modulators and sound different; so the first synth is created
  /// under this lock. FluidSynth's sample cache also counts its users without a lock.
  private static let library = Mutex<[FileVersion: WeakReference]>([:])

  /// Calls `body` while no SoundFont is loaded or freed, for callers that use FluidSynth themselves.
  package static func withoutLoading(_ body: () -> Void) { library.withLock { _ in body() } }

  /// Opens a SoundFont.
  ///
  /// - Parameter path: An SF2 or SF3 file. Files are identified by device, inode, size and modification time: another
  ///   name for the same file returns the same SoundFont, a new file with the same name returns a different one.
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``, ``InstrumentError/notASoundFont(path:reason:)``.
  public static func open(_ path: String) throws(InstrumentError) -> SoundFont {
    try open(path, smallest: largestWhole)
  }

  /// Opens a SoundFont.
  ///
  /// - Parameters:
  ///   - path: An SF2 or SF3 file; see ``open(_:)``.
  ///   - smallest: A font with fewer bytes of samples is loaded as a whole.
  package static func open(
    _ path: String, smallest: Int
  ) throws(InstrumentError) -> SoundFont {
    let identity = try FileVersion(ofSoundFont: path)
    // These may be the last references. They are released after the lock, because freeing a SoundFont takes it.
    var living: [SoundFont] = []
    defer { living = [] }
    return library.withLock { open in
      if let font = open[identity]?.font { return font }
      open = open.filter { entry in
        guard let font = entry.value.font else { return false }
        living.append(font)
        return true
      }
      let font = SoundFont(path: path, identity: identity, smallest: smallest)
      open[identity] = WeakReference(font: font)
      return font
    }
  }

  private init(path: String, identity: FileVersion, smallest: Int, stack: Stack? = nil) {
    self.path = path
    self.identity = identity
    self.smallest = smallest
    self.stack = stack
  }

  /// Returns a SoundFont with the presets of another one in memory, and with those of this one that it does not have.
  ///
  /// Samples of the one in memory are loaded as a whole.
  ///
  /// - Parameter bytes: An SF2 or SF3 file; a DLS file where FluidSynth reads it.
  /// - Throws: As ``presets()``, with ``path`` as the name of the SoundFont.
  package func below(_ bytes: [UInt8]) throws(InstrumentError) -> SoundFont {
    let file = try SoundFontMemory(bytes)
    let upper = try Self.open(file.path, smallest: .max)
    _ = try upper.presets()
    return SoundFont(
      path: path, identity: identity, smallest: smallest,
      stack: Stack(upper: upper, lower: self, file: file))
  }

  deinit {
    if stack == nil { memory?.unlock() }
    if let shared { Self.free(shared) }
  }

  /// Loads the file now rather than with the first instrument, and checks that it has a preset.
  ///
  /// - Throws: As ``open(_:)``; ``InstrumentError/noSuchPreset(_:path:)``.
  package func check(_ preset: PresetSelection?) throws(InstrumentError) {
    _ = try sharedTables().playing(preset, path: path)
  }

  /// Returns the presets in order of bank and program. Loads the file if necessary.
  ///
  /// - Throws: As ``open(_:)``.
  public func presets() throws(InstrumentError) -> [SoundFontPreset] {
    if let list = Self.library.withLock({ _ in list }) { return list }
    _ = try sharedTables()
    return Self.library.withLock { _ in list ?? [] }
  }

  /// Returns the ``ContentHash`` of the file; `nil` if the file has changed or cannot be read. The first call reads the
  /// whole file.
  public func contentHash() -> String? {
    hash.withLock { hash in
      if hash == nil, let read = ContentHash.ofFile(path),
        (try? FileVersion(ofSoundFont: path)) == identity
      {
        hash = read
      }
      return hash
    }
  }

  /// The controllers to which modulators of the file respond; `nil` if it cannot be read, and for a stack. The first call reads
  /// them.
  package var modulatorSources: ModulatorSources? {
    if stack != nil { return nil }
    return sources.withLock { sources in
      if let sources { return sources }
      let read = ModulatorSources(ofFile: path)
      sources = .some(read)
      return read
    }
  }

  /// Returns the shared tables. They live as long as this object.
  func sharedTables() throws(InstrumentError) -> PresetTables {
    try Self.library.withLock { _ throws(InstrumentError) in try loadSharedTables() }
  }

  private func loadSharedTables() throws(InstrumentError) -> PresetTables {
    if let shared { return shared }
    let tables = try load(isShared: true)
    shared = tables
    return tables
  }

  /// Returns tables for one instrument alone, which must be released with ``free(_:)``. The samples are
  /// shared nevertheless.
  func makeOwnTables() throws(InstrumentError) -> PresetTables {
    try Self.library.withLock { _ throws(InstrumentError) in try load(isShared: false) }
  }

  private func load(isShared: Bool) throws(InstrumentError) -> PresetTables {
    if let stack { return try load(stack) }
    guard try FileVersion(ofSoundFont: path) == identity else {
      throw .soundFontUnreadable(path: path, reason: "the file has changed since it was opened")
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

  /// All instruments share the tables of a stack: two copies of both SoundFonts would be needed for one of their own.
  private func load(_ stack: Stack) throws(InstrumentError) -> PresetTables {
    let upper = try stack.upper.loadSharedTables()
    let lower = try stack.lower.loadSharedTables()
    memory = stack.lower.memory
    let tables = try PresetTables(upper, over: lower)
    if list == nil {
      let presets = stack.upper.list ?? []
      let others = (stack.lower.list ?? []).filter { other in
        !presets.contains { $0.selection == other.selection }
      }
      list = (presets + others).sorted {
        ($0.selection.bank, $0.selection.program) < ($1.selection.bank, $1.selection.program)
      }
    }
    return tables
  }

  /// - Returns: `nil` if the font must be loaded as a whole.
  private func loadWithoutSamples(isShared: Bool) throws(InstrumentError) -> PresetTables? {
    if !isMemoryKnown {
      memory = try SampleMemory(path, identity, smallest: smallest)
      isMemoryKnown = true
    }
    // FluidSynth frees the sample buffer with its last user, so the shared tables are loaded first.
    if memory != nil, !isShared { _ = try loadSharedTables() }
    guard let memory else { return nil }
    // The key in FluidSynth's sample cache. No file has this name.
    let name = "portative:\(ObjectIdentifier(memory).hashValue):\(path)"
    let tables = try PresetTables(loading: memory, name: name, isShared: isShared)
    if tables == nil, !isShared { throw .outOfMemory }
    if tables == nil { self.memory = nil }
    return tables
  }

  /// Frees tables that belong to one instrument.
  ///
  /// - Precondition: All synths that played from the tables have been deleted.
  static func free(_ tables: PresetTables) {
    library.withLock { _ in tables.free() }
  }
}

/// A SoundFont in memory of the process that has a path, from which FluidSynth reads it. No other process sees it, and it
/// needs no folder.
final class SoundFontMemory: Sendable {
  private let descriptor: CInt

  /// - Throws: ``InstrumentError/outOfMemory``.
  init(_ bytes: [UInt8]) throws(InstrumentError) {
    descriptor = shared_memory_create("portative-soundfont", bytes.count)
    guard descriptor >= 0 else { throw .outOfMemory }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        close(descriptor)
        throw .outOfMemory
      }
      rest = rest.dropFirst(count)
    }
  }

  deinit { close(descriptor) }

  var path: String { "/proc/self/fd/\(descriptor)" }
}
