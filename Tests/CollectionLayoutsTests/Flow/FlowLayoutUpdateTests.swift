import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// Whatever happens to a layout, it is as one that was made afterwards.
@Suite struct FlowLayoutUpdateTests {
    @Test(arguments: 0..<Effort.number(40, usually: 12))
    func anUpdatedLayoutIsAsOneFromScratch(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let scenario = FlowScenario(&random)
        let (host, layout) = (scenario.host, scenario.layout)
        host.displayScale = 4096
        _ = host.lay(layout)
        for step in 0..<25 {
            change(host, layout, &random)
            let fresh = FlowLayout()
            fresh.scrollDirection = layout.scrollDirection
            fresh.sectionInsetReference = layout.sectionInsetReference
            let (found, expected) = (
                layout.everything(in: host), host.lay(fresh).everything(in: host)
            )
            if found != expected {
                let first = zip(found, expected).first { $0 != $1 }
                Issue.record("seed \(seed), step \(step): \(String(describing: first))")
                return
            }
            if let fault = FlowLayoutNaiveTests.difference(layout, scenario) {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        #expect(!layout.errors.contains { $0.code == .updateMismatch })
    }

    private func change(
        _ host: ScriptedHost,
        _ layout: FlowLayout,
        _ random: inout SeededNumbers
    ) {
        switch random.next(below: 4) {
        case 0: changeSizes(host, layout, &random)
        case 1: changeBounds(host, layout, &random)
        default: update(host, layout, &random)
        }
    }

    private func changeSizes(
        _ host: ScriptedHost,
        _ layout: FlowLayout,
        _ random: inout SeededNumbers
    ) {
        let context = FlowLayoutInvalidationContext()
        let paths = host.sections.enumerated().flatMap { section, scripted in
            scripted.items.indices.map { ItemPath(section: section, item: $0) }
        }
        guard !paths.isEmpty else { return }
        for _ in 0..<(1 + random.next(below: 3)) {
            let path = paths[random.next(below: paths.count)]
            let size = FlowScenario.size(&random, 2)
            host.sections[path.section].items[path.item] = size
            context.invalidateItems(at: [path])
        }
        layout.invalidateLayout(with: context)
        layout.prepare()
    }

    private func changeBounds(
        _ host: ScriptedHost,
        _ layout: FlowLayout,
        _ random: inout SeededNumbers
    ) {
        let bounds = Rect(
            x: 0,
            y: 0,
            width: Double(random.next(below: 400) + 100),
            height: Double(random.next(below: 400) + 100)
        )
        if layout.shouldInvalidateLayout(forBoundsChange: bounds) {
            layout.invalidateLayout(with: layout.invalidationContext(forBoundsChange: bounds))
        }
        host.bounds = bounds
        layout.prepare()
    }

    private func update(
        _ host: ScriptedHost,
        _ layout: FlowLayout,
        _ random: inout SeededNumbers
    ) {
        let old = HierarchyShape(host.sections.map(\.items.count))
        let random0 = RandomUpdate(from: old, &random, rate: random.chance(0.5) ? 0.05 : 0.3)
        guard let update = try? random0.changes.validated(from: old, to: random0.newShape) else {
            Issue.record("not a valid update")
            return
        }
        let kind = random.next(below: 4)
        let same = FlowScenario.size(&random, 2)
        let items = update.applyUnchecked(to: host.sections.map(\.items)) { _ -> Size? in
            random.chance(0.3) ? same : FlowScenario.size(&random, kind)
        }
        var sections = items.map { ScriptedSection(items: $0) }
        for index in sections.indices {
            if let oldIndex = update.oldSection(for: index),
                update.sectionInsertion(at: index)?.role != .reload
            {
                sections[index] = host.sections[oldIndex]
                sections[index].items = items[index]
            } else {
                sections[index] = FlowScenario.section(&random)
                sections[index].items = items[index]
            }
        }
        for change in update.reconfigurations {
            sections[change.newPath.section].items[change.newPath.item] = same
        }
        host.sections = sections
        let context = FlowLayoutInvalidationContext()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
    }
}
