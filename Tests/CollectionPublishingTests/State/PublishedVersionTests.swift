import CollectionPublishing
import Testing

struct PublishedVersionTests {
    @Test func aVersionIsReadFromItsText() {
        let version = PublishedVersion(handle: HistoryHandle(rawValue: 0xC0FFEE), number: 12)
        #expect("\(version)" == "0000000000c0ffee.12")
        #expect(PublishedVersion("\(version)") == version)
        #expect(PublishedVersion("0000000000C0FFEE.12") == version)
        let first = PublishedVersion(handle: HistoryHandle(rawValue: 0), number: 0)
        #expect(PublishedVersion("\(first)") == first)
        let last = PublishedVersion(handle: HistoryHandle(rawValue: .max), number: .max)
        #expect(PublishedVersion("\(last)") == last)
    }

    @Test(arguments: [
        "", ".", "12", "0000000000c0ffee", "0000000000c0ffee.", "0000000000c0ffee.-1",
        "0000000000c0ffee.+1", "0000000000c0ffee.1.2", "+000000000c0ffee.1", "c0ffee.1",
        "0000000000c0ffee.99999999999999999999", "0000000000c0ffeg.1", "0000000000c0ffee. 1",
        "0000000000c0ffee.٣", "0000000000c0ffee..1", ".0000000000c0ffee.1", "0000000000c0ffee.1.",
        "0000000000c0ffee.01", "-000000000000000.1", "-00000000000c0fe.1",
        "0000000000c0ffee.00000000000000000001", "0000000000c0ffee.-0",
    ])
    func noOtherTextIsAVersion(_ text: String) {
        #expect(PublishedVersion(text) == nil)
    }

    @Test func aVersionIsReachedWithinItsHistory() {
        let cases: [(UInt64, Int, Bool)] = [
            (7, 2, true), (7, 3, true), (7, 1, false), (8, 3, false),
        ]
        for (handle, number, isReached) in cases {
            let version = PublishedVersion(handle: HistoryHandle(rawValue: handle), number: number)
            let written = PublishedVersion(handle: HistoryHandle(rawValue: 7), number: 2)
            #expect(version.hasReached(written) == isReached)
        }
    }
}
