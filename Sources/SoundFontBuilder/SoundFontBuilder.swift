// SoundFontBuilder
