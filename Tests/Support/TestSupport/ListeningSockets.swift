import Foundation

/// The sockets with which processes can be reached through a network, as the kernel lists them.
package enum ListeningSockets {
  /// Returns the sockets of a process: TCP sockets that listen and UDP sockets that are bound, such as `tcp 127.0.0.1:80`.
  ///
  /// Source: proc(5).
  package static func of(process: Int32) -> [String] {
    let inodes = inodes(of: process)
    return ["tcp", "tcp6", "udp", "udp6"].flatMap { table in
      rows("/proc/\(process)/net/\(table)").compactMap { row in
        // 0A is TCP_LISTEN. UDP has no state that tells whether a socket receives.
        guard inodes.contains(row.inode), !table.hasPrefix("tcp") || row.state == "0A" else {
          return nil
        }
        return "\(table.prefix(3)) \(row.address)"
      }
    }.sorted()
  }

  /// Returns the number of a process's connections at a port, without the sockets that listen.
  package static func connections(of process: Int32, port: Int) -> Int {
    let inodes = inodes(of: process)
    return rows("/proc/\(process)/net/tcp").count { row in
      inodes.contains(row.inode) && row.state != "0A" && row.address.hasSuffix(":\(port)")
    }
  }

  private static func inodes(of process: Int32) -> Set<String> {
    let folder = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(
      names.compactMap { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        return target.flatMap {
          $0.hasPrefix("socket:[") ? String($0.dropFirst(8).dropLast()) : nil
        }
      })
  }

  private static func rows(_ path: String) -> [(address: String, state: String, inode: String)] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ").map(String.init)
      return fields.count > 9 ? (address(fields[1]), fields[3], fields[9]) : nil
    }
  }

  /// Reads an address, whose words of 32 bits have the byte order of the machine.
  private static func address(_ text: String) -> String {
    let parts = text.split(separator: ":")
    let port = Int(parts[1], radix: 16) ?? 0
    let digits = Array(parts[0])
    let bytes = stride(from: 0, to: digits.count, by: 8).flatMap { word in
      stride(from: word + 6, through: word, by: -2).map {
        UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0
      }
    }
    var host = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &host, socklen_t(host.count))
    let name = String(
      decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return bytes.count == 4 ? "\(name):\(port)" : "[\(name)]:\(port)"
  }
}
