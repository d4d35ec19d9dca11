import CollectionPipeline

/// What the command line asks for.
struct LintOptions: Equatable {
    /// The file to read; nil for standard input.
    var file: String?
    var profile = ValidationProfile.standard
    var output = Output.answers

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
        var outputs: [String] = []
        var profile: ValidationProfile?
        var files: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": asksForHelp = true
            case "--check", "--explain":
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
        guard outputs.count < 2 else {
            throw UsageError(message: "\(outputs[0]) and \(outputs[1]) exclude each other")
        }
        guard files.count < 2 else {
            throw UsageError(message: "expected one file, found \(files.count)")
        }
        file = files.isEmpty || files == ["-"] ? nil : files[0]
        self.profile = profile ?? .standard
        output =
            switch outputs {
            case ["--check"]: .check
            case ["--explain"]: .explanations
            default: .answers
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
