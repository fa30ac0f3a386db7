import FoundationEssentials
import LocalSystem
import PluginBundles
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) final class CLAPLinkTests {
  private let system = TemporarySystem()
  private let library: String
  private let link: CLAPLink

  init() throws {
    system.environment.variables["HOME"] = system.root + "/home"
    try system.add("build/libportative-clap.so", "")
    library = system.root + "/build/libportative-clap.so"
    link = try #require(CLAPLink(system.environment))
  }

  private var target: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: link.path)
  }

  @Test func `the link leads to the shared object, and is removed`() throws {
    #expect(link.path == system.root + "/home/.clap/portative.clap")
    #expect(try link.install(library))
    #expect(target == library)
    #expect(try !link.install(library))
    // After an update, it leads elsewhere.
    try system.add("other/portative.clap", "")
    #expect(try link.install(system.root + "/other/portative.clap"))
    #expect(target == system.root + "/other/portative.clap")
    #expect(link.remove())
    #expect(target == nil && !link.remove())
  }

  @Test func `a shared object that every host finds needs no link`() throws {
    #expect(try !link.install("/usr/lib/clap/portative.clap"))
    #expect(target == nil)
  }

  @Test func `a file of the user remains`() throws {
    try system.add("home/.clap/portative.clap", "mine")
    #expect {
      _ = try link.install(library)
    } throws: {
      "\($0)".contains("was not written by portative")
    }
    #expect(!link.remove())
    #expect(try String(contentsOfFile: link.path, encoding: .utf8) == "mine")
  }
}
