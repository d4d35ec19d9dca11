import CollectionPipeline

/// What the command line asks for.
struct LintOptions: Equatable {
    /// The files to read, `-` for standard input; none for that alone.
    var files: [String] = []
    /// What to calculate; nil to run scenarios.
    var calculation: Calculation?
    /// Whether files of lines have sections.
    var hasSections = false
    var profile = ValidationProfile.standard
    var output = Output.answers

    /// The one file of scenarios to run; nil for standard input.
    var file: String? { files.first == "-" ? nil : files.first }

    enum Output: Equatable {
        /// A result a line.
        case answers
        /// A text for a person for every scenario.
        case explanations
        /// How the results compare with those that the lines hold.
        case check
        case help
    }

    /// A command line that means nothing; the message has no full stop.
    struct UsageError: Error, Equatable {
        let message: String
    }

    /// Reads what follows the name of the program.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = ArraySlice(Array(arguments))
        var asksForHelp = false
        var hasSections = false
        var outputs: [String] = []
        var profile: ValidationProfile?
        var files: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": asksForHelp = true
            case "--sections": hasSections = true
            case "--check", "--explain", "--diff", "--invert", "--compose", "--rebase":
                if !outputs.contains(argument) { outputs.append(argument) }
            case "--profile":
                guard let name = rest.popFirst() else {
                    throw UsageError(message: "--profile needs a value: \(Self.profileNames)")
                }
                try Self.set(&profile, name)
            case "--":
                files += rest
                rest = []
            case _ where argument.hasPrefix("--profile="):
                try Self.set(&profile, String(argument.dropFirst("--profile=".count)))
            case _ where argument.hasPrefix("-") && argument != "-":
                throw UsageError(message: "unknown option '\(argument)'")
            default: files += [argument]
            }
        }
        if asksForHelp {
            output = .help
            return
        }
        try Self.checkExclusion(outputs)
        let calculation = outputs.lazy.compactMap(Calculation.init(option:)).first
        guard calculation == .diff || !hasSections else {
            throw UsageError(message: "--sections needs --diff")
        }
        try Self.check(files, for: calculation)
        self.files = files
        self.calculation = calculation
        self.hasSections = hasSections
        self.profile = profile ?? .standard
        output =
            outputs.contains("--check")
            ? .check : outputs.contains("--explain") ? .explanations : .answers
    }

    /// Only a difference is also explained.
    private static func checkExclusion(_ outputs: [String]) throws(UsageError) {
        for (index, output) in outputs.enumerated() {
            for other in outputs[(index + 1)...]
            where Set([output, other]) != ["--diff", "--explain"] {
                throw UsageError(message: "\(output) and \(other) exclude each other")
            }
        }
    }

    private static func check(
        _ files: [String],
        for calculation: Calculation?
    ) throws(UsageError) {
        switch calculation {
        case nil:
            guard files.count < 2 else {
                throw UsageError(message: "expected one file, found \(files.count)")
            }
        case .diff:
            guard files.count == 2 else {
                throw UsageError(message: "--diff needs two files, found \(files.count)")
            }
        case .invert, .compose, .rebase: break
        }
        guard files.count(where: { $0 == "-" }) < 2 else {
            throw UsageError(message: "standard input cannot be read twice")
        }
    }

    private static var profileNames: String {
        ValidationProfile.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func set(
        _ profile: inout ValidationProfile?,
        _ name: String
    ) throws(UsageError) {
        guard let named = ValidationProfile(rawValue: name) else {
            throw UsageError(message: "unknown profile '\(name)', expected \(profileNames)")
        }
        guard profile == nil || profile == named else {
            throw UsageError(message: "--profile is there twice")
        }
        profile = named
    }
}
