import Testing

@testable import CollectionChanges

@Suite struct ItemStretchTests {
    private static let states: [ItemStretch.History.State] = [
        .untouched, .reconfigured, .replaced,
    ]
    private static let codes: [UInt32] = [0, 1, 2, 3, 6, 0x7FFF_FFFF]

    @Test func eachPartOfAHistoryIsSetByItself() {
        for state in Self.states {
            for arrival in Self.codes {
                for update in Self.codes {
                    for other in Self.codes {
                        // Over what was there before, and beside what is set afterwards.
                        for before in Self.states {
                            var history = ItemStretch.History(state: before, arrival: other)
                            history.update = other
                            history.arrival = arrival
                            history.state = state
                            history.update = update
                            #expect(history.state == state)
                            #expect(history.arrival == arrival)
                            #expect(history.update == update)
                            var settled = history
                            settled.arrival = 0
                            #expect(settled.arrival == 0)
                            #expect(settled.state == state && settled.update == update)
                            settled.state = before
                            #expect(settled.arrival == 0 && settled.update == update)
                        }
                    }
                }
            }
        }
    }

    @Test func fewerNewItemsAreAPartOfMore() {
        #expect(ItemStretch.fresh(5).part(2, 3) == .fresh(3))
        #expect(ItemStretch.fresh(5).part(0, 1) == .fresh(1))
        let old = ItemStretch(oldSection: 1, oldItem: 4, count: 5)
        #expect(old.part(2, 3) == ItemStretch(oldSection: 1, oldItem: 6, count: 3))
        #expect(old.part(0, 2).continues(with: old.part(2, 3)))
        #expect(!old.part(0, 2).continues(with: old.part(3, 2)))
        #expect(ItemStretch.fresh(2).continues(with: .fresh(7)))
    }

    @Test func whatIsNewStaysNewWithTheLaterOption() {
        let expected = ItemStretch.fresh(1, ItemStretch.History(arrival: 3))
        var item = ItemStretch.fresh(1, ItemStretch.History(arrival: 2))
        item.replace(3)
        #expect(item == expected)
        item = ItemStretch.fresh(1, ItemStretch.History(arrival: 2))
        item.reconfigure(3)
        #expect(item == expected)
    }

    @Test func whatIsReplacedStaysThatWithTheLaterOption() {
        var item = ItemStretch(oldSection: 0, oldItem: 1, count: 1)
        item.reconfigure(2)
        #expect(item.isKept && item.history.state == .reconfigured && item.history.update == 2)
        item.replace(3)
        #expect(!item.isKept && item.history == ItemStretch.History(state: .replaced, arrival: 3))
        item.reconfigure(4)
        #expect(!item.isKept && item.history == ItemStretch.History(state: .replaced, arrival: 4))
    }

    @Test func anOptionHasOneNumberHoweverOftenItOccurs() {
        var codes = OptionCodes()
        let options: [AnimationOption] = [.fade, .automatic, .top, .none]
        let numbers = options.map { codes.code(of: $0) }
        #expect(Set(numbers).count == options.count && !numbers.contains(0))
        for _ in 0..<3 {
            #expect(options.map { codes.code(of: $0) } == numbers)
            #expect(numbers.map { codes.option(of: $0) } == options)
        }
        #expect(codes.option(of: 0) == .automatic)
    }
}
