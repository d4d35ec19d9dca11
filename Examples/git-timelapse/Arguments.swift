/// The options of the command line.
struct Arguments: Hashable, Sendable {
    /// The repository, or a directory in it. By default the current directory.
    var repository = "."

    /// Whether to compare the final state with git's own listing.
    var isVerifying = false

    /// Whether to find the changes of each commit by comparing listings.
    var isDiffing = false

    /// Whether only files near the viewport get a node, and the ranges around the viewport are
    /// shown.
    var isRanging = false

    /// The file for a trace of the replay, or `nil` for none.
    var tracePath: String?

    /// The last revision of the replay, or `nil` for `HEAD`.
    var lastRevision: String?

    /// The columns of the simulated view, or `nil` for the terminal's.
    var width: Int?

    /// The rows of the simulated view, or `nil` for the terminal's.
    var height: Int?

    /// Whether to show neither the view nor the progress.
    var isQuiet = false

    /// Whether to print the summary as a JSON object.
    var isJSON = false

    /// Whether to print the help and do nothing else.
    var isHelp = false

    /// The permitted widths. Two columns hold the widest character; no terminal has more than a
    /// thousand.
    static let widths = DisplayText.minimumWidth...1_000

    /// The permitted heights. No terminal has more than a thousand rows.
    static let heights = 1...1_000

    /// Makes the options of a command line without arguments.
    init() {}

    /// Reads the words after the program's name.
    ///
    /// An option's value is the next word, or follows an equals sign. If an option is given twice,
    /// the last value counts. All words after `--` are operands.
    init(parsing words: some Sequence<String>) throws(UsageError) {
        var words = Array(words)[...]
        var operands: [String] = []
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            var inlineValue = parts.count == 2 ? String(parts[1]) : nil
            try read(String(parts[0]), &inlineValue, &words)
            if inlineValue != nil { throw UsageError("\(Self.shown(parts[0])) takes no value") }
        }
        guard operands.count <= 1 else {
            throw UsageError("expected one repository, but found \(operands.count)")
        }
        for operand in operands {
            guard !operand.isEmpty else { throw UsageError("the repository's path is empty") }
            repository = operand
        }
        if isRanging, let width, width < LiveScreen.leastColumnsWithRanges {
            throw UsageError(
                "--range needs a --width of at least \(LiveScreen.leastColumnsWithRanges), not \(width)"
            )
        }
    }

    private mutating func read(
        _ option: String,
        _ inlineValue: inout String?,
        _ words: inout ArraySlice<String>
    ) throws(UsageError) {
        func value() throws(UsageError) -> String {
            guard let value = inlineValue.take() ?? words.popFirst() else {
                throw UsageError("\(option) needs a value")
            }
            return value
        }
        switch option {
        case "--verify": isVerifying = true
        case "--diff": isDiffing = true
        case "--range": isRanging = true
        case "--quiet": isQuiet = true
        case "--json": isJSON = true
        case "--help", "-h": isHelp = true
        case "--trace":
            let path = try value()
            guard !path.isEmpty else { throw UsageError("--trace needs a file") }
            tracePath = path
        case "--until":
            let revision = try value()
            guard !revision.isEmpty else { throw UsageError("--until needs a revision") }
            lastRevision = revision
        case "--width": width = try Self.number(try value(), for: option, in: Self.widths)
        case "--height": height = try Self.number(try value(), for: option, in: Self.heights)
        default: throw UsageError("unknown option \(Self.shown(option))")
        }
    }

    private static func number(
        _ text: String,
        for option: String,
        in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(option) must be a number from \(range.lowerBound) to \(range.upperBound), not"
                    + " '\(shown(text))'"
            )
        }
        return number
    }

    private static func shown(_ text: some StringProtocol) -> String { DisplayText.escaping(text) }
}

extension Arguments {
    /// The text that `--help` prints.
    static let help = """
        Usage: git-timelapse [options] [REPO]

        Replays the history of a git repository as change sets of a list, oldest commit
        first and along first parents: directories are sections, files are items, and
        renames are moves. REPO is a repository, bare or not, or a directory in one;
        the default is the current directory.

        On a terminal the list is shown while it changes, and adapts to a new size of
        the terminal. Marks show what a commit did to a file: + added, ~ changed,
        > moved. Colours only repeat this; NO_COLOR in the environment disables them.

        Options:
          --verify       compare the final state with git's own listing of the last
                         commit, file by file
          --diff         list the files of each commit and let the pipeline find the
                         changes, instead of asking git for them; only renames
                         without other changes are moves
          --range        create nodes only near the viewport, and show the ranges
                         around it: see below
          --until REV    end the replay with this revision (default: HEAD)
          --width N      columns of the view, \(widths.lowerBound) to \(widths.upperBound)\
         (default: the terminal's, or 80)
          --height N     rows of the view, \(heights.lowerBound) to \(heights.upperBound)\
         (default: the terminal's, or 24)
          --trace FILE   write a trace of all lanes and workers to FILE, for
                         ui.perfetto.dev or chrome://tracing; it ends after about
                         256 MiB, and then reports what is missing
          --quiet        show neither the view nor the progress, only the summary
          --json         print the summary as one JSON object, and show no view
          --help, -h     print this help

        With --range the view has a range controller and scrolls slowly through the
        list, to its end and back, during the replay. A column on the right shows how
        far the ranges around the viewport reach, over several screenfuls of the list:
          #  visible     =  display range     -  preload range
        A column beside it shows whether the files and directories there have nodes:
          o  all     :  some     .  none
        A line below shows the mode of the ranges, the number of files in each range,
        and the number of files that have a node: distant files release theirs.
        The width must be at least \(LiveScreen.leastColumnsWithRanges).

        Exit codes: 0 for success, 1 if --verify found differences, 2 for bad usage, a
        repository that cannot be read, or a trace that cannot be written.

        """
}

/// A mistake in the command line, for which the exit code is 2.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for people, without the reference to `--help`.
    var description: String

    init(_ description: String) { self.description = description }
}
