import Foundation
import PipelineTestSupport
import PipelineTrace
import Testing

/// The reader of traces that other tests go by finds what is wrong with one.
@Suite struct StrictTraceTests {
    private static let good = String(decoding: ChromeTrace.json(of: wholeLife()), as: UTF8.self)

    private func isAccepted(_ text: String) -> Bool {
        (try? StrictTrace(Array(text.utf8))) != nil
    }

    @Test func theGoodOneIsAccepted() { #expect(isAccepted(Self.good)) }

    /// Each line is needed, but the ends of arrows in the middle, single counts and slices without an arrow.
    @Test func aLineThatIsMissingIsFound() {
        var lines = Self.good.split(separator: "\n").dropFirst().dropLast().map(String.init)
        lines[lines.count - 1] += ","
        for index in lines.indices {
            var rest = lines
            let line = rest.remove(at: index)
            rest[rest.count - 1].removeLast()
            let isNeeded = ["\"b\"", "\"e\"", "\"s\"", "\"f\"", "_name\""].contains {
                line.contains("\"ph\":\($0)") || line.contains($0) && line.contains("\"M\"")
            }
            let isFound = !isAccepted("[\n" + rest.joined(separator: "\n") + "\n]\n")
            // That of the latch begins within the layout context too.
            let hasArrow =
                line.contains("\"X\"")
                && (line.contains("\"measure\"") || line.contains("\"deploy\""))
            #expect(isFound == (isNeeded || hasArrow), "\(line)")
        }
    }

    @Test(arguments: [
        ("\"ph\":\"X\"", "\"ph\":\"Y\""), ("\"ts\":23.000", "\"ts\":\"23\""),
        ("\"ts\":23.000", "\"ts\":-23.000"), ("\"dur\":7.000", "\"dur\":33.000"),
        ("\"dur\":7.000,", ""), ("\"submissions\":1", "\"submissions\":\"1\""),
        ("\"submissions\":1", "\"others\":1"),
        ("\"tid\":101,\"ts\":26.500", "\"tid\":102,\"ts\":26.500"),
        ("\"ts\":26.500", "\"ts\":76.500"), ("\"ts\":75.000", "\"ts\":90.000"),
        ("\"bp\":\"e\",", ""), ("\"ts\":18.000,\"cat\"", "\"ts\":9.000,\"cat\""),
        ("\"id\":\"0x10000000001\",\"name\":\"measure\"", "\"id\":\"0x2\",\"name\":\"measure\""),
        ("\"name\":\"record\"", "\"name\":\"other\""),
        ("\"pid\":1,\"tid\":102", "\"pid\":2,\"tid\":102"),
        ("\"ph\":\"M\",\"name\":\"thread_name\"", "\"ph\":\"M\",\"name\":\"thread\""),
        ("},\n{", "}\n{"), ("\n]\n", "\n"), ("feed", "fe\u{1}ed"),
    ])
    func whatIsSpoiledIsFound(_ part: String, _ other: String) throws {
        let place = try #require(Self.good.range(of: part), "\(part) is not there")
        #expect(!isAccepted(Self.good.replacingCharacters(in: place, with: other)))
    }
}
