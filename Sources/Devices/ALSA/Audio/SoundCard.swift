public import LocalSystem

/// A sound card with its playback devices.
public struct SoundCard: Equatable, Sendable {
  /// The card number. Numbers are reused.
  public let number: Int
  /// The short identifier, for names such as `hw:PCH`.
  public let identifier: String
  /// The name for users.
  public let name: String
  public let outputs: [Output]

  /// A playback device of a card.
  public struct Output: Equatable, Sendable {
    public let device: Int
    /// The name for users.
    public let name: String
    /// The number of subdevices: how many programs can play at the same time without a sound server; 1 for most.
    public let subdeviceCount: Int
    public let holders: [Holder]

    public var isFree: Bool { holders.count < subdeviceCount }
  }

  /// A program that has opened a device.
  public struct Holder: Hashable, Sendable, CustomStringConvertible {
    public let process: Int
    /// The program's name; `nil` if it is not visible, as in another container.
    public let program: String?

    public var description: String {
      program.map { "\($0) (process \(process))" } ?? "process \(process)"
    }
  }

  /// Returns the alsa-lib name for direct access to an output.
  public func deviceName(of output: Output) -> String { "hw:\(identifier),\(output.device)" }
}

extension SoundCard {
  /// Returns all sound cards of the kernel, sorted by number.
  ///
  /// Realtime: no; it reads some files.
  ///
  /// Source: *The Linux kernel*, `Documentation/sound/designs/procfile.rst`.
  public static func all(in environment: ProcessEnvironment = .current) -> [SoundCard] {
    let proc = "\(environment.root)/proc"
    return numbers(of: "card", in: "\(proc)/asound").compactMap { number in
      let folder = "\(proc)/asound/card\(number)"
      guard let identifier = lines("\(folder)/id").first else { return nil }
      return SoundCard(
        number: number, identifier: identifier,
        name: name(of: number, in: proc) ?? identifier,
        outputs: numbers(of: "pcm", endingIn: "p", in: folder).map { device in
          Output(device, in: "\(folder)/pcm\(device)p", proc)
        })
    }
  }

  /// Parses lines such as ` 1 [PCH            ]: HDA-Intel - HDA Intel PCH`.
  private static func name(of number: Int, in proc: String) -> String? {
    for line in lines("\(proc)/asound/cards") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, Int(words[0]) == number, let dash = line.firstRange(of: " - ")
      else { continue }
      return String(line[dash.upperBound...])
    }
    return nil
  }

  /// Returns the sorted numbers in file names that consist of a prefix, a number and an optional suffix.
  fileprivate static func numbers(
    of prefix: String, endingIn suffix: String = "", in folder: String
  ) -> [Int] {
    let names = (try? Folder.names(in: folder)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
      return Int(name.dropFirst(prefix.count).dropLast(suffix.count))
    }.sorted()
  }

  fileprivate static func lines(_ path: String) -> [String] {
    guard let bytes = try? WholeFile.read(path, limit: 65536) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Returns the value of a line such as `owner_pid   : 4711`.
  fileprivate static func value(of field: String, in lines: [String]) -> String? {
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmed }
      if parts.count == 2, parts[0] == field { return String(parts[1]) }
    }
    return nil
  }
}

extension SoundCard.Output {
  fileprivate init(_ device: Int, in folder: String, _ proc: String) {
    let subdevices = SoundCard.numbers(of: "sub", in: folder)
    let name = SoundCard.value(of: "name", in: SoundCard.lines("\(folder)/info"))
    self.init(
      device: device, name: name ?? "device \(device)", subdeviceCount: max(1, subdevices.count),
      holders: subdevices.compactMap { subdevice in
        let status = SoundCard.lines("\(folder)/sub\(subdevice)/status")
        let owner = SoundCard.value(of: "owner_pid", in: status).flatMap { Int($0) }
        return owner.map { SoundCard.Holder(thread: $0, in: proc) }
      })
  }
}

extension SoundCard.Holder {
  /// Finds the process of the thread that opened the device, which is what the kernel reports.
  fileprivate init(thread: Int, in proc: String) {
    let status = SoundCard.lines("\(proc)/\(thread)/status")
    let process = SoundCard.value(of: "Tgid", in: status).flatMap { Int($0) } ?? thread
    self.init(process: process, program: SoundCard.lines("\(proc)/\(process)/comm").first)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return "" }
    return self[first...last]
  }
}
