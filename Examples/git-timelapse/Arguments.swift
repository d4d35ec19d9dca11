/// What the command line asks for.
struct Arguments: Hashable, Sendable {
    /// The repository, or a directory in one; by default the one that the current directory is in.
    var repository = "."

    /// Whether to compare the end with what git lists.
    var isVerifying = false

    /// Whether to find what each commit changed by comparing listings.
    var isDiffing = false

    /// Whether only what is near to the viewport gets a node, and the ranges around it are shown.
    var isRanging = false

    /// The file that a trace of the replay goes to; nil for none.
    var tracePath: String?

    /// The revision that the replay ends with; `HEAD` where nil.
    var lastRevision: String?

    /// Columns of the simulated view; the terminal's where nil.
    var width: Int?

    /// Rows of the simulated view; the terminal's where nil.
    var height: Int?

    /// Whether to show neither the view nor the progress.
    var isQuiet = false

    /// Whether to print the summary as a JSON object.
    var isJSON = false

    /// Whether to print the help and do nothing else.
    var isHelp = false

    /// Two columns hold the widest character; beyond a thousand no terminal has any.
    static let widths = DisplayText.minimumWidth...1_000

    /// A row at least; beyond a thousand no terminal has any.
    static let heights = 1...1_000

    /// Everything as it is without arguments.
    init() {}

    /// Reads the words after the program's name.
    ///
    /// An option's value follows it or an equals sign; of an option given twice the last counts; all
    /// words after `--` are operands.
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
