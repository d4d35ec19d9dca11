import Foundation

// A closed pipe then appears as a failed write, which is a clean end.
signal(SIGPIPE, SIG_IGN)
let exitCode = await ChangesetLint.run(
    arguments: Array(CommandLine.arguments.dropFirst()),
    input: FileDescriptor.standardInput,
    output: FileDescriptor.standardOutput,
    errors: FileDescriptor.standardError
)
exit(exitCode.rawValue)
