import TestSupport
import Testing

@testable import layout_gallery

@Suite struct SpoiledLineTests {
    private static let line =
        #"{"width":100,"direction":"vertical","scale":2,"sections":[{"items":[[40,20],[4e1,20.5]],"#
        + #""inset":[1,2,3,4],"line":5,"interitem":6,"header":7,"footer":8}]}"#

    @Test(arguments: 0..<8 as Range<UInt64>)
    func spoiledLinesAreLaidOutOrRefusedWithAReason(seed: UInt64) throws {
        var mutilation = Mutilation(seed: seed)
        var refused = 0
        for _ in 0..<500 {
            do {
                _ = FramesAnswer(try FramesRequest(mutilation.spoil(Array(Self.line.utf8)))).json
            } catch let error as GalleryFault {
                refused += 1
                #expect(!"\(error)".isEmpty, "seed \(seed)")
            }
        }
        #expect(refused > 50, "seed \(seed)")
    }
}
