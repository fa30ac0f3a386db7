import BatchRenderer
import Configuration
import LivePlayer
import LocalSystem
import OfflineRenderer

/// The verb `render`.
enum RenderCommand {
  /// - Parameter arguments: The arguments after `render`.
  static func run(_ arguments: [String]) throws(Failure) -> ExitCode {
    let arguments = try RenderArguments(arguments)
    let (options, display) = (arguments.run, arguments.display)
    if display.wantsHelp { return try Command.write(Help.render) }
    if arguments.merges { return try merge(arguments) }
    try Terminal.refuseAudio(options.output)
    let session = try RenderSession(options)
    Terminal.silenceGLib()
    if display.showsMessages { warnOfMissingFonts(session.plan.jobs) }
    let began = ContinuousClock.now
    let reporter = RenderReporter(session.plan, options, display)
    let tally = try session.run(reporter, nodes: NodeSongs(), isIsolated: true)
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    try reporter.finish(tally, elapsed: elapsed, isResumable: session.isResumable)
    return ExitCode(tally.failureKind)
  }

  private static func warnOfMissingFonts(_ jobs: [RenderPlan.Job]) {
    let hasImages = jobs.contains { (try? $0.work.get().options.image != nil) == true }
    if !hasImages || PictureFile.hasFonts { return }
    Terminal.note(
      "warning: no fonts are installed, so pictures have no text: apt install fonts-dejavu-core")
  }
}

extension Help {
  static let render = HelpText(
    usage: [
      "portative render [OPTIONS] SONG.mid …",
      "portative render [OPTIONS] --directory DIR|--beside FOLDER …",
      "portative render [OPTIONS] --compare SOUNDFONT.sf2 … SONG.mid …",
      "portative render --merge [-q] [-o ALL.json] PART.json …",
    ],
    description: """
      Renders MIDI files to audio files. Each is written beside its song, unless
      --output or --directory names another place, and appears only when it is
      complete. - is standard input. In a folder and its subfolders, all songs are
      rendered: files whose names end in .mid, .midi, .smf, .kar or .rmi. Symbolic
      links are followed and other file systems are entered only with the options
      below. A song that fails does not stop the others.

      An existing file is replaced if portative wrote it and it has not changed since,
      if the report that --report names lists it, or if --output names it. To replace
      any other file, use --overwrite; without it, the song fails with exit code 4.
      With --directory, no file is written outside of that folder, whatever a manifest
      or a symbolic link says.
      """,
    options: RenderArguments.table.entries,
    remarks: """
      The SoundFont is the first of: --soundfont, $PORTATIVE_SOUNDFONT, "soundfont"
      in ~/.config/portative/config.json or /etc/xdg/portative/config.json, the
      system's default in /usr/share, the user's in ~/.local/share/soundfonts, the one
      that comes with portative.

      With --merge, the joined report is that of the whole list, and the exit code is
      that of a run that renders all of it. Fails if a part is missing.
      """,
    exitCodes: ExitStatus.of(0, 1, 2, 3, 4, 5, 6, 130),
    examples: """
      portative render song.mid
      portative render --rate 96000 --bits 24 -o song.flac song.mid
      portative render -d audio --format opus *.mid
      portative render --instrument lv2:http://gareus.org/oss/lv2/b_synth song.mid
      portative render --dry-run --beside library
      portative render -d audio --report audio.json --resume library
      portative render -o - song.mid | aplay
      portative render --merge -o all.json part.*.json
      """)
}
