import PersistentTrees

/// Lines of items the long way, by the letter of the rules.
struct NaiveLines {
    let sizes: [(along: Double, across: Double)]
    let total: Double
    let before: Double
    let both: Double
    let line: Double
    let interitem: Double

    private var available: Double { total - both }
    private var isGrid: Bool { sizes.allSatisfy { $0 == sizes[0] } }

    /// How many equal items stand side by side, by trying.
    private var gridCount: Int {
        var count = 1
        while Double(count + 1) * sizes[0].across + Double(count) * interitem <= available,
            count < 10_000
        {
            count += 1
        }
        return count
    }

    private func rows() -> [[Int]] {
        var rows: [[Int]] = []
        var filled = 0.0
        let gridCount = isGrid && !sizes.isEmpty ? gridCount : nil
        for (item, size) in sizes.enumerated() {
            let fits =
                gridCount.map { (rows.last?.count ?? 0) < $0 }
                ?? (size.across <= available - filled)
            if rows.isEmpty || !fits {
                rows.append([item])
                filled = 0
            } else {
                rows[rows.count - 1].append(item)
            }
            filled += size.across + interitem
        }
        return rows
    }

    private func spread(_ row: [Int], isComplete: Bool) -> (start: Double, gap: Double) {
        let sum = row.reduce(0) { $0 + sizes[$1].across }
        if isGrid {
            let (count, width) = (gridCount, sizes[0].across)
            if count == 1 || (row.count == 1 && isComplete) {
                return (before + (available - width) / 2, 0)
            }
            return (before, (available - Double(count) * width) / Double(count - 1))
        }
        guard isComplete else { return (before, interitem) }
        if row.count == 1 { return ((total - sum) / 2, 0) }
        return (before, (available - sum) / Double(row.count - 1))
    }

    func boxes() -> (boxes: [NaiveSections.Box], extent: Double) {
        let rows = rows()
        let allSingle = rows.allSatisfy { $0.count == 1 }
        var boxes: [NaiveSections.Box] = []
        var along = 0.0
        for (index, row) in rows.enumerated() {
            let isLast = index == rows.count - 1
            let spread = spread(row, isComplete: !isLast || allSingle)
            var across = spread.start
            let tallest = row.map { sizes[$0].along }.max() ?? 0
            for item in row {
                let size = sizes[item]
                boxes.append(
                    NaiveSections.Box(
                        along: along + (tallest - size.along) / 2,
                        across: across,
                        alongExtent: size.along,
                        acrossExtent: size.across
                    )
                )
                across += size.across + spread.gap
            }
            along += tallest + (isLast ? 0 : line)
        }
        return (boxes, along)
    }
}
