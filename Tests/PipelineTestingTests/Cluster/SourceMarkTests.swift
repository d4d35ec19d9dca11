import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import PipelineTesting

@Suite("Marks of sources", .endsHangs)
struct SourceMarkTests {
    @Test func aMarkIsReadBackFromItsPayload() {
        for source in [0, 1, 9, 10, 123_456] {
            for number in [0, 1, 9, 10, 987_654] {
                let mark = SourceMark(source: source, number: number)
                #expect(SourceMark(mark.payload) == mark)
                #expect("\(mark)" == "#\(source).\(number)")
                #expect(mark.payload == PublishedPayload("#\(source).\(number)"))
            }
        }
    }

    @Test func nothingElseIsAMark() {
        let others = [
            "", "a", "#", "#1", "#1.", "#.1", "#1.2.3", "1.2", "a1.2", " #1.2", "#a.2",
            "#1.b", "##1.2", "#1 .2", "#1,2",
        ]
        for text in others {
            #expect(SourceMark(PublishedPayload(text)) == nil, "\(text)")
        }
        #expect(SourceMark(PublishedPayload([0xFF, 0x31, 0x2E, 0x32])) == nil)
    }
}
