/// The exclusive classes of a note's voices.
struct ExclusiveClasses: BitwiseCopyable {
  private var classes = InlineArray<4, Int32>(repeating: 0)
  private var count = 0
  /// Whether a voice belongs to none, so that the note goes on without the others.
  private var hasOtherVoices = false

  @_noLocks init() {}

  var isEmpty: Bool { @_noLocks get { count == 0 } }

  /// Adds the class of a voice; 0 if it has none.
  @_noLocks mutating func add(_ exclusiveClass: Int32) {
    if exclusiveClass == 0 {
      hasOtherVoices = true
    } else if !contains(exclusiveClass) {
      // A note of more classes is not known; its further classes are not choked.
      guard count < classes.count else { return }
      classes[count] = exclusiveClass
      count += 1
    }
  }

  @_noLocks func contains(_ exclusiveClass: Int32) -> Bool {
    for index in 0..<count where classes[index] == exclusiveClass { return true }
    return false
  }

  /// Removes a class, because its voices are ending: FluidSynth clears the class of a voice that it ends so.
  ///
  /// - Returns: Whether no voice of the note is left.
  @_noLocks mutating func remove(_ exclusiveClass: Int32) -> Bool {
    for index in 0..<count where classes[index] == exclusiveClass {
      count -= 1
      classes[index] = classes[count]
      break
    }
    return count == 0 && !hasOtherVoices
  }

  @_noLocks func forEach(_ body: (Int32) -> Void) {
    for index in 0..<count { body(classes[index]) }
  }
}

/// The presets of a chain of legato notes, whose programs may change between its notes. The last is at the end.
struct ChainPresets: BitwiseCopyable {
  private var presets = InlineArray<4, PresetNumber>(repeating: .none)
  private var count = 0

  @_noLocks init() {}

  /// - Parameter preset: The preset of the first note.
  @_noLocks init(_ preset: PresetNumber) { add(preset) }

  /// Adds the preset of the next note. The first is forgotten if there are more than four.
  @_noLocks mutating func add(_ preset: PresetNumber) {
    if count > 0, presets[count - 1] == preset { return }
    if count == presets.count {
      for index in 1..<count { presets[index - 1] = presets[index] }
      count -= 1
    }
    presets[count] = preset
    count += 1
  }

  @_noLocks func forEach(_ body: (PresetNumber) -> Void) {
    for index in 0..<count where !(presets[index] == .none) { body(presets[index]) }
  }
}
