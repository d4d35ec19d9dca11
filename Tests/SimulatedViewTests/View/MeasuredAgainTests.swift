import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Elements that were measured again", .endsHangs)
struct MeasuredAgainTests {
    /// What the view does about it, without the questions of the pass that follows.
    private func calls(_ list: List) async -> [String] {
        await list.onMain { view, _ in
            view.layoutIfNeeded()
            return view.eventLog.map(\.description).filter { line in
                [
                    "invalidated", "layout prepare", "layout attributes in", "layout final",
                    "layout target",
                ]
                .contains(where: line.hasPrefix)
            }
        }
    }

    private func asked(_ list: List) async -> [String] {
        await list.log().filter { $0.hasPrefix("preferred") }
    }

    @Test(arguments: Substrate.allCases)
    func theLayoutIsToldWhichAndPreparesOnceAndNobodyElseIsAsked(
        _ substrate: Substrate
    ) async throws {
        let list = try await List(substrate, [.init(["a", "b", "c"], headers: ["H"])], height: 10)
        #expect(await list.rows() == ["0: H", "1: a", "2: b", "3: c"])
        list.nodes.onMeasure { _, _ in Size(width: 10, height: 2) }
        await list.clearLog()
        _ = try await list.controller.relayoutItems(at: [ItemPath(0, 1)])
        #expect(
            await calls(list) == [
                "invalidated 1", "layout prepare", "layout attributes in (0, 0) 10 × 10: 4",
            ]
        )
        #expect(await asked(list) == ["preferred 0 - 1 10 × 2"])
        #expect(await list.rows() == ["0: H", "1: a", "2: b", "4: c"])
        // Another width is another range for every element.
        list.nodes.onMeasure { _, _ in Size(width: 5, height: 2) }
        await list.onMain { view, _ in
            view.resize(to: Size(width: 5, height: 10))
            view.layoutIfNeeded()
            view.clearEventLog()
        }
        await list.onMain { _, _ in }
        await list.controller.settle()
        #expect(await calls(list).first == "invalidated 4", "the header too")
        #expect(await asked(list).count == 4)
        #expect(await list.rows() == ["0: H", "2: a", "4: b", "6: c"])
        await list.controller.close()
    }
}
