import Foundation
import Testing

@testable import LiveBoardServer

struct TextTests {
    @Test func whatHTMLReadsIsEscaped() {
        #expect(
            HTMLText.escaped("<script>\"&'\u{1}\u{85}é😀") == "&lt;script&gt;&quot;&amp;&#39;��é😀"
        )
    }

    /// A process may be called anything.
    @Test func noNameOfAProcessEndsItsElement() {
        let name = "\"><img src=x onerror=alert(1)>'<!--"
        let row = ProcessRow(
            name: name,
            command: name,
            user: name,
            state: .running,
            cpuTenths: 5,
            megabytes: 1,
            threads: 1
        )
        let html = ListRow(id: name, content: .process(row)).html
        #expect(!html.contains("<img") && !html.contains("<!--"))
        // As many elements and quotes as with a harmless name.
        let harmless = ProcessRow(
            name: "a",
            command: "a",
            user: "a",
            state: .running,
            cpuTenths: 5,
            megabytes: 1,
            threads: 1
        )
        let other = ListRow(id: "a", content: .process(harmless)).html
        for mark in ["<", ">", "\"", "'"] {
            #expect(html.split(separator: mark).count == other.split(separator: mark).count)
        }
    }

    @Test(arguments: [
        (0, "0 B"), (-5, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9_949, "9.9 kB"),
        (9_950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (34_000_000, "34 MB"),
        (Int.max, "9223 PB"),
    ])
    func bytesHaveThreeDigits(count: Int, text: String) {
        #expect(Units.bytes(count) == text)
    }

    @Test func timesAreThoseOfTheCalendar() {
        let formatter = ISO8601DateFormatter()
        // Every eleventh day or so from 1900 to 2200, at odd times of day.
        for seconds in stride(from: -2_208_988_800, to: 7_258_118_400, by: 954_321) {
            let exact = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(CalendarTime(secondsSince1970: seconds).exact == exact)
        }
        #expect(CalendarTime(secondsSince1970: .max).short == "9999-12-31 23:59")
        #expect(CalendarTime(secondsSince1970: .min).short == "0001-01-01 00:00")
    }

    @Test func searchesAreOfWords() throws {
        let query = try #require(SearchQuery("  SWIFT  b "))
        #expect(query == SearchQuery("b swift b"))
        #expect(query.finds("Build with Swift") && !query.finds("swift"))
        #expect(try #require(SearchQuery("Å")).finds("a\u{30a}ngstrom"))
        #expect(SearchQuery(" ")?.isEmpty == true)
        #expect(SearchQuery(String(repeating: "x", count: 101)) == nil)
    }
}
