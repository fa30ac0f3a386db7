import Foundation

/// Returns the ten innermost functions of each thread of a process, as `gdb` reports them; without `gdb`, an empty
/// string.
func stacksOfThreads(of process: Int32) -> String {
  let debugger = Process()
  debugger.executableURL = URL(filePath: "/usr/bin/gdb")
  debugger.arguments = ["-p", "\(process)", "-batch", "-ex", "thread apply all backtrace 10"]
  let output = Pipe()
  debugger.standardOutput = output
  debugger.standardError = FileHandle.nullDevice
  guard (try? debugger.run()) != nil else { return "" }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  return text.split(separator: "\n").filter { $0.hasPrefix("#") || $0.hasPrefix("Thread") }
    .joined(separator: "\n")
}
