import Foundation
import PluginBundles
import LocalSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PluginFoldersTests {
  @Test func `the user's folder precedes those of the system, and LV2_PATH replaces them`() {
    var environment = ProcessEnvironment(
      variables: ["HOME": "/home/me"], executable: "/opt/portative/bin/portative")
    #expect(
      PluginFolders.all(environment) == [
        "/home/me/.lv2", "/opt/portative/lib/lv2", "/usr/local/lib/lv2", "/usr/lib/lv2",
      ])
    environment.executable = "/usr/bin/portative"
    #expect(
      PluginFolders.all(environment) == ["/home/me/.lv2", "/usr/lib/lv2", "/usr/local/lib/lv2"])
    environment.variables["LV2_PATH"] = "/a:~/b::/c"
    #expect(PluginFolders.all(environment) == ["/a", "/home/me/b", "/c"])
    #expect(PluginFolders.user(environment) == "/home/me/.lv2")
    environment.variables = [:]
    #expect(PluginFolders.user(environment) == nil)
  }

  @Test func `the shared object is found beside the program, or where the user says`() throws {
    let folder = try TemporaryFolder()
    let environment = ProcessEnvironment(variables: [:], executable: folder("usr/bin/portative"))
    #expect {
      try PluginLibrary.find(nil, in: environment)
    } throws: { error in
      ["usr/lib/portative/portative.so", "usr/bin/libportative-lv2.so"].allSatisfy {
        (error as? Failure)?.message.contains("'\(folder($0))'") == true
      }
    }
    let built = try folder.createFile("usr/bin/libportative-lv2.so")
    #expect(try PluginLibrary.find(nil, in: environment) == built)
    let installed = try folder.createFile("usr/lib/portative/portative.so")
    #expect(try PluginLibrary.find(nil, in: environment) == installed)
    #expect(try PluginLibrary.find(built, in: environment) == built)
    #expect(throws: Failure.self) { try PluginLibrary.find(folder("usr"), in: environment) }
  }

  @Test func `a slash at the end of a folder's path does not matter`() {
    #expect(BundleFolder("/a/b//").path == "/a/b")
    #expect(BundleFolder("/").path == "/")
  }
}
