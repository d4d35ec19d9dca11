/// Makes a state of the list of each sample: grouped, and ranked by what each process used since the sample before.
///
/// A value of one task.
struct ProcessRanking {
    /// What a section is.
    package enum Grouping: String, CaseIterable, Sendable {
        case user, state
    }

    let grouping: Grouping
    /// How many ticks a processor has in a second.
    let ticksPerSecond: Double
    private var former: [Int: (start: UInt64, ticks: UInt64)] = [:]

    init(grouping: Grouping, ticksPerSecond: Double = 100) {
        self.grouping = grouping
        self.ticksPerSecond = ticksPerSecond
    }

    /// The state after a sample that was taken so many seconds after the one before.
    mutating func state(of samples: [ProcessSample], seconds: Double) -> ListState {
        var groups: [String: [(tenths: Int, id: Int, row: ListRow)]] = [:]
        var latest: [Int: (start: UInt64, ticks: UInt64)] = [:]
        for sample in samples {
            let tenths = sample.cpuTenths ?? tenthsUsed(by: sample, in: seconds)
            if let ticks = sample.ticks { latest[sample.id] = (sample.start, ticks) }
            let content = ProcessRow(
                name: sample.name,
                command: sample.command,
                user: sample.user,
                state: sample.state,
                cpuTenths: tenths,
                megabytes: sample.residentBytes / 1_000_000,
                threads: sample.threads
            )
            let row = ListRow(id: "\(sample.id)", content: .process(content))
            let group = grouping == .user ? sample.user : sample.state.rawValue
            groups[group, default: []].append((tenths, sample.id, row))
        }
        former = latest
        let sections = groups.sorted { $0.key < $1.key }.map { group, members in
            let ranked = members.sorted {
                ($0.tenths, $1.id) > ($1.tenths, $0.id)
            }
            let total = members.reduce(0) { $0 + $1.tenths }
            let header = ListHeader(
                list: "processes",
                id: group,
                title: grouping == .user
                    ? group : ProcessRow.State(rawValue: group)?.title ?? group,
                count: members.count,
                total: "\(Units.tenths(total)) %"
            )
            return (header, ranked.map(\.row))
        }
        return ListState(sections)
    }

    /// Nothing for a process that is seen for the first time: nobody knows when it used what it has used.
    private func tenthsUsed(by sample: ProcessSample, in seconds: Double) -> Int {
        guard let ticks = sample.ticks, let before = former[sample.id],
            before.start == sample.start, ticks >= before.ticks, seconds > 0
        else { return 0 }
        let share = Double(ticks - before.ticks) / (ticksPerSecond * seconds)
        return Int((min(share, 1_000_000) * 1000).rounded())
    }
}
