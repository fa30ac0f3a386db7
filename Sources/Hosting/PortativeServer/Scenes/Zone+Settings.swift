import Configuration
import LiveMIDI
import RenderCore

extension Zone {
  /// Converts the settings of the configuration, whose values are in range. Its sound is that of the port.
  init(_ settings: ZoneSettings) {
    self.init()
    keyboards = settings.keyboards ?? []
    channel = settings.channel.map { UInt8($0 - 1) }
    keys = settings.keys?.keys ?? keys
    velocities = settings.velocities?.velocities ?? velocities
    transposition = settings.transpose ?? 0
    velocityCurve = settings.velocity.map { VelocityCurve($0) } ?? .linear
    controllers = settings.controllers.map { ControllerFilter($0) } ?? .all
    routes = (settings.routes ?? []).map { ControllerRoute($0) }
    invertsPedal = settings.invertPedal ?? false
    isMono = settings.mode == .mono
    isLegato = settings.mode == .legato
    portamento = settings.portamento.flatMap { Portamento($0) }
  }
}

extension Portamento {
  fileprivate init?(_ settings: PortamentoSettings) {
    let speed = settings.time.map { Speed.time($0) } ?? settings.perOctave.map { .perOctave($0) }
    guard let speed else { return nil }
    self.init(speed, isFingered: settings.when == .legato)
  }
}

extension ControllerRoute {
  fileprivate init(_ settings: ControllerRouteSettings) {
    let range = settings.range ?? [0, 127]
    self.init(
      from: Control(settings.from), to: Control(settings.to),
      curve: settings.curve.map { VelocityCurve($0) } ?? .linear, first: range[0], last: range[1])
  }
}

extension ControllerRoute.Control {
  fileprivate init(_ control: ControllerRouteSettings.Control) {
    switch control {
    case .controller(let number): self = .controller(number)
    case .pressure: self = .pressure
    }
  }
}

extension VelocityCurve {
  fileprivate init(_ settings: VelocitySettings) {
    switch settings {
    case .named(.linear): self = .linear
    case .named(.soft): self = .soft
    case .named(.hard): self = .hard
    case .points(let points):
      self.init(points: points.map { (played: $0[0], sounding: $0[1]) })
    }
  }
}

extension ControllerFilter {
  fileprivate init(_ settings: ControllerSettings) {
    guard case .only(let messages) = settings else {
      self = .all
      return
    }
    self = .none
    for message in messages {
      switch message {
      case .controller(let number): pass(number)
      case .bend: passesBend = true
      case .pressure: passesPressure = true
      case .program: passesPrograms = true
      }
    }
  }
}
