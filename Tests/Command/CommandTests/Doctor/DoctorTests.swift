import Foundation
import LocalSystem
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

@Suite(.timeLimit(.minutes(5))) struct DoctorTests {
  let system = TemporarySystem()

  @Test func `a sequencer is good, and none is bad`() throws {
    #expect(
      SequencerCheck.findings(in: system.environment) == [
        .bad(
          "keyboards", "no MIDI keyboards: the kernel's sequencer is not loaded",
          remedy: "run 'sudo modprobe snd-seq'")
      ])
    try system.add("dev/snd/seq", "")
    #expect(SequencerCheck.findings(in: system.environment).map(\.verdict) == [.good])
  }

  @Test func `sound servers are recognized by their programs`() throws {
    #expect(SoundServerCheck.servers(in: system.environment) == [])
    for (process, name) in [(12, "pipewire"), (13, "wireplumber"), (14, "jackd"), (15, "jackdbus")]
    {
      try system.add("proc/\(process)/comm", "\(name)\n")
    }
    try system.add("proc/asound/comm", "pulseaudio\n")
    #expect(SoundServerCheck.servers(in: system.environment) == ["JACK", "PipeWire"])
    #expect(
      SoundServerCheck.findings(in: system.environment) == [
        .good("sound server", "running: JACK, PipeWire")
      ])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `sound servers of other users do not count`() throws {
    for (process, owner) in [(12, uid_t(4711)), (14, geteuid())] {
      try system.add("proc/\(process)/comm", process == 12 ? "pipewire\n" : "jackd\n")
      try #require(chown(system.environment.root + "/proc/\(process)", owner, 0) == 0)
    }
    #expect(SoundServerCheck.servers(in: system.environment) == ["JACK"])
  }

  @Test func `a broken configuration is reported as such, and not as a missing SoundFont`() throws {
    let user = try TemporaryUser()
    user.variables["PORTATIVE_SOUNDFONT"] = nil
    try user.configure("{ soundfont: 3 }")
    let environment = ProcessEnvironment(variables: user.variables)
    let finding = try #require(ConfigurationCheck.findings(in: environment).first)
    #expect(finding.verdict == .bad && finding.message.contains("config.json:1:14"))
    #expect(SoundFontCheck.findings(in: environment) == [])
    try user.configure("{ soundfont: \"/none.sf2\" }")
    #expect(ConfigurationCheck.findings(in: environment).map(\.verdict) == [.good])
    #expect(
      SoundFontCheck.findings(in: environment).first?.remedy?.contains("config set soundfont=FILE")
        == true)
    user.variables["PORTATIVE_SOUNDFONT"] = "/none.sf2"
    let variable = ProcessEnvironment(variables: user.variables)
    #expect(
      SoundFontCheck.findings(in: variable).first?.remedy?.hasPrefix("unset PORTATIVE_SOUNDFONT")
        == true)
  }

  @Test(arguments: [
    ("powersave", "intel_pstate", Finding.Verdict.good), ("powersave", "acpi-cpufreq", .warning),
    ("ondemand", "acpi-cpufreq", .warning), ("performance", "acpi-cpufreq", .good),
    ("schedutil", "cppc_cpufreq", .good), ("powersave", "amd-pstate-epp", .good),
  ])
  func `a governor that slows the processor down is a warning`(
    governor: String, driver: String, verdict: Finding.Verdict
  ) throws {
    for (cpu, governor) in [("cpu0", "performance"), ("cpu1", governor), ("cpufreq", "x")] {
      let folder = "sys/devices/system/cpu/\(cpu)/cpufreq"
      try system.add("\(folder)/scaling_governor", "\(governor)\n")
      try system.add("\(folder)/scaling_driver", "\(driver)\n")
    }
    #expect(GovernorCheck.findings(in: system.environment).map(\.verdict) == [verdict])
  }

  @Test func `a processor without a known governor is good`() {
    #expect(GovernorCheck.findings(in: system.environment).map(\.verdict) == [.good])
  }

  static let boards: [(alarm: String?, flags: String?, expected: [String])] = [
    ("0", "0", ["good power"]), ("1", "0", ["warning power"]), ("0", "50005", ["warning power"]),
    ("0", "10000", ["warning power"]), ("0", "e0008", ["warning temperature"]),
    ("1", "80000", ["warning power", "warning temperature"]), ("1", nil, ["warning power"]),
    ("0", nil, ["good power"]), (nil, "0x20000", ["good power"]),
    (nil, "4", ["warning temperature"]), (nil, nil, []),
  ]

  @Test(arguments: boards)
  func `low voltage and heat of a Raspberry Pi are warnings`(
    alarm: String?, flags: String?, expected: [String]
  ) throws {
    try system.add("sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    if let alarm {
      try system.add("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
      try system.add("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "\(alarm)\n")
    }
    if let flags {
      try system.add("sys/devices/platform/soc/soc:firmware/get_throttled", "\(flags)\n")
    }
    let findings = PowerCheck.findings(in: system.environment)
    #expect(findings.map { "\($0.verdict) \($0.subject)" } == expected)
  }

  @Test func `a missing SoundFont is bad`() throws {
    system.environment.executable = nil
    let missing = try #require(SoundFontCheck.findings(in: system.environment).first)
    #expect(missing.verdict == .bad)
    #expect(missing.message.contains("no SoundFont was found"))
    try system.add(
      "usr/share/soundfonts/default.sf2", Array("RIFF".utf8) + [4, 0, 0, 0] + Array("sfbk".utf8))
    #expect(SoundFontCheck.findings(in: system.environment).map(\.verdict) == [.good])
  }

  @Test func `refused realtime priority is a warning with the reason`() {
    #expect(
      RealtimeCheck.findings { .success(69) } == [
        .good("realtime", "permitted, at least up to priority 69")
      ])
    let refused = RealtimeCheck.findings {
      .failure(RealtimePriorityError(limit: 0, answer: "not there"))
    }
    #expect(refused.map(\.verdict) == [.warning])
    #expect(refused[0].message.contains("the limit rtprio is 0; RealtimeKit: not there"))
    #expect(refused[0].remedy?.contains("rtprio 95") == true)
  }

  @Test func `a low limit of locked memory is a warning`() {
    #expect(LockedMemoryCheck.findings(limit: .max)[0].message == "permitted, without limit")
    #expect(LockedMemoryCheck.findings(limit: 8 << 20)[0].message == "permitted, up to 8 MB")
    #expect(LockedMemoryCheck.findings(limit: 64 << 10).map(\.verdict) == [.warning])
  }

  @Test func `each remedy is below its finding`() {
    let findings = [
      Finding.good("SoundFont", "x.sf2"), .bad("sound", "there is none", remedy: "plug one in"),
    ]
    #expect(
      DoctorCommand.text(findings) == """
        good  SoundFont  x.sf2
        bad   sound      there is none
                         → plug one in

        """)
    #expect(
      DoctorCommand.jsonLines(findings) == """
        {"message":"x.sf2","schema":"portative/doctor/1","subject":"SoundFont","verdict":"good"}
        {"message":"there is none","remedy":"plug one in","schema":"portative/doctor/1","subject":"sound","verdict":"bad"}

        """)
  }

  @Test(.enabled(if: access("/dev/snd/seq", F_OK) != 0, "this machine has a sequencer"))
  func `it fails where playing would fail`() throws {
    let user = try TemporaryUser()
    let result = try user.run("doctor")
    #expect(result.exitCode == 1)
    #expect(result.outputText.contains("→ run 'sudo modprobe snd-seq'"))
    let objects = try user.run("doctor", "--json").outputText.objects
    #expect(objects.count >= 6)
    #expect(objects.first?["verdict"] as? String == "bad")
    #expect(try user.run("doctor", "now").exitCode == 2)
    let latency = try user.run("doctor", "--latency", "hw:1")
    #expect(latency.exitCode == 1)
    #expect(latency.outputText == "")
    #expect(latency.errors.hasSuffix("run 'sudo modprobe snd-seq'\n"))
  }
}
