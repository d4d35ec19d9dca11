import CollectionPipeline
import Testing

@testable import pipeline_benchmarks

@Suite struct CopyingMapTests {
    private final class Item {}

    @Test(arguments: 1...20)
    func changeSetsDoWhatArraysDo(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var model = (0..<4).map { _ in (0..<20).map { _ in Item() } }
        var map = CopyingMap(copying: model)
        for _ in 0..<20 {
            let plan = EditPlan.random(
                in: model.map(\.count),
                deletions: 5,
                insertions: 6,
                using: &random
            )
            let items = plan.newPaths.map { _ in Item() }
            for path in plan.oldPaths.sorted(by: >) { model[path.section].remove(at: path.item) }
            for (path, item) in zip(plan.newPaths.sorted(), items) {
                model[path.section].insert(item, at: path.item)
            }
            let old = map
            map = map.applying(
                removing: plan.oldPaths.sorted(by: >),
                inserting: items,
                at: plan.newPaths.sorted()
            )
            expect(map, is: model)
            for path in plan.oldPaths {
                let gone = old.sections[path.section][path.item]
                #expect(map.path(of: gone) == nil)
                #expect(old.path(of: gone) == path)
            }
        }
    }

    private func expect(_ map: CopyingMap<Item>, is model: [[Item]]) {
        #expect(map.sections.map(\.count) == model.map(\.count))
        for (section, items) in model.enumerated() {
            for (item, object) in items.enumerated() {
                #expect(map.sections[section][item] === object)
                #expect(map.path(of: object) == ItemPath(section: section, item: item))
            }
        }
    }
}
