import ALSA
import Configuration
import LocalSystem

/// Finds the keyboard or the port that a user has named.
struct PatchFinder {
  let patch: Patch

  func keyboard(_ text: String) throws(Failure) -> SequencerPort {
    if patch.keyboards.isEmpty {
      throw Failure(
        .failed, "there is no keyboard: plug one in and switch it on")
    }
    return try find(text, "keyboard", in: patch.keyboards)
  }

  func port(_ text: String) throws(Failure) -> SequencerPort {
    if patch.ports.isEmpty {
      throw Failure(
        .failed, "no Portative server is running, so there is no port: start portative serve")
    }
    return try find(text, "port", in: patch.ports)
  }

  private func find(
    _ text: String, _ kind: String, in ports: [SequencerPort]
  ) throws(Failure) -> SequencerPort {
    if let port = ports.first(where: { "\($0.address)" == text }) { return port }
    let word = text.lowercased()
    func isMeant(_ port: SequencerPort) -> Bool {
      let marks = [port.device?.serial, port.device?.path].compactMap { $0?.lowercased() }
      return marks.contains(word)
    }
    func names(_ port: SequencerPort) -> [String] {
      // The part after the maker's name may be used alone.
      let short = port.name.split(separator: ": ", maxSplits: 1).last.map(String.init)
      return [patch.name(of: port), port.clientName, port.name, short ?? port.name]
        .map { $0.lowercased() }
    }
    let choices = [
      ports.filter { patch.name(of: $0) == text }, ports.filter { names($0).contains(word) },
      ports.filter(isMeant),
      // All our ports belong to clients of one name, so `isPart` only compares keyboards.
      ports.filter { patch.name(of: $0).lowercased().contains(word) || isPart(word, of: $0) },
    ]
    let found = choices.first { !$0.isEmpty } ?? []
    if let port = shortest(of: found, by: patch.name) { return port }
    if found.count > 1, let device = found[0].device, found.allSatisfy({ $0.device == device }) {
      // A serial number selects the keys of a device that also has other ports.
      let keys = found.filter { !$0.isForControl }
      if isMeant(found[0]), keys.count == 1 { return keys[0] }
    }
    if found.count > 1 {
      throw .usage("'\(text)' is ambiguous: use \(list(found))")
    }
    throw .usage("no \(kind) is named '\(text)': use \(list(ports))")
  }

  private func isPart(_ word: String, of port: SequencerPort) -> Bool {
    !port.isPortative
      && (port.clientName.lowercased().contains(word) || port.name.lowercased().contains(word))
  }

  private func list(_ ports: [SequencerPort]) -> String {
    alternatives(
      ports.map { port in
        let serial = port.device?.serial.map { ", serial \($0)" } ?? ""
        return "'\(patch.name(of: port))' (\(port.address)\(serial))"
      })
  }
}
