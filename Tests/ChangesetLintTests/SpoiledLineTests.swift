import TestSupport
import Testing

@testable import changeset_lint

@Suite struct SpoiledLineTests {
    private static let lines = [
        #"{"id":1,"oldCounts":[5,1],"newCounts":[7,2],"ops":[{"op":"reloadSections","at":[1],"#
            + #""anim":0},{"op":"moveItem","from":[0,3],"to":[1,0]}],"result":{"valid":true}}"#,
        #"{"id":"é\u00e9\ud83d\ude00","oldCounts":[-1,9223372036854775807],"newCounts":[],"ops":[]}"#,
    ]

    @Test(arguments: 0..<8 as Range<UInt64>)
    func spoiledLinesAreReadOrRefusedWithAReason(seed: UInt64) {
        var mutilation = Mutilation(seed: seed)
        var refused = 0
        for line in Self.lines {
            for _ in 0..<1_000 {
                do throws(ScenarioFault) {
                    _ = try Scenario(line: mutilation.spoil(Array(line.utf8)))
                } catch {
                    refused += 1
                    #expect(!error.message.isEmpty, "seed \(seed)")
                }
            }
        }
        #expect(refused > 100, "seed \(seed)")
    }
}
