import TestSupport
import Testing

@testable import CollectionChanges

/// Compares section sets with sets and arrays of integers.
@Suite struct SectionSetTests {
    @Test func randomEditsMatchAPlainSet() {
        for seed in UInt64(0)..<Effort.number(300, usually: 100) {
            var random = SeededNumbers(seed: seed)
            var sections = SectionSet()
            var model: Set<Int> = []
            for _ in 0..<40 {
                let low = random.next(below: 25) - 12
                let range = low...(low + random.next(below: 5))
                switch random.next(below: 5) {
                case 0:
                    sections.insert(low)
                    model.insert(low)
                case 1:
                    sections.insert(contentsOf: range)
                    model.formUnion(range)
                case 2, 3:
                    sections.remove(low)
                    model.remove(low)
                default:
                    sections = sections.union(SectionSet([low, low + 3] + Array(range)))
                    model.formUnion([low, low + 3] + Array(range))
                }
                if let fault = difference(sections, model) {
                    Issue.record("seed \(seed): \(fault), \(sections), \(model.sorted())")
                }
            }
        }
    }

    private func difference(_ sections: SectionSet, _ model: Set<Int>) -> String? {
        if Array(sections) != model.sorted() { return "members" }
        if sections.count != model.count || sections.isEmpty != model.isEmpty { return "count" }
        if (sections.first, sections.last) != (model.min(), model.max()) { return "ends" }
        for section in -20...20 where sections.contains(section) != model.contains(section) {
            return "membership of \(section)"
        }
        for (run, next) in zip(sections.runs, sections.runs.dropFirst())
        where run.upperBound + 1 >= next.lowerBound { return "runs that touch" }
        return sections == SectionSet(model) ? nil : "equality"
    }

    /// Every subset of a few sections around zero, split by every range.
    @Test func partsInsideAndOutsideARangeMatchTheArray() {
        let every = (0..<(1 << 7)).map { mask in (-3...3).filter { mask & (1 << ($0 + 3)) != 0 } }
        for members in every {
            let set = SectionSet(members)
            for lower in -2...3 {
                for upper in lower...4 {
                    let inside = members.filter((lower..<upper).contains)
                    let outside = members.filter { !(lower..<upper).contains($0) }
                    let isRight =
                        set.runs(in: lower..<upper).flatMap { Array($0) } == inside
                        && set.runs(outside: lower..<upper).flatMap { Array($0) } == outside
                    if !isRight { Issue.record("\(set), \(lower)..<\(upper)") }
                }
            }
            for others in every {
                let common = set.firstMember(alsoIn: SectionSet(others))
                if common != members.first(where: others.contains) {
                    Issue.record("\(members), \(others): \(String(describing: common))")
                }
            }
        }
    }

    @Test func extremesAreOrdinaryMembersAndHugeRangesAreOneRun() {
        var sections: SectionSet = [.max, .min, 0]
        #expect(Array(sections) == [.min, 0, .max])
        sections.insert(contentsOf: Int.min...Int.max)
        #expect(sections.runs == [Int.min...Int.max] && sections.count == Int.max)
        for section in [Int.max, .min, 0] { sections.remove(section) }
        #expect(sections.runs == [(Int.min + 1)...(-1), 1...(Int.max - 1)])
        for section in [0, Int.max, .min] { sections.insert(section) }
        #expect(sections.runs == [Int.min...Int.max])
        let (closed, halfOpen) = (SectionSet(0...Int.max), SectionSet(0..<Int.max))
        #expect(closed.runs == [0...Int.max] && halfOpen.runs == [0...(Int.max - 1)])
        #expect(closed.count == Int.max && halfOpen.count == Int.max)
        #expect(closed.contains(.max) && !halfOpen.contains(.max))
        #expect(closed.union([-1]).runs == [-1...Int.max] && halfOpen.union([.max]) == closed)
        #expect(Array(closed.prefix(3)) == [0, 1, 2] && closed.underestimatedCount == 1)
        #expect(closed.description == "{0-\(Int.max)}" && SectionSet(3..<3) == SectionSet())
        #expect(SectionSet([4, 1, 2]).description == "{1-2 4}")
    }

    // MARK: Mappings

    @Test func everySmallMappingMatchesTheArray() {
        for oldCount in 0...5 {
            for masks in 0..<(1 << (oldCount + 6)) {
                let deleted = (0..<oldCount).filter { masks & (1 << $0) != 0 }
                let inserted = (0..<6).filter { masks & (1 << ($0 + oldCount)) != 0 }
                var array: [Int?] = (0..<oldCount).filter { !deleted.contains($0) }
                guard inserted.allSatisfy({ $0 < array.count + inserted.count }) else { continue }
                for index in inserted { array.insert(nil, at: index) }
                let mapping = IndexMapping(
                    oldCount: oldCount,
                    newCount: array.count,
                    removed: deleted,
                    inserted: inserted,
                    moves: []
                )
                let isSame = deleted.isEmpty && array.count == oldCount
                var isRight = mapping.newCount == array.count && mapping.isIdentity == isSame
                for index in [.min, .max] + Array(-1...oldCount)
                where mapping.newIndex(for: index) != array.firstIndex(of: index) {
                    isRight = false
                }
                for index in [.min, .max] + Array(-1...array.count) {
                    let expected = array.indices.contains(index) ? array[index] : nil
                    if mapping.oldIndex(for: index) != expected { isRight = false }
                }
                if !isRight { Issue.record("\(oldCount), \(deleted), \(inserted)") }
            }
        }
    }
}
