import ProgramSupport

/// The options of the command line.
enum GalleryOptions: Equatable {
    case help
    /// Draws the gallery into a folder.
    case gallery(folder: String)
    /// Prints the frames of the collections in a file; `-` is standard input.
    case frames(file: String)

    /// The default output folder.
    static let defaultFolder = "layout-gallery"

    init(_ arguments: [String]) throws {
        if arguments.contains("--help") || arguments.contains("-h") {
            self = .help
            return
        }
        guard let option = arguments.first else {
            self = .gallery(folder: Self.defaultFolder)
            return
        }
        guard option == "--frames" || option == "--output" else {
            let kind = option.hasPrefix("-") ? "unknown option" : "unexpected argument"
            throw UsageError("\(kind) '\(option)'")
        }
        let operand = option == "--frames" ? "file, or -," : "folder"
        guard arguments.count >= 2 else {
            throw UsageError("expected a \(operand) after \(option)")
        }
        guard arguments.count == 2 else {
            throw UsageError(
                "unexpected argument '\(arguments[2])' after \(option) \(arguments[1])"
            )
        }
        guard !arguments[1].isEmpty else {
            throw UsageError("expected a name after \(option), found nothing")
        }
        self =
            option == "--output"
            ? .gallery(folder: arguments[1])
            : .frames(file: arguments[1])
    }

    static let helpText = """
        Usage: layout-gallery [--output FOLDER]
               layout-gallery --frames FILE

        Draws pictures of every layout with real text, of updates, and of the ranges
        around the viewport during scrolling. Writes index.html, a page with all
        pictures, and each picture as an SVG file into FOLDER, by default
        layout-gallery. Creates the folder if necessary, and replaces existing files
        with these names. The same program always writes the same bytes.

        With --frames, reads collections as JSON from FILE, or from standard input if
        FILE is '-', one collection per line. Prints the frames that the flow layout
        computes, one line per collection:

          {"width":320,"sections":[{"items":[[50,50],[80,30]]}]}
          {"content":[320,50],"sections":[{"frame":[0,0,320,50],"header":null,
           "footer":null,"items":[[0,0,50,50],[60,10,80,30]]}]}

        Fields of a collection:
          width        extent across the scroll direction
          direction    "vertical" (default) or "horizontal"
          scale        pixels per unit, for rounding origins (default: 1)
          sections     the sections in order

        Fields of a section:
          items        width and height of each item
          inset        top, left, bottom and right inset (default: none)
          line         distance between lines (default: 10)
          interitem    minimum distance between items on a line (default: 10)
          header       extent of the header along the scroll direction (default: none)
          footer       extent of the footer along the scroll direction (default: none)

        Frames are x, y, width and height in content coordinates. Blank lines are
        skipped.

        Exit codes: 0 success, 2 invalid usage, unreadable or invalid input, or output
        that cannot be written. An error ends the program.
        """
}
