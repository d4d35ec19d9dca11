import Foundation

// A reader that goes away shows as a failed write instead, which is a clean end.
signal(SIGPIPE, SIG_IGN)
let exitCode = await ChangesetLint.run(
    arguments: Array(CommandLine.arguments.dropFirst()),
    input: FileDescriptor.standardInput,
    output: FileDescriptor.standardOutput,
    errors: FileDescriptor.standardError
)
exit(exitCode.rawValue)
