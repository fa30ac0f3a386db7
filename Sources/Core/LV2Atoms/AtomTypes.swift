package import CLV2

/// The numbers that the host has given to the URIs of atoms.
///
/// Realtime: yes, except for creation.
package struct AtomTypes: BitwiseCopyable {
  package let sequence, object, blank, string, path, int, long, float, double, urid: LV2_URID
  package let midi: LV2_URID
  package let position, frame, speed, bar, barBeat, beat, beatUnit, beatsPerBar,
    beatsPerMinute: LV2_URID
  package let patchSet, patchGet, patchProperty, patchValue: LV2_URID

  package init(_ map: (String) -> LV2_URID) {
    func atom(_ name: String) -> LV2_URID { map("http://lv2plug.in/ns/ext/atom#" + name) }
    func time(_ name: String) -> LV2_URID { map("http://lv2plug.in/ns/ext/time#" + name) }
    func patch(_ name: String) -> LV2_URID { map("http://lv2plug.in/ns/ext/patch#" + name) }
    sequence = atom("Sequence")
    object = atom("Object")
    blank = atom("Blank")
    string = atom("String")
    path = atom("Path")
    int = atom("Int")
    long = atom("Long")
    float = atom("Float")
    double = atom("Double")
    urid = atom("URID")
    midi = map("http://lv2plug.in/ns/ext/midi#MidiEvent")
    position = time("Position")
    frame = time("frame")
    speed = time("speed")
    bar = time("bar")
    barBeat = time("barBeat")
    beat = time("beat")
    beatUnit = time("beatUnit")
    beatsPerBar = time("beatsPerBar")
    beatsPerMinute = time("beatsPerMinute")
    patchSet = patch("Set")
    patchGet = patch("Get")
    patchProperty = patch("property")
    patchValue = patch("value")
  }
}
