import Foundation

// A reader that goes away shows as a failed write instead, which is a clean end.
signal(SIGPIPE, SIG_IGN)
let code = await LayoutGallery.run(
    arguments: Array(CommandLine.arguments.dropFirst()),
    output: standardOutput,
    errors: standardError
)
exit(code.rawValue)
