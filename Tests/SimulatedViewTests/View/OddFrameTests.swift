import PipelineTestSupport
import SimulatedView
import Testing

/// What is unusual, and no mistake.
@Suite("Frames over one another and beyond the content")
struct OddFrameTests {
    @Test func whatLiesInOnePlaceIsAllShownAndFoundByWhoTouchesIt() throws {
        let bench = try Bench([texts(3)])
        bench.layout.altered = { answer in
            answer.map {
                LayoutAttributes($0.place, frame: Rect(x: -5, y: 2, width: 50, height: 9))
            }
        }
        bench.load()
        #expect(bench.view.errors == [])
        #expect(Set(bench.rows) == ["2: 0", "2: 1", "2: 2"])
        #expect(bench.watcher.displayed.count == 3)
        bench.layout.altered = { $0 }
        bench.layout.invalidateLayout()
        bench.settle()
        bench.check()
    }

    /// The content ends after the first row, and begins below what lies above it.
    @Test func whatLiesBeyondTheContentIsShownWhereItIsInTheViewport() throws {
        let bench = try Bench([texts(30)])
        bench.layout.alteredSize = { Size(width: $0.width, height: 10) }
        bench.layout.altered = { answer in
            answer.map { attributes in
                var frame = attributes.frame
                frame.origin.y -= 5
                return LayoutAttributes(attributes.place, frame: frame)
            }
        }
        bench.load()
        #expect(bench.view.errors == [] && bench.view.contentSize.height == 10)
        #expect(bench.rows == ["-5: 0", "5: 1", "15: 2"])
        bench.view.scroll(by: 100)
        bench.settle()
        #expect(bench.view.contentOffset.y == 0)
        bench.layout.altered = { $0 }
        bench.layout.alteredSize = { $0 }
        bench.layout.invalidateLayout()
        bench.settle()
        bench.check()
    }
}
