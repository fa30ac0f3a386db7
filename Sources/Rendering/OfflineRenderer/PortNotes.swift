import MIDIFile
import RenderCore

/// The numbers of the notes of each port in the song. An instrument numbers the notes that it receives, which are those
/// of one port.
struct PortNotes {
  /// For each port, the numbers of its notes, in order; empty if the song has one port.
  private var numbers: [[Int]] = []
  /// The number of notes in the song.
  private let count: Int

  /// - Parameter end: The frame at which the song ends: later notes are not played.
  init(_ timeline: Timeline, end: Int) {
    count = timeline.noteCount
    guard timeline.ports.count > 1 else { return }
    numbers = Array(repeating: [], count: timeline.ports.count)
    var number = 0
    for event in timeline.events
    where event.startsNote && timeline.playsNotes(at: event.frame, until: end) {
      numbers[Int(event.port)].append(number)
      number += 1
    }
  }

  /// Returns the number in the song of a note of a port. Notes that monophonic channels return to follow all others, in
  /// the instrument and in the song; those of several ports alternate there, so that each number stands for one note.
  func number(of note: Int, port: Int) -> Int {
    if numbers.isEmpty { return note }
    if note < numbers[port].count { return numbers[port][note] }
    return number(ofReturn: note - count, port: port)
  }

  /// Returns the number in the song of a note that a monophonic channel returns to.
  ///
  /// - Parameter index: Its index among those of its port.
  func number(ofReturn index: Int, port: Int) -> Int {
    count + index * max(1, numbers.count) + port
  }

  /// Divides what there is for each note of the song among the ports.
  func divided<Element>(_ elements: [Element]) -> [[Element]] {
    numbers.isEmpty ? [elements] : numbers.map { $0.map { elements[$0] } }
  }

  /// Joins what there is for the notes of each port, in the order of the notes in the song.
  func joined<Element>(_ elements: [[Element]]) -> [Element] {
    if numbers.isEmpty { return elements[0] }
    let all = zip(numbers, elements).flatMap { zip($0, $1) }
    return all.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

extension Timeline.Event {
  var startsNote: Bool {
    if case .channel(let message) = message { message.startsNote } else { false }
  }
}
