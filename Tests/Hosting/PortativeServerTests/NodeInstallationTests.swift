import Foundation
import LocalSystem
import NodeProtocol
import ServerTestSupport
import TestSupport
import Testing

@testable import PortativeServer

@Test func `a manifest has the options of the server, with absolute paths`() throws {
  let user = TestUser()
  let plan = try user.plan("{}")
  user.system.environment.executable = "/opt/bin/portative"
  var settings = ServerSettings()
  settings.soundFont = "fonts/a.sf2"
  settings.configuration = "/c.json"
  settings.sound = .init(device: .jack, rate: 44_100, period: 64)
  settings.followsLink = true
  settings.unusedLimit = 60
  let installation = try NodeInstallation(settings, plan, in: user.system.environment)
  #expect(
    installation.manifest.command == [
      "/opt/bin/portative", "serve", "--config", "/c.json", "--soundfont",
      "\(FileManager.default.currentDirectoryPath)/fonts/a.sf2", "--audio", "jack", "--rate",
      "44100", "--period", "64", "--link", "--until-unused", "60",
    ])
}

@Test func `a server that a host starts ends when nothing has used it for a minute`() throws {
  let user = TestUser()
  let plan = try user.plan("{}")
  user.system.environment.executable = "/opt/bin/portative"
  let installation = try NodeInstallation(ServerSettings(), plan, in: user.system.environment)
  #expect(
    installation.manifest.command == ["/opt/bin/portative", "serve", "--until-unused", "60"])
}

@Test func `a default setting is not an option`() {
  #expect(ServerSettings().arguments == [])
  #expect(ServerSettings().installCommand == "portative serve --install")
}

@Test func `without a home folder a manifest cannot be written`() throws {
  let user = TestUser()
  let plan = try user.plan("{}")
  var environment = user.system.environment
  environment.variables = ["XDG_DATA_DIRS": "relative"]
  let error = #expect(throws: Failure.self) {
    try NodeInstallation(user.settings, plan, in: environment)
  }
  #expect(
    error?.message == "there is no folder for the manifest: set HOME or XDG_DATA_HOME")
}
