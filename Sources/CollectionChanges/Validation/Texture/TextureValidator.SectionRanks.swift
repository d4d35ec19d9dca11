extension TextureValidator {
    /// Rank and select over a set of sections that is kept as runs, so that a set may reach to
    /// `Int.max` and still cost no more than its runs. Negative members are left out.
    ///
    /// Complexity: O(r) to make, O(log r) a query, for r runs.
    struct SectionRanks {
        private let runs: [ClosedRange<Int>]
        /// How many members lie below each run, and at the end how many there are in all.
        private let membersBelow: [Int]

        init(_ set: SectionSet) {
            runs = set.runs.compactMap {
                $0.upperBound < 0 ? nil : Swift.max(0, $0.lowerBound)...$0.upperBound
            }
            var membersBelow = [0]
            membersBelow.reserveCapacity(runs.count + 1)
            for run in runs {
                // Non-negative members below an index are never more than the index itself; only
                // the sum over all, where it includes 0 and `Int.max`, is one too many.
                let (length, overflows) = (run.upperBound - run.lowerBound)
                    .addingReportingOverflow(1)
                let below = membersBelow[membersBelow.count - 1]
                membersBelow.append(overflows ? Int.max : below + length)
            }
            self.membersBelow = membersBelow
        }

        /// How many members are below `section`.
        func rank(of section: Int) -> Int {
            let position = partitionPoint(runs.count) { runs[$0].upperBound >= section }
            guard position < runs.count, runs[position].lowerBound < section else {
                return membersBelow[position]
            }
            return membersBelow[position] + (section - runs[position].lowerBound)
        }

        /// The index that has `rank` non-negative indexes below it that are no members; `Int.max`
        /// where there is none.
        func nonMember(rank: Int) -> Int {
            let position = partitionPoint(runs.count) {
                runs[$0].lowerBound - membersBelow[$0] > rank
            }
            let (index, overflows) = rank.addingReportingOverflow(membersBelow[position])
            return overflows ? Int.max : index
        }
    }
}
