import Dispatch
import SimulatedView

/// Shows the simulated view on the terminal while a replay runs.
///
/// Frames are composed on the main lane, from what the view shows, and drawn on a queue of their own;
/// while one is being drawn no other is composed, so a slow terminal holds nothing up.
final class LiveScreen: UpdateFacilitator, @unchecked Sendable {  // see the members for who may
    private let screen: TerminalScreen
    private let currentSize: @Sendable () -> Terminal.Size
    private let total: Int
    private let hasRanges: Bool
    private let queue = DispatchQueue(label: "git-timelapse.screen")
    private let isDrawing = Guarded(false)
    // Main lane.
    private var size: Terminal.Size
    private var marks: [ItemPath: Mark] = [:]
    private var focus: ItemPath?
    private var shown = 0
    private var lastFrame = DispatchTime(uptimeNanoseconds: 0)
    private(set) var lastRows: [ScreenRow] = []

    /// 25 frames a second look like motion.
    private static let frameNanoseconds: UInt64 = 40_000_000

    /// What a commit did to a file.
    private enum Mark: String {
        case added = "+"
        case changed = "~"
        case moved = ">"

        var ink: ScreenRow.Ink {
            switch self {
            case .added: .added
            case .changed: .changed
            case .moved: .moved
            }
        }
    }

    /// What the marks mean, and what stands behind a file's name.
    private static let legend = ScreenRow(
        ("+", .added),
        (" added  ", .faint),
        ("~", .changed),
        (" changed  ", .faint),
        (">", .moved),
        (" moved  ", .faint),
        ("file", .strong),
        (": its last commit", .faint)
    )

    /// The columns in front of a row that say what happened to it; none where there is no room.
    static func margin(columns: Int) -> Int { columns >= 12 ? 2 : 0 }

    /// The rows of the terminal that are not the view's: the commit above it, the progress below,
    /// and between these the legend.
    static func furniture(rows: Int) -> Int { rows >= 10 ? 3 : rows >= 6 ? 2 : 0 }

    /// The columns at the right for where ranges are, with one between; none where there is no room.
    static func rangeMargin(columns: Int) -> Int {
        columns >= leastColumnsWithRanges ? 1 + RangeColumn.width : 0
    }

    /// Beside ranges there is room for a short name.
    static let leastColumnsWithRanges = 16

    /// The row for the counts of ranges, where there is furniture at all.
    static func rangeFurniture(rows: Int) -> Int { furniture(rows: rows) == 0 ? 0 : 1 }

    /// The extent of the view in a frame of a size.
    static func viewSize(_ frame: Terminal.Size, hasRanges: Bool = false) -> Size {
        var (columns, rows) = (margin(columns: frame.columns), furniture(rows: frame.rows))
        if hasRanges {
            columns += rangeMargin(columns: frame.columns)
            rows += rangeFurniture(rows: frame.rows)
        }
        return Size(width: Double(frame.columns - columns), height: Double(frame.rows - rows))
    }

    /// - Parameters:
    ///   - hasRanges: whether the view has a range controller, which is shown too.
    ///   - size: asked before every frame; called on the main lane.
    init(
        _ screen: TerminalScreen,
        commits total: Int,
        hasRanges: Bool = false,
        size: @escaping @Sendable () -> Terminal.Size
    ) {
        self.screen = screen
        self.total = total
        self.hasRanges = hasRanges
        currentSize = size
        self.size = size()
    }

    /// Remembers what an update changes, to mark it and to scroll there. Main lane.
    func willDeploy(_ update: ViewUpdate) {
        let changes = update.changeSet
        // With ranges, what came near is measured before the commit is drawn.
        if hasRanges, changes.edits.isEmpty, changes.reconfigurations.isEmpty { return }
        marks = [:]
        for change in changes.reconfigurations { marks[change.newPath] = .changed }
        for edit in changes.itemInsertions {
            marks[edit.path] = edit.role == .move ? .moved : .added
        }
        // Sections are only inserted here. In one of them all is new that has not moved in, as far
        // as a view can show.
        for edit in changes.sectionInsertions {
            for item in 0..<size.rows {
                let path = ItemPath(section: edit.section, item: item)
                if marks[path] == nil { marks[path] = .added }
            }
        }
        focus = marks.keys.min()
    }

    /// A commit is on the view: draws a frame if one is due. Main lane.
    ///
    /// Where the terminal has another size by now, so has the view, and the texts are measured for it behind that.
    func didShow(
        _ commit: GitCommit,
        on view: SimulatedCollectionView,
        isLast: Bool,
        at now: DispatchTime = .now()
    ) {
        shown += 1
        // The next one is not on its way yet, and may change nothing.
        defer { if hasRanges { marks = [:] } }
        let isDue = now.uptimeNanoseconds - lastFrame.uptimeNanoseconds >= Self.frameNanoseconds
        guard isLast || (isDue && !isDrawing.value) else { return }
        lastFrame = now
        let newSize = currentSize()
        if newSize != size {
            size = newSize
            view.resize(to: Self.viewSize(size, hasRanges: hasRanges))
        }
        // With ranges, the view scrolls by itself.
        if !hasRanges, let focus, view.cellForItem(at: focus) == nil {
            // What has gone since cannot be scrolled to.
            try? view.scrollToItem(at: focus)
            // Two rows above it are left, or more where the content ends.
            if let cell = view.cellForItem(at: focus) {
                view.scroll(by: min(0, cell.frame.minY - view.bounds.minY - 2))
            }
            view.layoutIfNeeded()
        }
        let rows = compose(commit, view).map { $0.cut(to: size.columns) }
        lastRows = rows
        isDrawing.value = true
        queue.async { [self, size] in
            // A terminal that has gone away ends the replay elsewhere.
            try? screen.draw(rows, size: size)
            isDrawing.value = false
        }
    }

    /// Waits until the last frame is on the terminal; not on the main lane.
    func finish() { queue.sync {} }

    private func compose(_ commit: GitCommit, _ view: SimulatedCollectionView) -> [ScreenRow] {
        let viewRows = Int(Self.viewSize(size, hasRanges: hasRanges).height)
        var rows: [ScreenRow] = []
        for row in view.visibleViews.sorted(by: { $0.frame.minY < $1.frame.minY }) {
            let hidden = max(0, Int(view.bounds.minY - row.frame.minY))
            rows += self.rows(of: row).dropFirst(hidden)
        }
        rows = Array(rows.prefix(viewRows))
        let ranges = hasRanges ? RangeColumn(of: view) : nil
        let furniture = Self.furniture(rows: size.rows)
        if furniture != 0 || ranges != nil {
            rows += Array(repeating: ScreenRow(""), count: viewRows - rows.count)
        }
        let rangeMargin = Self.rangeMargin(columns: size.columns)
        if let ranges, rangeMargin > 0 {
            let column = size.columns - RangeColumn.width
            rows = zip(rows, ranges.rows(viewRows)).map { $0.beside($1, at: column) }
        }
        guard furniture != 0 else { return rows }
        let heading = ScreenRow(
            (commit.id.abbreviated, .changed),
            (" \(commit.subject)", .strong)
        )
        rows.insert(heading, at: 0)
        if hasRanges, let tally = RangeTally(of: view) { rows.append(tally.row) }
        if furniture > 2 { rows.append(Self.legend) }
        rows.append(ScreenRow(ProgressBar.line(done: shown, of: total, width: size.columns - 1)))
        return rows
    }

    private func rows(of row: CollectionReusableView) -> [ScreenRow] {
        let margin = Self.margin(columns: size.columns)
        switch row.element?.nodeIfAllocated {
        case let node as DirectoryNode: return [ScreenRow("\(node.path)/", .strong)]
        case let node as FileNode:
            let width = Int(Self.viewSize(size, hasRanges: hasRanges).width)
            let lines = DisplayText.lines(of: node.shown.text, width: width)
            let mark = row.attributes.flatMap { marks[$0.indexPath] }
            // Breaks are at blanks only, or where there is nothing: what is no blank tells how far
            // the name goes.
            var nameLength = node.shown.name.description.count { $0 != " " }
            return lines.enumerated().map { number, line in
                let name = line.prefix { character in
                    defer { if character != " " { nameLength -= 1 } }
                    return nameLength > 0
                }
                let sign = margin == 0 ? "" : number == 0 ? "\(mark?.rawValue ?? " ") " : "  "
                return ScreenRow(
                    (sign, mark?.ink ?? .plain),
                    (String(name), .strong),
                    (String(line.dropFirst(name.count)), .faint)
                )
            }
        default: return []
        }
    }
}
