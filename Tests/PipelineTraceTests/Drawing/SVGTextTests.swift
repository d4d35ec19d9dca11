import Testing

@testable import PipelineTrace

@Suite struct SVGTextTests {
    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.5, "0.5"), (-0.25, "-0.25"),
        (1.005, "1"), (0.999, "1"), (-0.001, "0"), (33.333333, "33.33"), (1.05, "1.05"),
        (123_456_789.5, "123456789.5"), (1e9, "1000000000"),
    ])
    func numbersHaveNoMoreDecimalsThanTheyNeed(number: Double, text: String) {
        #expect(SVGText.number(number) == text)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e12, -1e300])
    func aNumberThatDoesNotFitIsNone(number: Double) {
        #expect(SVGText.number(number) == "0")
        #expect(SVGText.number(number, decimals: 6) == "0")
    }

    @Test func everyCharacterCanStandInAText() throws {
        var text = ""
        for value in UInt32(0)...0x1FFFF {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        text += "\u{10FFFF}]]>"
        var writer = SVGWriter()
        writer.element("text", ["key": .text(text)], text: text)
        let root = try ParsedSVG.root(of: writer.text)
        #expect(root.text.unicodeScalars.count == text.unicodeScalars.count)
        #expect(root.attributes["key"] == root.text)
        #expect(root.text.hasSuffix("\u{FFFD}]]>"))
    }

    @Test func controlCharactersAreSeen() {
        var text = ""
        SVGText.escape("a\u{0}\n\t\u{1B}\u{7F}\u{85}b", into: &text)
        #expect(text == "a\u{2400}\u{240A}\u{2409}\u{241B}\u{2421}\u{FFFD}b")
    }

    @Test func markupIsText() {
        var text = ""
        SVGText.escape("<a href=\"x\">&amp;</a>", into: &text)
        #expect(text == "&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;")
    }
}
