import CollectionElements
import Testing

@testable import PipelineTrace

@Suite struct PictureTextTests {
    @Test func linesAreBrokenAtBlanks() {
        let lines = PictureText.lines(of: "one two  three\nfour", columns: 9)
        #expect(lines == ["one two", "three", "four"])
    }

    @Test func wordsThatAreTooLongAreCut() {
        #expect(PictureText.lines(of: "a bcdefg h", columns: 3) == ["a", "bcd", "efg", "h"])
    }

    @Test func noLineIsLongerThanItsRoomAndNothingIsLost() {
        let text = "It was the best of times, it was the worst of times."
        for columns in 1...60 {
            let lines = PictureText.lines(of: text, columns: columns)
            #expect(lines.allSatisfy { $0.count <= columns && !$0.isEmpty })
            let letters = lines.joined().filter { $0 != " " }
            #expect(letters == text.filter { $0 != " " })
        }
    }

    @Test func aTextFitsTheSizeThatItHas() {
        for width in stride(from: 16.0, through: 300, by: 7) {
            let text = "Call me Ishmael. Some years ago"
            let size = PictureText.size(of: text, width: width)
            let lines = PictureText.lines(of: text, width: width)
            #expect(size.width <= width)
            #expect(size.height == Double(lines.count) * 12 + 10)
            #expect(PictureText.lines(of: text, width: size.width) == lines)
        }
    }

    @Test(arguments: [Double.nan, -1, 0, .infinity, -.infinity, 1e300])
    func anyWidthGivesLines(width: Double) {
        let lines = PictureText.lines(of: "ab c", width: width)
        #expect(lines == (width > 100 ? ["ab c"] : ["a", "b", "c"]))
    }

    @Test func noTextHasNoLines() {
        #expect(PictureText.lines(of: "  \n ", width: 100).isEmpty)
        #expect(PictureText.size(of: "", width: 100) == Size(width: 16, height: 22))
    }
}
