import Foundation

// If the reader of the output exits, a write fails instead, and the program ends cleanly.
signal(SIGPIPE, SIG_IGN)
let code = await LayoutGallery.run(
    arguments: Array(CommandLine.arguments.dropFirst()),
    output: standardOutput,
    errors: standardError
)
exit(code.rawValue)
