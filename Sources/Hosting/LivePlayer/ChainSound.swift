import FluidSynthEngine

/// Finds where a chain sounds, and with it where the notes begin and end that sound alone.
struct ChainSound {
  private let mergedGap: Int
  /// The frames between which the chain sounds, without the gaps that are shorter than ``mergedGap``.
  private var stretches: [Range<Int>] = []
  /// The frames of its notes, in order.
  private var onsets: [Int] = []

  /// - Parameter sampleRate: Frames per second. A wave crosses zero, and beats: 50 ms without sound are not yet an end.
  init(sampleRate: Int) { mergedGap = sampleRate / 20 }

  mutating func addNote(at frame: Int) { onsets.append(frame) }

  /// Adds what the chain has output.
  ///
  /// - Parameter frame: The frame of the song at which it begins.
  mutating func add(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int, at frame: Int
  ) {
    for index in 0..<count
    where max(abs(left[index]), abs(right[index])) >= LoggedNote.threshold {
      let now = frame + index
      if let last = stretches.last, now - last.upperBound < mergedGap {
        stretches[stretches.count - 1] = last.lowerBound..<now + 1
      } else {
        stretches.append(now..<now + 1)
      }
    }
  }

  /// Returns where a note sounds, from its first to its last audible frame; `nil` if others sound with it, or nothing does.
  func sound(ofNoteAt onset: Int) -> Range<Int>? {
    let first = Self.partition(onsets) { $0 >= onset }
    let next = Self.partition(onsets) { $0 > onset }
    guard next - first == 1 else { return nil }
    let limit = next < onsets.count ? onsets[next] : .max
    let begin = Self.partition(stretches) { $0.upperBound > onset }
    let end = Self.partition(stretches) { $0.lowerBound >= limit }
    guard begin < end, stretches[begin].lowerBound >= onset, stretches[end - 1].upperBound <= limit
    else { return nil }
    return stretches[begin].lowerBound..<stretches[end - 1].upperBound
  }

  /// Returns the index of the first element that fulfils a condition, which all later ones fulfil, too.
  private static func partition<Element>(
    _ elements: [Element], _ condition: (Element) -> Bool
  ) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if condition(elements[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
