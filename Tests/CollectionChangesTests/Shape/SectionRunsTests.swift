import Testing

@testable import CollectionChanges

/// Sets by their runs, against plain arrays of members: every small set.
@Suite struct SectionRunsTests {
    /// Every subset of a few sections about zero.
    private static let every: [[Int]] = (0..<(1 << 7)).map { mask in
        (-3...3).filter { mask & (1 << ($0 + 3)) != 0 }
    }

    @Test func membersInAndOutsideOfARangeAreThoseOfTheArray() {
        for members in Self.every {
            let set = SectionSet(members)
            for lower in -2...3 {
                for upper in lower...4 {
                    let range = lower..<upper
                    let inside = members.filter(range.contains)
                    let outside = members.filter { !range.contains($0) }
                    let isRight =
                        set.members(in: range) == inside
                        && set.runs(in: range).flatMap { Array($0) } == inside
                        && set.runs(outside: range).flatMap { Array($0) } == outside
                    if !isRight { Issue.record("\(set), \(range)") }
                    if lower == upper { continue }
                    let closed = lower...(upper - 1)
                    if set.lowestMember(in: closed) != inside.first {
                        Issue.record("\(set), \(closed)")
                    }
                }
            }
            for count in 0...5 {
                let lowest = members.first { !(0..<count).contains($0) }
                if set.lowestMember(outside: count) != lowest { Issue.record("\(set), \(count)") }
            }
        }
    }

    @Test func firstCommonMemberIsThatOfTheArrays() {
        for members in Self.every {
            for others in Self.every {
                let common = SectionSet(members).firstMember(alsoIn: SectionSet(others))
                if common != members.first(where: others.contains) {
                    Issue.record("\(members), \(others): \(String(describing: common))")
                }
            }
        }
    }

    @Test func runsUniteInAnyOrder() {
        let runs = [5...7, 1...2, 6...9, 3...3, -4...(-4), 8...8]
        let members = Set(runs.flatMap { Array($0) })
        for first in runs.indices {
            let rotated = Array(runs[first...] + runs[..<first])
            #expect(SectionSet(uniting: rotated) == SectionSet(members))
            #expect(SectionSet(uniting: rotated.reversed()) == SectionSet(members))
        }
    }

    @Test func ranksCountMembersFromZeroOn() {
        for members in Self.every {
            let ranks = TextureValidator.SectionRanks(SectionSet(members))
            let counted = members.filter { $0 >= 0 }
            for section in 0...6 {
                if ranks.rank(of: section) != counted.count(where: { $0 < section }) {
                    Issue.record("rank of \(section) in \(members)")
                }
            }
            let free = (0...20).filter { !counted.contains($0) }
            for rank in 0...6 where ranks.nonMember(rank: rank) != free[rank] {
                Issue.record("free \(rank) in \(members)")
            }
        }
    }

    @Test func ranksOfSetsWithoutEndStayIntegers() {
        let all = TextureValidator.SectionRanks(SectionSet(0...Int.max))
        #expect(all.rank(of: .max) == .max)
        #expect(all.nonMember(rank: 0) == .max)
        let allButOne = TextureValidator.SectionRanks(SectionSet(1...Int.max))
        #expect(allButOne.nonMember(rank: 0) == 0)
        #expect(allButOne.nonMember(rank: 1) == .max)
        let negative = TextureValidator.SectionRanks(SectionSet(Int.min...(-1)))
        #expect(negative.rank(of: 5) == 0 && negative.nonMember(rank: 5) == 5)
    }

    /// Each claim overlaps all others, and every search for a free stretch begins at the same one.
    @Test func manyOverlappingClaimsCostTheirNumber() {
        let count = 100_000
        let claims = (0..<count).map { index in
            TextureValidator.SectionClaim(
                sections: 0...(count - 1 - index),
                operation: index,
                animation: .none
            )
        }
        let resolved = claims.lastOfEachSection()
        #expect(resolved.map(\.operation) == (0..<count).reversed())
    }

    @Test func insertsWithoutEndLeaveAMappingAsItIs() {
        // More than can be counted, and more than can be added to what is there.
        for inserted in [SectionSet(0...Int.max), SectionSet(1...Int.max)] {
            let mapping = IndexMapping(oldCount: 3, deleted: [], inserted: inserted)
            #expect(mapping.isIdentity && mapping.newCount == 3)
        }
    }

    @Test func tallyHasOneEntryForEachRunOfASection() {
        var tallies = [SectionTally(section: 9, count: 9)]
        tallies.append(countsOf: [0, 0, 1, 3, 3, 3]) { $0 }
        #expect(tallies.map(\.section) == [9, 0, 1, 3])
        #expect(tallies.map(\.count) == [9, 2, 1, 3])
    }
}
