@testable import changeset_lint
@testable import git_timelapse
@testable import layout_gallery
@testable import pipeline_simulate

extension DecoderJob {
    /// Words between NUL bytes, which no argument can hold, for each program in turn.
    static func readOptions(_ bytes: inout Bytes) {
        let program = bytes.next() % 4
        var words: [String] = []
        if bytes.next() & 1 == 0 {
            words = bytes.rest().split(separator: 0, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        } else {
            while !bytes.isAtEnd, words.count < 12 { words.append(word(&bytes)) }
        }
        switch program {
        case 0: _ = try? LintOptions(words)
        case 1: readTimelapseOptions(words)
        case 2:
            do { _ = try GalleryOptions(words) } catch {
                check(error is GalleryFault, "refused by \(error)")
            }
        default:
            guard let options = try? SimulateOptions(words) else { return }
            check(options.minutes.map { $0 > 0 && $0.isFinite } ?? true, "no time: \(words)")
            check(
                options.job == .help
                    || !options.first.addingReportingOverflow(options.seedCount).overflow,
                "no seeds: \(words)"
            )
        }
    }

    private static func readTimelapseOptions(_ words: [String]) {
        do throws(UsageError) {
            let arguments = try Arguments(parsing: words)
            check(
                arguments.width.map(Arguments.widths.contains) ?? true
                    && arguments.height.map(Arguments.heights.contains) ?? true
                    && !arguments.repository.isEmpty,
                "\(words) became \(arguments)"
            )
        } catch {
            check(isOneLine(error.description), "a message of several lines: \(error)")
        }
    }

    private static func word(_ bytes: inout Bytes) -> String {
        let word = bytes.pick(knownWords)
        guard bytes.next() & 7 == 0 else { return word }
        return word + String(decoding: [bytes.next(), bytes.next()], as: UTF8.self)
    }

    private static let knownWords = [
        "--", "-", "", "-h", "--help", "--check", "--explain", "--profile", "--profile=",
        "standard", "strict", "texture", "--verify", "--quiet", "--json", "--until", "--width",
        "--height=", "--height", "2", "1000", "-1", "HEAD", "--frames", "--output", "--seeds",
        "--from",
        "--minutes", "--strategy", "--replay", "--anomalies", "--mutants", "--mutant", "--run-file",
        "random", "0.5", "1e999", "18446744073709551615", "--seeds=", "--minutes=nan",
    ]
}
