import Foundation

/// A bug that is deliberately added to a copy of the package, to show that the simulator can fail.
package struct DeliberateBug: Sendable {
    package let name: String
    /// The runs that can find the bug.
    package let mode: Mode
    let changes: [Change]

    /// A kind of runs of the simulator, with its mark in the list of bugs.
    package enum Mode: String, Sendable {
        case pipelines = ""
        case clusters = "(cluster)"
        case tables = "(tables)"

        fileprivate var arguments: [String] {
            rawValue.isEmpty ? [] : ["--" + rawValue.filter(\.isLetter)]
        }
    }

    /// Lines of a file, without and with the bug.
    struct Change: Sendable {
        let file: String
        /// The line of the list at which the change starts, from 1.
        let line: Int
        var lines: [(mark: Character, text: String)] = []

        /// The consecutive lines that the file must contain exactly once.
        var expected: [String] { lines.filter { $0.mark != "+" }.map(\.text) }
    }

    // MARK: Reading

    /// Reads a list of bugs.
    ///
    /// - Parameters:
    ///   - text: the entries, in the format that the first lines of the list describe.
    ///   - path: the list's path, for error messages.
    package static func parse(_ text: String, path: String) throws -> [DeliberateBug] {
        var bugs: [DeliberateBug] = []
        var head: (name: String, mode: Mode)?
        var sentence = ""
        var changes: [Change] = []
        func fail(_ line: Int, _ message: String) -> MutationError {
            MutationError("\(path):\(line): \(message)")
        }
        func finish(_ line: Int) throws {
            guard let (name, mode) = head else { return }
            guard !sentence.isEmpty, !changes.isEmpty, changes.allSatisfy({ !$0.expected.isEmpty })
            else { throw fail(line, "expected a sentence and lines of a file for \(name)") }
            if bugs.contains(where: { $0.name == name }) { throw fail(line, "duplicate \(name)") }
            bugs.append(DeliberateBug(name: name, mode: mode, changes: changes))
            (head, sentence, changes) = (nil, "", [])
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            if line.hasPrefix("#"), !line.hasPrefix("## ") { continue }
            if line.hasPrefix("## ") {
                try finish(index)
                let words = line.dropFirst(3).split(separator: " ")
                let mark = words.dropFirst().joined(separator: " ")
                guard let name = words.first, let mode = Mode(rawValue: mark) else {
                    throw fail(index + 1, "expected a name and the mark of a mode, found '\(line)'")
                }
                head = (String(name), mode)
            } else if head == nil {
                throw fail(index + 1, "expected a name before '\(line)'")
            } else if sentence.isEmpty {
                sentence = String(line)
            } else if line.hasPrefix("Sources/") {
                changes.append(Change(file: String(line), line: index + 1))
            } else if let mark = line.first, " -+".contains(mark), !changes.isEmpty {
                let text = line.dropFirst(2).trimmingCharacters(in: .whitespaces)
                changes[changes.count - 1].lines.append((mark, text))
            } else {
                throw fail(index + 1, "expected a file or a line of it, found '\(line)'")
            }
        }
        try finish(lines.count)
        return bugs
    }

    // MARK: Applying

    /// Applies bugs to one file, each with its own switch.
    ///
    /// - Parameters:
    ///   - bugs: the bugs, each with the number of its switch.
    ///   - path: the path of the file, relative to the root of the package.
    ///   - text: the text of the file.
    package static func applied(
        _ bugs: [(number: Int, bug: DeliberateBug)],
        toFile path: String,
        _ text: String
    ) throws -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let trimmed = lines.map { $0.trimmingCharacters(in: .whitespaces) }
        var removed: Set<Int> = []
        var inserted: [Int: [String]] = [:]
        for (number, bug) in bugs {
            for change in bug.changes where change.file == path {
                let expected = change.expected
                let places = trimmed.indices.filter { trimmed[$0...].starts(with: expected) }
                guard places.count == 1, var place = places.first else {
                    throw MutationError(
                        "\(bug.name) (line \(change.line) of the list) does not apply: expected its "
                            + "lines once in \(path), found them \(places.count) times"
                    )
                }
                for (mark, text) in change.lines {
                    if mark == "+" {
                        let switched = text.replacing(/\bbug\b/, with: "_muBug(\(number))")
                        inserted[place, default: []].append(switched)
                        continue
                    }
                    if mark == "-", !removed.insert(place).inserted {
                        throw MutationError(
                            "\(bug.name) (line \(change.line) of the list) changes a line that "
                                + "another bug changes"
                        )
                    }
                    place += 1
                }
            }
        }
        var result: [Substring] = []
        for index in lines.indices {
            result += (inserted[index] ?? []).map { $0[...] }
            if !removed.contains(index) { result.append(lines[index]) }
        }
        return "import MutationSwitch; " + result.joined(separator: "\n")
    }
}

/// Searches for deliberate bugs, each in separate processes, because some bugs stop their process.
package struct BugHunt: Sendable {
    private let workshop: Workshop
    /// The seeds that are searched in runs of each kind.
    private let seeds: [DeliberateBug.Mode: Range<Int>]

    package init(_ workshop: Workshop, seeds: [DeliberateBug.Mode: Range<Int>]) {
        (self.workshop, self.seeds) = (workshop, seeds)
    }

    /// Searches for the bug with a number.
    ///
    /// - Parameters:
    ///   - number: the number of the bug, from 1; 0 searches for failures without any bug.
    ///   - mode: the runs in which to search.
    /// - Returns: the simulator's report on the first seed that finds the bug; `nil` if no seed
    ///   does.
    package func evidence(of number: Int, in mode: DeliberateBug.Mode) throws -> String? {
        // With a run file, the simulator starts no supervised process, which could outlive it.
        let runFile = workshop.folder.appendingPathComponent("run-\(number)").path
        defer { try? FileManager.default.removeItem(atPath: runFile) }
        let range = (seeds[mode] ?? 0..<0).prefix(number == 0 ? 1_000 : .max)
        var command = Command(
            program: workshop.products.appendingPathComponent("pipeline-simulate").path,
            arguments: ["--from", "\(range.lowerBound)", "--seeds", "\(range.count)"]
                + ["--run-file", runFile] + mode.arguments,
            folder: workshop.folder.path
        )
        command.environment["MUTATION"] = String(number)
        // A bug that makes the simulator loop forever is found by this limit.
        command.processorSeconds = 3_600
        var last = ""
        let ending = try command.run { line in
            last = line
            return line.hasSuffix("making it smaller …")
        }
        switch ending {
        case .seenEnough, .stopped: return last
        case .tookTooLong: return "it hangs"
        case .exited: return nil
        }
    }
}
