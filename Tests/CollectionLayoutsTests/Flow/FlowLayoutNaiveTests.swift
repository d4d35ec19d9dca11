import CollectionLayouts
import PersistentTrees
import TestSupport
import Testing

/// The flow layout against a second, naive one, on random input.
@Suite struct FlowLayoutNaiveTests {
    @Test(arguments: 0..<Effort.number(40, usually: 8))
    func framesAreThoseOfTheNaiveLayout(batch: Int) {
        for seed in (batch * 100)..<(batch * 100 + 100) {
            var random = SeededNumbers(seed: UInt64(seed))
            let scenario = FlowScenario(&random)
            if let difference = Self.difference(scenario.host.lay(scenario.layout), scenario) {
                Issue.record("seed \(seed): \(difference)")
                return
            }
        }
    }

    /// The first difference, or nil.
    static func difference(_ layout: FlowLayout, _ scenario: FlowScenario) -> String? {
        let host = scenario.host
        let naive = NaiveFlow(host, layout)
        let scale = host.displayScale
        guard abs(layout.collectionViewContentSize.width - naive.contentSize.width) < 1e-6,
            abs(layout.collectionViewContentSize.height - naive.contentSize.height) < 1e-6
        else { return "content \(layout.collectionViewContentSize), expected \(naive.contentSize)" }
        func check(_ name: String, _ found: Rect?, _ expected: Rect?) -> String? {
            switch (found, expected) {
            case (nil, nil): nil
            case (let found?, let expected?) where found.isRounded(expected, scale: scale): nil
            default: "\(name) \(found.debugText), expected \(expected.debugText)"
            }
        }
        for (index, section) in naive.sections.enumerated() {
            let path = ItemPath(section: index, item: 0)
            let header = layout.layoutAttributesForSupplementaryView(ofKind: .header, at: path)
            let footer = layout.layoutAttributesForSupplementaryView(ofKind: .footer, at: path)
            if let fault = check("section", layout.frame(ofSection: index), section.frame)
                ?? check("header", header?.frame, section.header)
                ?? check("footer", footer?.frame, section.footer)
            {
                return fault
            }
            for (item, frame) in section.items.enumerated() {
                let path = ItemPath(section: index, item: item)
                if let fault = check("item \(path)", layout.frame(ofItem: path), frame) {
                    return fault
                }
            }
            let end = ItemPath(section: index, item: section.items.count)
            if layout.frame(ofItem: end) != nil { return "an item at \(end)" }
        }
        return nil
    }

    @Test(arguments: 0..<Effort.number(20, usually: 5))
    func aRectangleFindsWhatAScanOfAllFinds(batch: Int) {
        for seed in (batch * 50)..<(batch * 50 + 50) {
            var random = SeededNumbers(seed: UInt64(seed))
            let scenario = FlowScenario(&random)
            let layout = scenario.host.lay(scenario.layout)
            layout.sectionHeadersPinToVisibleBounds = random.chance(0.3)
            layout.sectionFootersPinToVisibleBounds = random.chance(0.3)
            let all = scenario.host.allAttributes(of: layout)
            for _ in 0..<10 {
                let content = layout.collectionViewContentSize
                let rect = Rect(
                    x: Double.random(in: -50...(content.width + 50), using: &random),
                    y: Double.random(in: -50...(content.height + 50), using: &random),
                    width: Double(random.next(below: 300)),
                    height: Double(random.next(below: 300))
                )
                let expected = Set(
                    all.filter { attributes in
                        guard attributes.frame.intersects(rect) else { return false }
                        if attributes.representedElementCategory == .cell { return true }
                        return layout.frame(ofSection: attributes.indexPath.section)?
                            .intersects(rect) == true
                    }
                )
                let found = layout.layoutAttributesForElements(in: rect)
                #expect(Set(found) == expected, "seed \(seed), \(rect)")
                #expect(found.count == expected.count, "seed \(seed), \(rect)")
            }
        }
    }
}
