/// What the program is asked to do.
enum GalleryOptions: Equatable {
    case help
    /// Print the frames of the collections in a file; nil is the standard input.
    case frames(file: String?)

    init(_ arguments: [String]) throws {
        if arguments.contains("--help") || arguments.contains("-h") {
            self = .help
            return
        }
        guard let option = arguments.first else {
            throw FramesFault("expected --frames FILE; --help says more")
        }
        guard option == "--frames" else {
            throw FramesFault("unknown option '\(option)'; --help says more")
        }
        guard arguments.count == 2 else {
            let problem = arguments.count < 2 ? "a file, or -, after" : "one file after"
            throw FramesFault("expected \(problem) --frames; --help says more")
        }
        self = .frames(file: arguments[1] == "-" ? nil : arguments[1])
    }

    static let helpText = """
        Usage: layout-gallery --frames FILE

        Reads collections as JSON, one a line, from a file, or from standard input for '-', and
        prints, one a line, where the flow layout puts everything:

          {"width":320,"sections":[{"items":[[50,50],[80,30]]}]}
          {"content":[320,50],"sections":[{"frame":[0,0,320,50],"header":null,"footer":null,
           "items":[[0,0,50,50],[60,10,80,30]]}]}

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

        Frames are x, y, width and height in content coordinates. Blank lines are skipped.

        Exit code: 0; 2 for bad usage or input that cannot be read, which ends the program.
        """
}
