import CollectionPipeline
import ProgramSupport

/// The options of the command line.
struct LintOptions: Equatable {
    /// The files to read; `-` is standard input. If empty, only standard input is read.
    var files: [String] = []
    /// The calculation to do, or `nil` to run scenarios.
    var calculation: Calculation?
    /// Whether files of lines have sections.
    var hasSections = false
    var profile = ValidationProfile.standard
    var output = Output.results

    enum Output: Equatable {
        /// One JSON result per line.
        case results
        /// A text for people about each scenario.
        case explanations
        /// A comparison of the results with those recorded in the lines.
        case check
        case help
    }

    /// Reads the arguments that follow the name of the program.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var reader = CommandLineReader(arguments)
        var wantsHelp = false
        var outputs: [String] = []
        var profile: ValidationProfile?
        while let option = try reader.nextOption() {
            switch option {
            case "--help", "-h": wantsHelp = true
            case "--sections": hasSections = true
            case "--check", "--explain", "--diff", "--invert", "--compose", "--rebase":
                if !outputs.contains(option) { outputs.append(option) }
            case "--profile":
                try Self.set(&profile, try reader.value("a value: \(Self.profileNames)"))
            default: throw UsageError("unknown option '\(option)'")
            }
        }
        if wantsHelp {
            output = .help
            return
        }
        try Self.checkExclusion(outputs)
        files = reader.operands
        calculation =
            outputs.lazy.compactMap { Calculation(rawValue: String($0.dropFirst(2))) }.first
        guard calculation == .diff || !hasSections else {
            throw UsageError("--sections needs --diff")
        }
        try Self.check(files, for: calculation)
        self.profile = profile ?? .standard
        output =
            outputs.contains("--check")
            ? .check : outputs.contains("--explain") ? .explanations : .results
    }

    /// Only `--diff` and `--explain` may be combined.
    private static func checkExclusion(_ outputs: [String]) throws(UsageError) {
        for (index, output) in outputs.enumerated() {
            for other in outputs[(index + 1)...]
            where Set([output, other]) != ["--diff", "--explain"] {
                throw UsageError("\(output) and \(other) exclude each other")
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
                throw UsageError("expected one file, found \(files.count)")
            }
        case .diff:
            guard files.count == 2 else {
                throw UsageError("--diff needs two files, found \(files.count)")
            }
        case .invert, .compose, .rebase: break
        }
        guard files.count(where: { $0 == "-" }) < 2 else {
            throw UsageError("standard input cannot be read twice")
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
            throw UsageError("unknown profile '\(name)', expected \(profileNames)")
        }
        guard profile == nil || profile == named else {
            throw UsageError("--profile was given twice")
        }
        profile = named
    }
}

extension LintOptions {
    static let help = """
        Usage: changeset-lint [--profile NAME] [--check | --explain] [FILE]
               changeset-lint --diff [--sections] [--explain] OLD NEW
               changeset-lint --invert | --compose | --rebase [FILE ...]

        Reads change sets, one JSON object per line, from FILE or standard input, runs
        each through a collection pipeline, and prints the results, one JSON object per
        line.

          --profile NAME  the validation profile: standard (default), strict or texture
          --explain       print the sums and the ordered edits as text for people
          --check         compare with the `result` of each line instead, and count the
                          scenarios that agree, that differ for a known reason, and
                          that fail
          -h, --help      print this text

        The following options calculate a scenario, which can be used as input again:

          --diff          the edits that turn the lines of OLD into those of NEW, with
                          the fewest moves; each line is an item, and equal lines are
                          distinguished by their occurrence. With --explain, one line
                          per edit, with the text of the line
          --sections      a line that begins with '# ' begins a section of that name
          --invert        the inverse of each scenario
          --compose       all scenarios in order, combined into one; each must start
                          where the previous one ends
          --rebase        the second of two scenarios from the same start, rebased over
                          the first; dropped edits are reported on standard error

        If FILE, OLD or NEW is -, standard input is read. The profile also applies to
        calculations: the first invalid scenario ends the program.

        A line has `oldCounts` and `newCounts`, the number of items in each section
        before and after the update, and `ops`, the recorded operations:

          {"op":"deleteItems","at":[[SECTION,ITEM],...],"anim":0}
              likewise insertItems, reloadItems, reconfigureItems
          {"op":"deleteSections","at":[SECTION,...],"anim":0}
              likewise insertSections, reloadSections, reconfigureSections
          {"op":"moveItem","from":[SECTION,ITEM],"to":[SECTION,ITEM],"anim":0}
          {"op":"moveSection","from":SECTION,"to":SECTION,"anim":0}
          {"op":"reloadSupplementaries","kind":"header","at":[SECTION,...],"anim":0}
          {"op":"reloadData"}

        `anim` is optional. Inserts, move targets and reloadSupplementaries use indexes
        after the update; everything else uses indexes before it. A scenario may have
        up to 1048576 sections and items, before and after the update.

        A valid result has the edits in the order in which they are applied, the index
        mappings (-1 for none), the requests for content in `asks` (cS: context of a
        section, bS.I: node of an item), and the sections and items afterwards (sN and
        oS.I: old ones, tK and nK: the K-th requested one). Moves are listed as deletes
        and inserts, and again as `moveItems` and `moveSections`. An invalid result has
        a code and a message with UIKit's text (in texture: Texture's).

        With --check, fields that a recorded result omits are not compared. In standard
        and strict, a result may also be Texture's: if it equals the result in texture,
        the difference is named after the rule that causes it.

        Exit code: 0, even if scenarios are invalid; 1 if a check failed; 2 for bad
        usage, or for input that cannot be read or calculated.
        """
}

/// A calculation that prints scenarios instead of running them through a pipeline.
enum Calculation: String {
    /// The difference between two files of lines.
    case diff
    /// The inverse of each scenario.
    case invert
    /// All scenarios combined into one.
    case compose
    /// The second scenario rebased over the first.
    case rebase
}
