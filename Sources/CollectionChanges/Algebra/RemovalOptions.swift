/// The options with which items and sections of the start were deleted, where they are not the default.
struct RemovalOptions {
    fileprivate struct Run {
        var items: Range<Int>
        var animation: AnimationOption
    }

    // By section of the start, so that those of a section that goes go with it. Never iterated.
    private var items: [Int: [Run]] = [:]
    private var sections: [Int: AnimationOption] = [:]

    /// Notes that items were deleted which were there at the start; what else there is in `stretch` is left out.
    mutating func note(_ stretch: ItemStretch, _ animation: AnimationOption) {
        guard !stretch.isFresh, animation != .automatic else { return }
        let run = Run(
            items: stretch.oldItem..<(stretch.oldItem + stretch.count),
            animation: animation
        )
        items[stretch.oldSection, default: []].append(run)
    }

    /// Notes that a section of the start is gone, and so what is known of items that were in it is of no use.
    mutating func note(section: Int, _ animation: AnimationOption) {
        if !items.isEmpty { items[section] = nil }
        if animation != .automatic { sections[section] = animation }
    }

    func animation(ofSection section: Int) -> AnimationOption { sections[section] ?? .automatic }

    /// The options of the items of one section.
    func items(ofSection section: Int) -> Items {
        guard let runs = items[section] else { return Items(runs: []) }
        return Items(runs: runs.sorted { $0.items.lowerBound < $1.items.lowerBound })
    }

    struct Items {
        fileprivate let runs: [Run]

        func animation(of item: Int) -> AnimationOption {
            let position = partitionPoint(runs.count) { runs[$0].items.upperBound > item }
            guard position < runs.count, runs[position].items.contains(item) else {
                return .automatic
            }
            return runs[position].animation
        }
    }
}
