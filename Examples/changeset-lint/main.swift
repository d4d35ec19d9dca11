import Foundation
import ProgramSupport

// A closed pipe then appears as a failed write, which is a clean end.
OutputChannel.ignoreBrokenPipes()
exit(await ChangesetLint.run(CommandLine.arguments.dropFirst()).rawValue)
