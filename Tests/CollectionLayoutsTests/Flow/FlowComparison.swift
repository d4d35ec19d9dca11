import CollectionLayouts
import TestSupport

/// Random inputs of flow layouts, and what is compared of two of them.
struct FlowScenario {
    let host: ScriptedHost
    let layout: FlowLayout

    /// Sizes are eighths, which add up without a rounding error.
    init(_ random: inout SeededNumbers) {
        let sectionCount = random.next(below: 5)
        let host = ScriptedHost(
            width: Double(random.next(below: 400) + 1),
            height: Double(random.next(below: 400) + 1)
        )
        layout = FlowLayout()
        if random.chance(0.4) { layout.scrollDirection = .horizontal }
        host.isRightToLeft = random.chance(0.3)
        host.displayScale = [1, 2, 3][random.next(below: 3)]
        if random.chance(0.3) { host.adjustedContentInset = Self.inset(&random, 30) }
        if random.chance(0.3) {
            host.safeAreaInsets = Self.inset(&random, 20)
            host.layoutMargins = Self.inset(&random, 20)
            layout.sectionInsetReference = random.chance(0.5) ? .fromSafeArea : .fromLayoutMargins
        }
        for _ in 0..<sectionCount { host.sections.append(Self.section(&random)) }
        self.host = host
    }

    static func section(_ random: inout SeededNumbers) -> ScriptedSection {
        var section = ScriptedSection()
        let count = [0, 1, 2, 3, 7, 20, 60][random.next(below: 7)]
        let kind = random.next(below: 4)
        let size = self.size(&random, kind)
        for _ in 0..<count {
            section.items.append(kind == 0 ? size : self.size(&random, kind))
        }
        if random.chance(0.5) { section.inset = inset(&random, 40) }
        if random.chance(0.5) { section.line = Double(random.next(below: 100)) / 8 }
        if random.chance(0.5) { section.interitem = Double(random.next(below: 100)) / 8 }
        if random.chance(0.4) { section.header = Double(random.next(below: 40)) }
        if random.chance(0.4) { section.footer = Double(random.next(below: 40)) }
        return section
    }

    static func size(_ random: inout SeededNumbers, _ kind: Int) -> Size {
        if kind == 3, random.chance(0.1) { return .zero }
        let limit = kind == 1 ? 3 : kind == 2 ? 160 : 400
        return Size(
            width: Double(random.next(below: limit * 8) + 1) / 8,
            height: Double(random.next(below: limit * 8) + 1) / 8
        )
    }

    static func inset(_ random: inout SeededNumbers, _ limit: Int) -> EdgeInsets {
        EdgeInsets(
            top: Double(random.next(below: limit)),
            left: Double(random.next(below: limit)),
            bottom: Double(random.next(below: limit)),
            right: Double(random.next(below: limit))
        )
    }
}

extension Rect {
    /// Whether this is `exact` with its origin rounded to pixels, but for what is lost when fractions
    /// are added in another order.
    func isRounded(_ exact: Rect, scale: Double) -> Bool {
        func isRounded(_ found: Double, _ exact: Double) -> Bool {
            [exact - 1e-7, exact + 1e-7].contains {
                abs(($0 * scale).rounded() / scale - found) < 1e-9
            }
        }
        return isRounded(minX, exact.minX) && isRounded(minY, exact.minY)
            && abs(size.width - exact.size.width) < 1e-6
            && abs(size.height - exact.size.height) < 1e-6
    }
}

extension FlowLayout {
    /// Everything that queries by path can say, as one text.
    func everything(in host: ScriptedHost) -> [String] {
        var lines = ["content \(collectionViewContentSize)"]
        for (section, scripted) in host.sections.enumerated() {
            lines.append("section \(section) \(frame(ofSection: section).debugText)")
            for kind in [SupplementaryKind.header, .footer] {
                let path = ItemPath(section: section, item: 0)
                let frame = layoutAttributesForSupplementaryView(ofKind: kind, at: path)?.frame
                lines.append("\(kind) \(section) \(frame.debugText)")
            }
            for item in scripted.items.indices {
                let path = ItemPath(section: section, item: item)
                lines.append("item \(path) \(frame(ofItem: path).debugText)")
            }
        }
        return lines
    }
}

extension Rect? {
    var debugText: String { map(\.description) ?? "none" }
}
