// AudioFile
