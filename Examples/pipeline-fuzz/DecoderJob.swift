import Foundation

@testable import changeset_lint
@testable import layout_gallery
@testable import pipeline_simulate

/// What the example programs read: lines, texts, streams and options.
///
/// What they are given is made in two ways: of the bytes as they are, which finds what a reader does with
/// rubbish, and by a ``TextMaker``, which gets past the first character. Whatever is not taken is rejected
/// by an error of the decoder's own; whatever is taken survives being written and read again.
enum DecoderJob {
    static func run(_ bytes: inout Bytes) {
        switch bytes.next() % 12 {
        case 0: readScenarios(&bytes) { $0.rest() }
        case 1: readScenarios(&bytes) { TextMaker.text(&$0) { $0.scenarios() } }
        case 2: readLog(&bytes) { $0.rest() }
        case 3, 4: readLog(&bytes) { TextMaker.text(&$0) { $0.log() } }
        case 5: readTree(&bytes)
        case 6: showText(&bytes)
        case 7: placeFrames(bytes.rest())
        case 8: placeFrames(TextMaker.text(&bytes) { $0.frames() })
        case 9: readPlan(bytes.rest())
        case 10: readPlan(TextMaker.text(&bytes) { $0.plan() })
        default: readOptions(&bytes)
        }
    }

    /// Without bytes there are no mistakes: what is made then must be read, or nothing that is made ever is.
    static func checkMakers() {
        func text(_ make: (inout TextMaker) -> Void) -> [UInt8] {
            var bytes = Bytes(UnsafeBufferPointer(start: nil, count: 0))
            return TextMaker.text(&bytes, make)
        }
        let scenario = text { $0.scenarios() }.dropLast()
        check((try? Scenario(line: Array(scenario))) != nil, "no scenario: \(scenario)")
        check(commits(Pieces(text { $0.log() }, (1, 1))).1 == nil, "a log that is none")
        check((try? FramesRequest(text { $0.frames() })) != nil, "frames that are none")
        check(
            (try? FailureReport.plan(from: Data(text { $0.plan() }))) != nil,
            "a plan that is none"
        )
    }

    /// `bytes` in pieces of two sizes in turn, nil at their end.
    struct Pieces {
        private var rest: ArraySlice<UInt8>
        private var sizes: (Int, Int)

        init(_ bytes: [UInt8], _ sizes: (Int, Int)) {
            (rest, self.sizes) = (bytes[...], sizes)
        }

        mutating func next() -> [UInt8]? {
            guard !rest.isEmpty else { return nil }
            defer {
                rest = rest.dropFirst(sizes.0)
                sizes = (sizes.1, sizes.0)
            }
            return Array(rest.prefix(sizes.0))
        }
    }
}
