import Foundation

/// What became of a mutation.
package struct Verdict: Sendable, Codable {
    package enum Outcome: String, Sendable, Codable {
        case found
        /// A process took longer than it may, which nobody would overlook.
        case tookTooLong
        /// No test noticed.
        case survived
        /// No test even comes across it.
        case notReached
    }

    package let key: String
    package let outcome: Outcome
    /// What found it, or all that did not.
    package let suites: [String]
    /// What the tests were like; a survivor may be found by others.
    package let tests: String

    package var isFound: Bool { outcome == .found || outcome == .tookTooLong }
}

/// The verdicts so far, in a file that grows line by line, so that a campaign can be interrupted.
package final class VerdictLog: Sendable {
    private let verdicts: Guarded<[String: Verdict]>
    private let file: URL

    package init(_ file: URL) throws {
        self.file = file
        var verdicts: [String: Verdict] = [:]
        if let data = try? Data(contentsOf: file) {
            for line in data.split(separator: 0x0A) {
                guard let verdict = try? JSONDecoder().decode(Verdict.self, from: line) else {
                    continue
                }
                verdicts[verdict.key] = verdict
            }
        } else {
            try Data().write(to: file)
        }
        self.verdicts = Guarded(verdicts)
    }

    package subscript(key: String) -> Verdict? { verdicts.withLock { $0[key] } }

    func add(_ verdict: Verdict) throws {
        var line = try JSONEncoder().encode(verdict)
        line.append(0x0A)
        try verdicts.withLock { verdicts in
            verdicts[verdict.key] = verdict
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: line)
        }
    }
}
