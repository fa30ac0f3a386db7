extension [Double] {
  /// Returns the value `delay` samples before the end, by Lagrange interpolation of the four nearest samples.
  func read(_ delay: Double) -> Double {
    let nodes = (-1...2).map { Int(delay) + $0 }
    var sum = 0.0
    for node in nodes {
      let place = count - node
      var weight = 1.0
      for other in nodes where other != node {
        weight *= (delay - Double(other)) / Double(node - other)
      }
      if indices.contains(place) { sum += self[place] * weight }
    }
    return sum
  }
}
