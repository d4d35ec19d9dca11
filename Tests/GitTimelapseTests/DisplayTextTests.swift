import PipelineTestSupport
import Testing

@testable import git_timelapse

@Suite struct DisplayTextTests {
    @Test func whatWouldDriveATerminalIsEscaped() {
        #expect(
            DisplayText.escaping("a\n\t\r\u{1B}[2J\u{7F}\u{9B}é")
                == "a\\n\\t\\r\\u{1b}[2J\\u{7f}\\u{9b}é"
        )
        #expect(DisplayText.escaping("\u{202E}x\u{2028}") == "\\u{202e}x\\u{2028}")
        #expect(DisplayText.escaping("plain \\n 漢字") == "plain \\n 漢字")
        #expect(FileName([0x66, 0xFF, 0x0A]).description == "f\u{FFFD}\\n")
    }

    @Test func widthsAreThoseOfTerminals() {
        let widths: [(String, Int)] = [
            ("", 0), ("abc", 3), ("漢字", 4), ("e\u{301}", 1), ("한", 2), ("ﾊ", 1), ("Ａ", 2),
            ("👍", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("é…", 2),
        ]
        for (text, width) in widths { #expect(DisplayText.width(of: text) == width, "\(text)") }
    }

    @Test func everyASCIICharacterButControlsTakesOneColumn() {
        for code in 0...0x7F as ClosedRange<UInt8> {
            let isControl = code < 0x20 || code == 0x7F
            let character = Character(Unicode.Scalar(code))
            #expect(DisplayText.width(of: character) == (isControl ? 0 : 1), "\(code)")
        }
    }

    @Test func charactersThatCombineTakeNoneAndPicturesTwo() {
        let none = ["\u{301}", "\u{20DD}", "\u{200B}", "\u{80}", "\u{1160}", "\u{11FF}"]
        for text in none { #expect(DisplayText.width(of: text) == 0, "\(text.unicodeScalars)") }
        // By themselves wide, outside of the blocks that are.
        for text in ["\u{26A1}", "\u{2705}", "\u{1F004}"] {
            #expect(DisplayText.width(of: text) == 2, "\(text.unicodeScalars)")
        }
        for text in ["\u{26A0}", "\u{A9}"] { #expect(DisplayText.width(of: text) == 1) }
    }

    @Test func truncatedTextFitsAndSaysThatItIsCut() {
        #expect(DisplayText.truncated("abcdef", to: 4) == "abc…")
        #expect(DisplayText.truncated("abcd", to: 4) == "abcd")
        #expect(DisplayText.truncated("漢字漢字", to: 5) == "漢字…")
        #expect(DisplayText.truncated("漢字漢字", to: 4) == "漢…")
        #expect(DisplayText.truncated("éééé", to: 4) == "éééé")
        #expect(DisplayText.truncated("漢字", to: 2) == "…")
    }

    @Test func linesBreakAtSpacesAndInsideLongWords() {
        #expect(DisplayText.lines(of: "", width: 10) == [""])
        #expect(DisplayText.lines(of: "one two  three", width: 7) == ["one two", "three"])
        #expect(DisplayText.lines(of: "abcdefgh ij", width: 3) == ["abc", "def", "gh", "ij"])
        #expect(DisplayText.lines(of: "漢字x", width: 3) == ["漢", "字x"])
        #expect(DisplayText.lines(of: "漢字x", width: 2) == ["漢", "字", "x"])
        #expect(DisplayText.lines(of: "漢", width: 0) == ["漢"])
    }

    @Test(arguments: 0..<40)
    func everyLineFitsAndNothingIsLost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet: [Character] = ["a", "b", " ", "漢", "e\u{301}", "👍", ".", " "]
        let text = String(
            (0..<Int.random(in: 0...80, using: &random)).map { _ in
                alphabet.randomElement(using: &random)!
            }
        )
        for width in 2...20 {
            let lines = DisplayText.lines(of: text, width: width)
            #expect(lines.allSatisfy { DisplayText.width(of: $0) <= width })
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
            let cut = DisplayText.truncated(text, to: width)
            #expect(DisplayText.width(of: cut) <= width)
            #expect((cut == text) == (DisplayText.width(of: text) <= width))
        }
    }
}
