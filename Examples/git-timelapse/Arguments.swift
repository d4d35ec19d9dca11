import ProgramSupport

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

    /// Reads the words after the program's name. If an option is given twice, the last value counts.
    init(parsing words: some Sequence<String>) throws(UsageError) {
        var reader = CommandLineReader(words)
        while let option = try reader.nextOption() {
            switch option {
            case "--verify": isVerifying = true
            case "--diff": isDiffing = true
            case "--range": isRanging = true
            case "--quiet": isQuiet = true
            case "--json": isJSON = true
            case "--help", "-h": isHelp = true
            case "--trace": tracePath = try Self.name("a file", for: option, try reader.value())
            case "--until":
                lastRevision = try Self.name("a revision", for: option, try reader.value())
            case "--width":
                width = try Self.number(try reader.value(), for: option, in: Self.widths)
            case "--height":
                height = try Self.number(try reader.value(), for: option, in: Self.heights)
            default: throw UsageError("unknown option \(option.escapedForTerminal)")
            }
        }
        guard reader.operands.count <= 1 else {
            throw UsageError("expected one repository, but found \(reader.operands.count)")
        }
        if let operand = reader.operands.first { repository = operand }
        if repository.isEmpty { throw UsageError("the repository's path is empty") }
        if isRanging, let width, width < LiveScreen.leastColumnsWithRanges {
            throw UsageError(
                "--range needs a --width of at least \(LiveScreen.leastColumnsWithRanges), not \(width)"
            )
        }
    }

    private static func name(
        _ what: String,
        for option: String,
        _ text: String
    ) throws(UsageError) -> String {
        if text.isEmpty { throw UsageError("\(option) needs \(what)") }
        return text
    }

    private static func number(
        _ text: String,
        for option: String,
        in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(option) must be a number from \(range.lowerBound) to \(range.upperBound), not"
                    + " '\(text.escapedForTerminal)'"
            )
        }
        return number
    }
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
