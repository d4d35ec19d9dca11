import TestSupport
import Testing

@testable import CollectionChanges

@Suite struct StretchRopeTests {
    /// What is wrong with a rope for these items.
    private func fault(_ rope: StretchRope, _ model: StretchModel) -> String? {
        let stretches = rope.stretches
        if stretches.flatMap(StretchModel.items) != model.items {
            return "\(stretches) for \(model.items)"
        }
        if stretches.contains(where: { $0.count == 0 }) { return "an empty stretch" }
        if rope.stretchCount != stretches.count { return "counts \(rope.stretchCount)" }
        return nil
    }

    private func isMaximal(_ stretches: [ItemStretch]) -> Bool {
        zip(stretches, stretches.dropFirst()).allSatisfy { !$0.continues(with: $1) }
    }

    // MARK: Short ropes

    /// Draws edits of a rope that fits into one chunk, where every neighbour is known.
    private struct Drawing {
        var random: SeededNumbers
        var model: StretchModel
        /// What is not in the rope now, but may come.
        var outside: [ItemStretch]

        init(seed: UInt64) {
            random = SeededNumbers(seed: seed)
            let home = Int(seed % 3) - 1
            var start = [ItemStretch(oldSection: 5, oldItem: 0, count: 3)]
            start.append(
                home < 0 ? .fresh(6) : ItemStretch(oldSection: home, oldItem: 0, count: 8)
            )
            model = StretchModel(start, home: home)
            outside = (3..<6).map { ItemStretch(oldSection: 5, oldItem: $0, count: 1) }
        }

        mutating func code() -> UInt32 { UInt32(1 + random.next(below: 2)) }

        /// Places for edits, ascending.
        mutating func places(below count: Int, _ rarity: Int) -> [Int] {
            (0..<count).filter { _ in random.isTrue(oneIn: rarity) }
        }

        /// Something that comes: new, moved, or replaced on its way.
        mutating func arrival() -> ItemStretch {
            let code = code()
            if outside.isEmpty || random.isTrue(oneIn: 4) {
                return .fresh(1, ItemStretch.History(arrival: code))
            }
            var item = outside.remove(at: random.next(below: outside.count))
            if random.isTrue(oneIn: 6) { item.replace(code) } else { item.history.arrival = code }
            return item
        }

        /// Often beside what it was beside at the start.
        mutating func place(for item: ItemStretch) -> Int {
            let items = model.items
            if random.isTrue(oneIn: 4) { return random.next(below: items.count + 1) }
            if item.isFresh { return (items.firstIndex { $0.isFresh } ?? items.count - 1) + 1 }
            let before = items.firstIndex {
                $0.oldSection == item.oldSection && $0.oldItem == item.oldItem - 1
            }
            if let before, random.isTrue(oneIn: 2) { return before + 1 }
            return items.firstIndex {
                $0.oldSection == item.oldSection && $0.oldItem == item.oldItem + 1
            } ?? items.count
        }
    }

    @Test func editsOfAShortRopeAreThoseOfItsItems() {
        for seed in 0..<UInt64(Effort.number(400, usually: 60)) {
            var drawing = Drawing(seed: seed)
            let home = drawing.model.home
            var rope = StretchRope(drawing.model.items)
            // Written anew, so that equal neighbours are one.
            rope.reconfigure(at: [], [])
            for step in 0..<30 {
                let count = drawing.model.items.count
                switch drawing.random.next(below: 6) {
                case 0 where count > 0:
                    let place = drawing.random.next(below: count)
                    let removed = drawing.model.remove(at: place)
                    #expect(rope.remove(at: place) == removed, "seed \(seed), step \(step)")
                    if !removed.isFresh { drawing.outside.append(removed) }
                case 1:
                    let places = drawing.places(below: count, 3)
                    let removed = places.reversed().map { drawing.model.remove(at: $0) }
                    #expect(rope.remove(at: places) == removed.reversed(), "seed \(seed)")
                    drawing.outside += removed.filter { !$0.isFresh }
                case 2:
                    let places = drawing.places(below: count, 4)
                    let codes = places.map { _ in drawing.code() }
                    for (place, code) in zip(places, codes) {
                        drawing.model.reconfigure(at: place, code)
                    }
                    rope.reconfigure(at: places, codes)
                case 3 where count < 12:
                    var places = Array(drawing.places(below: count + 1, 3).prefix(10))
                    // Further ones follow directly.
                    if let last = places.last, drawing.random.isTrue(oneIn: 2) {
                        places.append(last + 1)
                    }
                    let arrivals = places.map { _ in drawing.arrival() }
                    drawing.model.insert(arrivals, at: places)
                    rope.insert(arrivals, at: places, home: home)
                case _ where count < 20:
                    let arrival = drawing.arrival()
                    let place = drawing.place(for: arrival)
                    drawing.model.insert([arrival], at: [place])
                    rope.insert(arrival, at: place, home: home)
                default: continue
                }
                #expect(fault(rope, drawing.model) == nil, "seed \(seed), step \(step)")
                #expect(isMaximal(rope.stretches), "seed \(seed), step \(step)")
            }
        }
    }

    @Test func whatComesBackBesideWhatNeverMovedHasNotMoved() {
        let moved = ItemStretch.History(arrival: 2)
        for gap in 0..<8 {
            for length in 1...3 where gap + length <= 8 {
                var model = StretchModel(
                    [ItemStretch(oldSection: 0, oldItem: 0, count: 8)],
                    home: 0
                )
                for _ in 0..<length { _ = model.remove(at: gap) }
                for strangers in 0..<4 {
                    var (model, rope) = (model, StretchRope(model.items))
                    rope.reconfigure(at: [], [])
                    var arrivals = (gap..<(gap + length)).map {
                        ItemStretch(oldSection: 0, oldItem: $0, count: 1, history: moved)
                    }
                    let stranger = ItemStretch.fresh(1, moved)
                    if strangers & 1 == 1 { arrivals.insert(stranger, at: 0) }
                    if strangers & 2 == 2 { arrivals.append(stranger) }
                    let places = Array(gap..<(gap + arrivals.count))
                    var (oneByOne, other) = (rope, model)
                    model.insert(arrivals, at: places)
                    rope.insert(arrivals, at: places, home: 0)
                    #expect(fault(rope, model) == nil, "\(gap), \(length), \(strangers)")
                    #expect(isMaximal(rope.stretches), "\(gap), \(length), \(strangers)")
                    for (arrival, place) in zip(arrivals, places) {
                        other.insert([arrival], at: [place])
                        oneByOne.insert(arrival, at: place, home: 0)
                    }
                    #expect(fault(oneByOne, other) == nil, "\(gap), \(length), \(strangers)")
                    #expect(isMaximal(oneByOne.stretches), "\(gap), \(length), \(strangers)")
                }
            }
        }
    }

    @Test func whatComesIntoAStretchIsOneWithItOnlyWhereBothAreNewAndAlike() {
        let histories = [1, 2].map { ItemStretch.History(arrival: $0) }
        let wholes = histories.flatMap {
            [.fresh(3, $0), ItemStretch(oldSection: 4, oldItem: 0, count: 3, history: $0)]
        }
        let arrivals = histories.flatMap {
            [.fresh(1, $0), ItemStretch(oldSection: 5, oldItem: 0, count: 1, history: $0)]
        }
        for whole in wholes {
            for arrival in arrivals {
                for place in 0...3 {
                    var model = StretchModel([whole], home: 0)
                    model.insert([arrival], at: [place])
                    var (rope, oneByOne) = (StretchRope(whole), StretchRope(whole))
                    rope.insert([arrival], at: [place], home: 0)
                    oneByOne.insert(arrival, at: place, home: 0)
                    for rope in [rope, oneByOne] {
                        #expect(fault(rope, model) == nil, "\(arrival) into \(whole)")
                        #expect(isMaximal(rope.stretches), "\(arrival) into \(whole)")
                    }
                }
            }
        }
    }

    @Test func aRopeOfNothingHasNoStretch() {
        #expect(StretchRope(.fresh(0)).stretches.isEmpty)
        for (count, stretches) in [(0, 0), (1, 1), (2, 1), (3, 1)] {
            #expect(StretchRope(.fresh(count)).stretchCount == stretches)
        }
        var rope = StretchRope(.fresh(3))
        #expect(rope.remove(at: [0, 1, 2]) == Array(repeating: .fresh(1), count: 3))
        #expect(rope.stretches.isEmpty && rope.stretchCount == 0)
        rope.insert(.fresh(2), at: 0, home: -1)
        #expect(rope.stretches == [.fresh(2)] && rope.stretchCount == 1)
    }

    // MARK: Long ropes

    /// The chunks of a rope that single edits were made in.
    private func chunks(_ rope: StretchRope) -> [[ItemStretch]] {
        Mirror(reflecting: rope).descendant("chunks") as? [[ItemStretch]] ?? []
    }

    /// What is wrong with how a rope is cut, on which the cost of a single edit depends.
    private func faultOfChunks(_ rope: StretchRope) -> String? {
        let lengths = chunks(rope).map(\.count)
        if lengths.contains(0) { return "an empty chunk in \(lengths)" }
        if lengths.contains(where: { $0 > 32 }) { return "a long chunk in \(lengths)" }
        let hasCrumbs = zip(lengths, lengths.dropFirst()).contains { $0 + $1 < 4 }
        return hasCrumbs ? "two very short chunks in \(lengths)" : nil
    }

    /// Old items with a new one behind each.
    private func alternatingRow() -> [ItemStretch] {
        (0..<110).flatMap { item -> [ItemStretch] in
            let new = ItemStretch.fresh(1, ItemStretch.History(arrival: 1))
            return [ItemStretch(oldSection: 0, oldItem: item, count: 1), new]
        }
    }

    @Test(arguments: [(0, 1), (1, 0), (1, 2), (2, 1), (7, 8), (8, 7), (8, 9), (9, 8)])
    func chunksThatShrinkOneAfterTheOtherAreJoined(_ first: Int, _ second: Int) {
        let row = alternatingRow()
        var (rope, model) = (StretchRope(row), StretchModel(row, home: 0))
        for chunk in [first, second] {
            // The old items of a chunk of 24 stretches; without the new ones they are one.
            for old in (12 * chunk)..<min(12 * chunk + 12, 110) {
                let place = model.items.firstIndex { $0.oldItem == old && !$0.isFresh }
                guard let place else { continue }
                let removed = model.remove(at: place + 1)
                #expect(rope.remove(at: place + 1) == removed)
                #expect(faultOfChunks(rope) == nil, "\(old)")
                #expect(fault(rope, model) == nil, "\(old)")
            }
        }
        #expect(chunks(rope).allSatisfy(isMaximal))
    }

    private enum LongEdit: CaseIterable { case removal, freshRemoval, insertion, rowInsertion }

    @Test func editsOfALongRopeAreThoseOfItsItems() {
        for seed in 0..<UInt64(Effort.number(60, usually: 8)) {
            var random = SeededNumbers(seed: seed)
            let row = alternatingRow()
            var (rope, model) = (StretchRope(row), StretchModel(row, home: 0))
            // Those that come are of another section: whether one settles depends on the chunk's bounds.
            var strangers = 0
            for step in 0..<40 {
                // Many edits near one place, so that a chunk grows or shrinks while those beside it do not.
                let isAtStart = random.isTrue(oneIn: 8)
                var place = isAtStart ? 0 : random.next(below: model.items.count + 1)
                var edit = LongEdit.allCases[random.next(below: 4)]
                if model.items.count < 90 { edit = .insertion }
                for _ in 0..<random.next(below: 70) {
                    switch edit {
                    case .removal, .freshRemoval:
                        if edit == .freshRemoval {
                            while place < model.items.count, !model.items[place].isFresh {
                                place += 1
                            }
                        }
                        guard place < model.items.count else { continue }
                        let removed = model.remove(at: place)
                        #expect(rope.remove(at: place) == removed, "seed \(seed), step \(step)")
                    case .insertion, .rowInsertion:
                        let history = ItemStretch.History(arrival: UInt32(1 + strangers % 3 / 2))
                        let isFresh = random.isTrue(oneIn: 4)
                        let arrival =
                            isFresh
                            ? ItemStretch.fresh(1, history)
                            : ItemStretch(
                                oldSection: 7,
                                oldItem: strangers,
                                count: 1,
                                history: history
                            )
                        strangers += 1
                        model.insert([arrival], at: [place])
                        rope.insert(arrival, at: place, home: 0)
                        if edit == .rowInsertion { place += 1 }
                    }
                    #expect(faultOfChunks(rope) == nil, "seed \(seed), step \(step)")
                }
                #expect(fault(rope, model) == nil, "seed \(seed), step \(step)")
                #expect(chunks(rope).allSatisfy(isMaximal), "seed \(seed), step \(step)")
            }
            #expect(!chunks(rope).isEmpty, "seed \(seed)")
        }
    }

    @Test func onePassIsForManyEditsOnly() {
        let short = StretchRope(.fresh(1_000))
        let long = StretchRope((0..<2_000).map { ItemStretch.fresh(1 + $0 % 2) })
        #expect(!short.isWorthwhile(forEdits: 1))
        #expect(short.isWorthwhile(forEdits: 100))
        #expect(!long.isWorthwhile(forEdits: 1))
        #expect(!long.isWorthwhile(forEdits: 20))
        #expect(long.isWorthwhile(forEdits: 1_000))
    }
}
