// MIDIFile
