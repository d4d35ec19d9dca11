import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// The sizes that views of a section prefer, against an array of them.
@Suite("Sizes that the views of a section prefer")
struct PreferredSizesTests {
    private func size(_ random: inout SeededNumbers) -> Size {
        Size(width: Double(random.next(below: 5)), height: Double(random.next(below: 5)))
    }

    private func expect(
        _ sizes: PreferredSizes,
        _ model: [Size?],
        _ surroundings: [Size?],
        _ comment: Comment
    ) {
        for item in -1...model.count {
            let expected = model.indices.contains(item) ? model[item] : nil
            #expect(sizes[.cell(ItemPath(section: 4, item: item))] == expected, comment)
        }
        #expect([sizes[.header(1)], sizes[.footer(2)]] == surroundings, comment)
        #expect(sizes[.background(0)] == nil)
        let kind = SupplementaryKind(rawValue: "else")
        let other = LayoutPlace(.supplementary(kind), ItemPath(section: 0, item: 0))
        #expect(sizes[other] == nil)
        #expect(sizes.items.isEmpty || sizes.items.count == model.count, comment)
    }

    @Test func theyFollowTheirItems() {
        for seed in 0..<Effort.number(200, usually: 60) {
            var random = SeededNumbers(seed: UInt64(seed))
            var sizes = PreferredSizes()
            var model = [Size?](repeating: nil, count: random.next(below: 10))
            var surroundings: [Size?] = [nil, nil]
            for step in 0..<12 {
                switch random.next(below: 5) {
                case 0, 1:
                    guard !model.isEmpty else { break }
                    let item = random.next(below: model.count)
                    let preferred = size(&random)
                    model[item] = preferred
                    let place = LayoutPlace.cell(ItemPath(section: 0, item: item))
                    sizes.set(preferred, for: place, itemCount: model.count)
                case 2:
                    let preferred = [size(&random), size(&random)]
                    surroundings = preferred
                    sizes.set(preferred[0], for: .header(0), itemCount: model.count)
                    sizes.set(preferred[1], for: .footer(0), itemCount: model.count)
                    sizes.set(preferred[0], for: .background(0), itemCount: model.count)
                case 3:
                    let room = Double(random.next(below: 6))
                    let direction = ScrollDirection.allCases[random.next(below: 2)]
                    sizes.removeItems(thatFill: room, direction)
                    model = model.map { size in
                        size.flatMap { $0.across(direction) < room ? $0 : nil }
                    }
                default:
                    let removed = model.indices.filter { _ in random.chance(0.2) }
                    let kept = model.indices.filter { !removed.contains($0) }.map { model[$0] }
                    let count = kept.count + random.next(below: 3)
                    let places = (0..<count).shuffled(using: &random)
                    let inserted = places.prefix(count - kept.count).sorted()
                    var known: [Int: Size] = [:]
                    for item in inserted where random.chance(0.4) { known[item] = size(&random) }
                    var rest = kept[...]
                    model = (0..<count).map { item in
                        inserted.contains(item) ? known[item] : rest.removeFirst()
                    }
                    let spans = ItemSpan.spans(removed: removed, inserted: inserted)
                    sizes.replaceItems(spans, known: known, count: count)
                }
                expect(sizes, model, surroundings, "seed \(seed), step \(step)")
            }
        }
    }

    /// Nothing is kept of a section whose views prefer nothing.
    @Test func whileNobodyPrefersAnythingThereIsNothing() {
        var sizes = PreferredSizes()
        sizes.replaceItems([ItemSpan(old: 0..<0, new: 0..<3)], known: [:], count: 3)
        #expect(sizes.items.isEmpty)
        sizes.set(.zero, for: .header(0), itemCount: 3)
        #expect(sizes.items.isEmpty)
        sizes.removeItems(thatFill: 1, .vertical)
        #expect(sizes.items.isEmpty && sizes.header == .zero)
    }
}
