import Testing

@testable import git_timelapse

@Suite struct SortedArrayTests {
    @Test func everySmallEditGivesWhatOneByOneGives() {
        // Sizes on both sides of the threshold, by all subsets of what goes and comes.
        for count in [0, 1, 3, 6] {
            for goingMask in 0..<(1 << count) {
                for comingMask in 0..<(1 << 6) {
                    check(count: count, going: goingMask, coming: comingMask)
                }
            }
        }
    }

    private func check(count: Int, going goingMask: Int, coming comingMask: Int) {
        let going = (0..<count).filter { goingMask >> $0 & 1 == 1 }
        let newCount = count - going.count + comingMask.nonzeroBitCount
        let coming = (0..<6).filter { comingMask >> $0 & 1 == 1 && $0 < newCount }
        // An index past what is there then would leave a gap.
        guard coming.count == comingMask.nonzeroBitCount else { return }
        var expected = Array(0..<count)
        for index in going.reversed() { expected.remove(at: index) }
        for index in coming {
            guard index <= expected.count else { return }
            expected.insert(100 + index, at: index)
        }
        var edited = Array(0..<count)
        edited.edit(removing: going, inserting: coming.map { ($0, 100 + $0) })
        #expect(edited == expected, "\(count) \(going) \(coming)")
    }

    @Test func eightEditsAreMadeInPlaceAndMoreInOnePass() {
        for removals in 0...12 {
            for insertions in 0...(12 - removals) {
                var array = Array(0..<20)
                array.reserveCapacity(100)
                let before = array.withUnsafeBufferPointer(\.baseAddress)
                array.edit(
                    removing: Array(0..<removals),
                    inserting: (0..<insertions).map { ($0, $0) }
                )
                let isSame = array.withUnsafeBufferPointer { $0.baseAddress == before }
                #expect(isSame == (removals + insertions <= 8), "\(removals) \(insertions)")
            }
        }
    }

    @Test func binarySearchFindsWhatIsThereAndNothingElse() {
        for count in 0..<9 {
            let values = (0..<count).map { 2 * $0 }
            for value in -1...(2 * count + 1) {
                #expect(
                    values.sortedIndex(of: value, by: \.self) == values.firstIndex(of: value)
                )
            }
        }
    }
}
