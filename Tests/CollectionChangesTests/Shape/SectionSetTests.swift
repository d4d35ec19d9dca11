import CollectionChanges
import TestSupport
import Testing

@Suite struct SectionSetTests {
    @Test func neighboursMeltIntoOneRun() {
        var sections: SectionSet = [4, 1, 2]
        sections.insert(contentsOf: 7...9)
        #expect(sections.runs == [1...2, 4...4, 7...9])
        sections.insert(3)
        #expect(sections.runs == [1...4, 7...9])
        #expect(Array(sections) == [1, 2, 3, 4, 7, 8, 9])
    }

    @Test func randomEditsMatchAPlainSet() {
        for seed in UInt64(0)..<Effort.number(300, usually: 100) {
            var generator = SeededNumbers(seed: seed)
            var sections = SectionSet()
            var model: Set<Int> = []
            for _ in 0..<40 {
                let low = Int.random(in: -12...12, using: &generator)
                let range = low...(low + Int.random(in: 0...4, using: &generator))
                switch Int.random(in: 0..<5, using: &generator) {
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
                    let other = SectionSet([low, low + 3] + Array(range))
                    sections = sections.union(other)
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
        if sections.count != model.count { return "count" }
        if (sections.first, sections.last) != (model.min(), model.max()) { return "ends" }
        if sections.isEmpty != model.isEmpty { return "emptiness" }
        for section in -20...20 where sections.contains(section) != model.contains(section) {
            return "membership of \(section)"
        }
        for (run, next) in zip(sections.runs, sections.runs.dropFirst())
        where run.upperBound + 1 >= next.lowerBound { return "runs that touch" }
        if sections != SectionSet(model) { return "equality" }
        return nil
    }

    @Test func extremesAreMembersLikeAnyOther() {
        var sections: SectionSet = [.max, .min, 0]
        #expect(Array(sections) == [.min, 0, .max])
        sections.insert(contentsOf: Int.min...Int.max)
        #expect(sections.runs == [Int.min...Int.max])
        #expect(sections.count == Int.max)
        sections.remove(.max)
        sections.remove(.min)
        sections.remove(0)
        #expect(sections.runs == [(Int.min + 1)...(-1), 1...(Int.max - 1)])
        sections.insert(0)
        sections.insert(.max)
        sections.insert(.min)
        #expect(sections.runs == [Int.min...Int.max])
        #expect(SectionSet([Int.max - 1, Int.max]).runs == [(Int.max - 1)...Int.max])
        #expect(SectionSet([Int.min, Int.min + 1]).runs == [Int.min...(Int.min + 1)])
    }

    @Test func hugeRangesCostOneRun() {
        let closed = SectionSet(0...Int.max)
        let halfOpen = SectionSet(0..<Int.max)
        #expect(closed.runs == [0...Int.max])
        #expect(halfOpen.runs == [0...(Int.max - 1)])
        #expect(closed.count == Int.max && halfOpen.count == Int.max)
        #expect(closed.contains(.max) && !halfOpen.contains(.max))
        #expect(closed.union([-1]).runs == [-1...Int.max])
        #expect(halfOpen.union([.max]) == closed)
        #expect(SectionSet(Int.min...Int.max).union(halfOpen).runs == [Int.min...Int.max])
        #expect(Array(closed.prefix(3)) == [0, 1, 2])
        #expect(closed.description == "{0-\(Int.max)}")
        #expect(closed.underestimatedCount == 1)
    }

    @Test func emptyRangeIsTheEmptySet() {
        #expect(SectionSet(3..<3) == SectionSet())
        #expect(SectionSet().first == nil && SectionSet().last == nil)
        #expect(SectionSet([]).description == "{}")
        #expect(SectionSet([9, 7, 8, 2, 9]).description == "{2 7-9}")
    }
}
