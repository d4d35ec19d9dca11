import Foundation
import Testing

@testable import layout_gallery

/// What is printed of a collection, near the ends of the numbers too.
@Suite struct FramesAnswerTests {
    private func answer(_ line: String) throws -> String? {
        FramesAnswer(try FramesRequest(Array(line.utf8))).json
    }

    @Test func sectionsFollowOneAnother() throws {
        let answer = try answer(
            """
            {"width":20,"sections":[{"items":[[5,6]],"header":1},{"items":[]},\
            {"items":[[7,8],[9,2]],"interitem":1,"footer":3}]}
            """
        )
        #expect(
            answer == #"{"content":[20,18],"sections":[{"frame":[0,0,20,7],"header":[0,0,20,1],"#
                + #""footer":null,"items":[[8,1,5,6]]},{"frame":[0,7,20,0],"header":null,"#
                + #""footer":null,"items":[]},{"frame":[0,7,20,11],"header":null,"#
                + #""footer":[0,15,20,3],"items":[[0,7,7,8],[8,10,9,2]]}]}"#
        )
    }

    @Test(arguments: [
        #"{"width":9,"sections":[{"items":[[1e308,1]"#,
        #"{"width":9,"direction":"horizontal","sections":[{"items":[[1,1e308]"#,
    ])
    func placesBeyondAllNumbersAreNoAnswer(beginning: String) throws {
        let item = beginning.contains("horizontal") ? ",[1,1e308]" : ",[1e308,1]"
        let inset = #""inset":[-1.7e308,-1.7e308,-1.7e308,-1.7e308]"#
        let line = beginning + String(repeating: item, count: 5) + "],\(inset)}]}"
        #expect(try answer(line) == nil)
    }

    /// Whatever the numbers, an answer is JSON: of what is beyond them there is none.
    @Test(arguments: ["vertical", "horizontal"])
    func everyAnswerIsJSON(direction: String) throws {
        let values = ["0", "1.7e308", "-1.7e308"]
        var answers = 0
        for number in 0..<81 {
            let inset = [number % 3, number / 3 % 3, number / 9 % 3, number / 27].map {
                values[$0]
            }.joined(separator: ",")
            for extent in ["1", "1e308"] {
                for items in [1, 5] {
                    let sizes = Array(repeating: "[\(extent),\(extent)]", count: items)
                    let line = """
                        {"width":9,"direction":"\(direction)","sections":[{"inset":[\(inset)],\
                        "header":\(extent),"items":[\(sizes.joined(separator: ","))]}]}
                        """
                    guard let answer = try answer(line) else { continue }
                    answers += 1
                    let json = try? JSONSerialization.jsonObject(with: Data(answer.utf8))
                    #expect(json != nil, "\(line) gives \(answer)")
                }
            }
        }
        #expect(answers > 0)
    }
}
