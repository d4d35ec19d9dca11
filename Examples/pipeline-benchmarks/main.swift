import Foundation

// A reader that goes away shows as a failed write instead, which is a clean end.
signal(SIGPIPE, SIG_IGN)
let exitCode = PipelineBenchmarks.run(
    arguments: Array(CommandLine.arguments.dropFirst()),
    output: StandardStream.output,
    errors: StandardStream.errors
)
exit(exitCode.rawValue)
