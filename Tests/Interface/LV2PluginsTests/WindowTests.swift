import CLV2
import ConnectionTestSupport
import FoundationEssentials
import Glibc
import LV2Atoms
import NodeHost
import NodeProtocol
import NodeServer
import PluginBundles
import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import LV2Plugins
@testable import PluginCore

@Suite(.timeLimit(.minutes(5))) struct WindowTests {
  /// What a user interface has written to the host, which would pass it to the plugin.
  private final class Host {
    var written: [(port: UInt32, format: LV2_URID, bytes: [UInt8])] = []

    static let write: LV2UI_Write_Function = { controller, port, size, format, bytes in
      guard let controller, let bytes else { return }
      let host = Unmanaged<Host>.fromOpaque(UnsafeMutableRawPointer(mutating: controller))
        .takeUnretainedValue()
      host.written.append(
        (port, format, Array(UnsafeRawBufferPointer(start: bytes, count: Int(size)))))
    }

    /// A control port that was set, and its value.
    var control: (port: UInt32, value: Float)? {
      guard let last = written.last, last.format == 0, last.bytes.count == 4 else { return nil }
      return (last.port, last.bytes.withUnsafeBytes { $0.loadUnaligned(as: Float.self) })
    }
  }

  /// Writes the file of a bundle with the plugin of ``TestInstance``.
  private func bundle(in system: TemporarySystem) throws -> String {
    let plugin = PluginDescription(
      uri: "urn:test", type: .musicEffect, port: probePort(), inputChannels: 2, outputChannels: 2,
      parameters: ProbeUnit.tree)
    let data = try JSONEncoder().encode(PluginBundle(plugins: [plugin]))
    try system.add("test.lv2/\(PluginBundle.fileName)", String(decoding: data, as: UTF8.self))
    return system.root + "/test.lv2/"
  }

  private func features(isExternal: Bool) -> [UnsafePointer<LV2_Feature>?] {
    let external = UnsafeMutablePointer<LV2_Feature>.allocate(capacity: 1)
    external.initialize(to: LV2_Feature(URI: strdup(PluginURI.externalHost), data: external))
    return [mapFeatures[0]] + (isExternal ? [UnsafePointer(external)] : []) + [nil]
  }

  /// A user interface, as a host holds it.
  private struct Window {
    let descriptor: UnsafePointer<LV2UI_Descriptor>
    let handle: LV2UI_Handle
    let widget: LV2UI_Widget?
  }

  private func open(
    _ host: Host, in system: TemporarySystem, isExternal: Bool, plugin: String = "urn:test"
  ) throws -> Window? {
    let descriptor = try #require(windowDescriptor(at: 7))
    #expect(String(cString: descriptor.pointee.URI) == PluginURI.window(7))
    let folder = try bundle(in: system)
    var widget: LV2UI_Widget?
    let handle = features(isExternal: isExternal).withUnsafeBufferPointer { features in
      descriptor.pointee.instantiate(
        descriptor, plugin, folder, Host.write,
        UnsafeMutableRawPointer(Unmanaged.passUnretained(host).toOpaque()), &widget,
        features.baseAddress)
    }
    return handle.map { Window(descriptor: descriptor, handle: $0, widget: widget) }
  }

  @Test(arguments: [true, false])
  func `when a host shows the user interface, the node is asked for the window of its unit`(
    isExternal: Bool
  ) throws {
    let plugin = try #require(
      try TestInstance(probePort(), inputChannels: 2, parameters: ProbeUnit.tree))
    let shown = Mutex<[Int]>([])
    let server = try plugin.serve(ProbeSource()) { event in
      if case .shown(_, let host) = event { shown.withLock { $0.append(host) } }
    }
    defer { server.stop() }
    let host = Host()
    let window = try #require(try open(host, in: plugin.system, isExternal: isExternal))
    #expect((window.widget != nil) == isExternal)
    if let widget = window.widget?.assumingMemoryBound(to: clv2_external_ui.self) {
      widget.pointee.run(widget)
      widget.pointee.show(widget)
      widget.pointee.hide(widget)
    } else {
      let extensions = window.descriptor.pointee.extension_data
      let show = try #require(extensions?(LV2URI.showInterface))
        .assumingMemoryBound(to: LV2UI_Show_Interface.self)
      #expect(extensions?(LV2URI.idleInterface) != nil)
      #expect(show.pointee.show(window.handle) == 0)
      #expect(show.pointee.hide(window.handle) == 0)
    }
    let message = try #require(host.written.first)
    #expect(message.port == PluginPorts.events && message.format == mappedURI(LV2URI.eventTransfer))
    plugin.instance.activate()
    // The host passes it with the events of a cycle, before or after the plugin is connected.
    var events = AtomBytes()
    events.append(at: 0, types.object, Array(message.bytes[8...]))
    plugin.run(events)
    let isShown = eventually {
      plugin.run(noteAt: 0)
      return !shown.withLock { $0 }.isEmpty
    }
    #expect(isShown)
    // The number leads to the unit of this host.
    let number = shown.withLock { $0[0] }
    let component = probePort().component
    let other = try RawHost(NodeDirectories(plugin.system.environment).socketPath(of: "test"))
    _ = try other.ask(Hello(peer: Peer(name: "page", processID: 1)))
    #expect(try other.refusal(of: DescribePort(component: component, host: number)) == nil)
    #expect(
      try other.refusal(of: DescribePort(component: component, host: number + 1000))?.code
        == .badSequence)
    window.descriptor.pointee.cleanup(window.handle)
  }

  /// Shows the window of a plugin whose node has no display, until a condition is true.
  private func showsPage(
    _ variables: (TemporarySystem) throws -> [String: String],
    until isTrue: (TestInstance) -> Bool
  ) throws -> Bool {
    let plugin = try #require(try TestInstance(variables: variables))
    let link = "http://127.0.0.1:1/#secret&port=A&host="
    let server = try plugin.serve { event in
      if case .shown(let port, let host) = event { port.show(page: link + "\(host)", toHost: host) }
    }
    defer { server.stop() }
    plugin.instance.activate()
    plugin.instance.worker.signals.askForWindow()
    return eventually {
      plugin.run(noteAt: 0)
      return isTrue(plugin)
    }
  }

  @Test func `where the node has no display, the plugin opens the page`() throws {
    let isOpened = try showsPage {
      // A browser that only notes what it is given.
      let browser = try $0.add(
        "bin/xdg-open", "#!/bin/sh\ncd \"$HOME\" && cp \"$1\" part && mv part page\n")
      chmod(browser, 0o700)
      try $0.add("home/placeholder", "")
      return ["PATH": "\($0.root)/bin:/usr/bin:/bin", "DISPLAY": ":7"]
    } until: {
      let page = try? String(contentsOfFile: $0.system.root + "/home/page", encoding: .utf8)
      return page?.contains("url=http://127.0.0.1:1/#secret&amp;port=A&amp;host=") ?? false
    }
    #expect(isOpened)
  }

  @Test(arguments: [
    (["DISPLAY": ""], "there is no display"),
    (["DISPLAY": ":7", "PATH": "/nowhere"], "xdg-open is not installed"),
  ])
  func `where the plugin cannot open the page either, the host's log has the reason`(
    variables: [String: String], reason: String
  ) throws {
    let isReported = try showsPage { _ in
      variables
    } until: {
      $0.instance.worker.lastRemark.withLock { $0.contains(reason) && !$0.contains("secret") }
    }
    #expect(isReported)
  }

  @Test func `parameters that another program changes are set in the host's control ports`() throws
  {
    let plugin = try #require(
      try TestInstance(probePort(), inputChannels: 2, parameters: ProbeUnit.tree))
    let server = try plugin.serve(ProbeSource())
    defer { server.stop() }
    let host = Host()
    let window = try #require(try open(host, in: plugin.system, isExternal: true))
    let control = try plugin.connectedControl()
    try control.set(["gain": 3])
    let format = mappedURI(LV2URI.eventTransfer)
    let isSet = eventually {
      plugin.run(noteAt: 0)
      for object in plugin.sentObjects {
        object.withUnsafeBytes {
          window.descriptor.pointee.port_event(
            window.handle, UInt32(PluginPorts.notifications), UInt32($0.count), format,
            $0.baseAddress)
        }
      }
      return host.written.contains { $0.format == 0 && $0.bytes == bytes(3) }
    }
    #expect(isSet)
    let gain = try #require(host.written.first { $0.bytes == bytes(3) })
    #expect(gain.port == 9)
    window.descriptor.pointee.cleanup(window.handle)
  }

  private func bytes(_ value: Float) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

  @Test func `messages that are damaged or mean something else set no port`() throws {
    let system = TemporarySystem()
    let host = Host()
    let window = try #require(try open(host, in: system, isExternal: false))
    let format = mappedURI(LV2URI.eventTransfer)
    var random = Seeded(3)
    for length in 0..<64 {
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      bytes.withUnsafeBytes {
        for port in [0, 1, 9] as [UInt32] {
          window.descriptor.pointee.port_event(
            window.handle, port, UInt32($0.count), format, $0.baseAddress)
        }
      }
    }
    #expect(host.written.isEmpty)
    window.descriptor.pointee.cleanup(window.handle)
    #expect(try open(host, in: system, isExternal: false, plugin: "urn:other") == nil)
    #expect(windowDescriptor(at: PluginURI.windowCount) == nil)
  }
}
