import Foundation
import ProgramSupport

// If the reader of the output exits, a write fails instead, and the program ends cleanly.
OutputChannel.ignoreBrokenPipes()
exit(await LayoutGallery.run(Array(CommandLine.arguments.dropFirst())).rawValue)
