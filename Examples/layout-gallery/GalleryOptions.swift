/// What the program is asked to do.
enum GalleryOptions: Equatable {
    case help
    /// Draw the gallery into a folder.
    case gallery(folder: String)
    /// Print the frames of the collections in a file; nil is the standard input.
    case frames(file: String?)

    /// Where the gallery goes unless something else is said.
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
            throw GalleryFault("\(kind) '\(option)'; --help says more")
        }
        let operand = option == "--frames" ? "file, or -," : "folder"
        guard arguments.count >= 2 else {
            throw GalleryFault("expected a \(operand) after \(option); --help says more")
        }
        guard arguments.count == 2 else {
            throw GalleryFault(
                "unexpected argument '\(arguments[2])' after \(option) \(arguments[1]);"
                    + " --help says more"
            )
        }
        guard !arguments[1].isEmpty else {
            throw GalleryFault("expected a name after \(option), found nothing; --help says more")
        }
        self =
            option == "--output"
            ? .gallery(folder: arguments[1])
            : .frames(file: arguments[1] == "-" ? nil : arguments[1])
    }

    static let helpText = """
        Usage: layout-gallery [--output FOLDER]
               layout-gallery --frames FILE

        Draws every layout on real text, what updates do to some of them, and what is
        near to the viewport while one scrolls, into a folder: index.html, a page with
        everything in it, and every picture as an SVG file by itself. The folder is made
        if need be, layout-gallery by default; files of these names in it are replaced.
        The same program writes the same bytes every time.

        With --frames, reads collections as JSON, one a line, from a file, or from
        standard input for '-', and prints, one a line, where the flow layout puts
        everything:

          {"width":320,"sections":[{"items":[[50,50],[80,30]]}]}
          {"content":[320,50],"sections":[{"frame":[0,0,320,50],"header":null,
           "footer":null,"items":[[0,0,50,50],[60,10,80,30]]}]}

        Of a collection:
          width        the extent across the scroll direction
          direction    "vertical" (the default) or "horizontal"
          scale        how many pixels a unit has, 1 by default: origins fall on pixels
          sections     the sections in order

        Of a section:
          items        width and height of every item
          inset        top, left, bottom and right of the lines; none by default
          line         the distance of lines, 10 by default
          interitem    the least distance of items on a line, 10 by default
          header       the header's extent along the scroll direction; none by default
          footer       the footer's

        Frames are x, y, width and height in content coordinates. Blank lines are
        skipped.

        Exit code: 0; 2 for bad usage, for input that cannot be read, and for output
        that cannot be written, any of which ends the program.
        """
}
