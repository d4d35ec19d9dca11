import TestSupport
import Testing

@testable import CollectionElements

/// What stops the process, and with which words. The body runs in a process of its own.
@Suite("Mistakes with maps", .endsHangs)
struct MapTrapTests {
    @Test func contentsOutOfOrderStopTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let model = MapModel([1])
            let header = model.element("header", kind: .header)
            let place = ElementPlace(path: ItemPath(section: 0, item: 0), kind: .header)
            _ = model.map.replacingContents(
                [],
                supplementaries: [(place, header.firstContent)],
                generation: 2
            )
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("contents out of order"), "\(text)")
    }
}
