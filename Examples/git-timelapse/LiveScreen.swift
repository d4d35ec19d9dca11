import Dispatch
import ProgramSupport
import SimulatedView

/// Shows the simulated view on the terminal during a replay.
///
/// Frames are composed on the main lane and drawn on a separate queue. While one is drawn, no other
/// is composed, so a slow terminal does not delay the replay.
final class LiveScreen: UpdateFacilitator, @unchecked Sendable {  // see the lane of each member
    private let screen: TerminalScreen
    private let currentSize: @Sendable () -> TerminalSize
    private let total: Int
    private let hasRanges: Bool
    private let queue = DispatchQueue(label: "git-timelapse.screen")
    private let isDrawing = LockedValue(false)
    // Confined to the main lane.
    private var size: TerminalSize
    private var marks: [ItemPath: Mark] = [:]
    private var focus: ItemPath?
    private var shown = 0
    private var lastFrame = DispatchTime(uptimeNanoseconds: 0)
    private(set) var lastRows: [ScreenRow] = []

    /// The minimum time between frames: 25 frames a second look like motion.
    private static let frameNanoseconds: UInt64 = 40_000_000

    /// The change of a file in a commit.
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

    /// An explanation of the marks and of the text after a file's name.
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

    /// Returns the number of columns for marks before a row, or 0 if there is no room.
    static func margin(columns: Int) -> Int { columns >= 12 ? 2 : 0 }

    /// Returns the number of rows that do not belong to the view: the commit above it, and the
    /// legend and the progress below it.
    static func statusRows(rows: Int) -> Int { rows >= 10 ? 3 : rows >= 6 ? 2 : 0 }

    /// Returns the number of columns for the ranges on the right, with one space before them, or 0
    /// if there is no room.
    static func rangeMargin(columns: Int) -> Int {
        columns >= leastColumnsWithRanges ? 1 + RangeColumn.width : 0
    }

    /// The minimum width that leaves room for a short name beside the ranges.
    static let leastColumnsWithRanges = 16

    /// Returns the number of rows for the counts of ranges: 0 if there is no row for the progress
    /// either.
    static func rangeStatusRows(rows: Int) -> Int { statusRows(rows: rows) == 0 ? 0 : 1 }

    /// Returns the size of the view in a frame.
    static func viewSize(_ frame: TerminalSize, hasRanges: Bool = false) -> Size {
        var (columns, rows) = (margin(columns: frame.columns), statusRows(rows: frame.rows))
        if hasRanges {
            columns += rangeMargin(columns: frame.columns)
            rows += rangeStatusRows(rows: frame.rows)
        }
        return Size(width: Double(frame.columns - columns), height: Double(frame.rows - rows))
    }

    /// - Parameters:
    ///   - hasRanges: whether the view has a range controller, whose ranges are shown.
    ///   - size: returns the size of a frame; called on the main lane before every frame.
    init(
        _ screen: TerminalScreen,
        commits total: Int,
        hasRanges: Bool = false,
        size: @escaping @Sendable () -> TerminalSize
    ) {
        self.screen = screen
        self.total = total
        self.hasRanges = hasRanges
        currentSize = size
        self.size = size()
    }

    /// Stores the changes of an update, for the marks and for scrolling. Called on the main lane.
    func willDeploy(_ update: ViewUpdate) {
        let changes = update.changeSet
        // With ranges, items that come near are measured before the commit is drawn.
        if hasRanges, changes.edits.isEmpty, changes.reconfigurations.isEmpty { return }
        marks = [:]
        for change in changes.reconfigurations { marks[change.newPath] = .changed }
        for edit in changes.itemInsertions {
            marks[edit.path] = edit.role == .move ? .moved : .added
        }
        // Sections are only inserted here. All items in them that did not move are new; only as
        // many as a screen can show are marked.
        for edit in changes.sectionInsertions {
            for item in 0..<size.rows {
                let path = ItemPath(section: edit.section, item: item)
                if marks[path] == nil { marks[path] = .added }
            }
        }
        focus = marks.keys.min()
    }

    /// Draws a frame for a deployed commit if the previous frame is old enough. Called on the main
    /// lane.
    ///
    /// If the size of the terminal has changed, the view is resized, and the texts are measured
    /// again after that.
    func didShow(
        _ commit: GitCommit,
        on view: SimulatedCollectionView,
        isLast: Bool,
        at now: DispatchTime = .now()
    ) {
        shown += 1
        // The next commit is not yet submitted, and it may change nothing.
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
            // A file that no longer exists cannot be scrolled to.
            try? view.scrollToItem(at: focus)
            // Two rows above the file stay visible, or more at the end of the content.
            if let cell = view.cellForItem(at: focus) {
                view.scroll(by: min(0, cell.frame.minY - view.bounds.minY - 2))
            }
            view.layoutIfNeeded()
        }
        let rows = compose(commit, view).map { $0.cut(to: size.columns) }
        lastRows = rows
        isDrawing.value = true
        queue.async { [self, size] in
            // If the terminal is closed, the replay ends elsewhere.
            try? screen.draw(rows, size: size)
            isDrawing.value = false
        }
    }

    /// Waits until the last frame is drawn. Not on the main lane.
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
        let statusRows = Self.statusRows(rows: size.rows)
        if statusRows != 0 || ranges != nil {
            rows += Array(repeating: ScreenRow(""), count: viewRows - rows.count)
        }
        let rangeMargin = Self.rangeMargin(columns: size.columns)
        if let ranges, rangeMargin > 0 {
            let column = size.columns - RangeColumn.width
            rows = zip(rows, ranges.rows(viewRows)).map { $0.beside($1, at: column) }
        }
        guard statusRows != 0 else { return rows }
        let heading = ScreenRow(
            (String(commit.id.abbreviated), .changed),
            (" \(commit.subject)", .strong)
        )
        rows.insert(heading, at: 0)
        if hasRanges, let tally = RangeTally(of: view) { rows.append(tally.row) }
        if statusRows > 2 { rows.append(Self.legend) }
        rows.append(ScreenRow(Self.progress(done: shown, of: total, width: size.columns - 1)))
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
            // Lines break at spaces or between two characters, so the number of other characters
            // shows where the name ends.
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

    /// Returns the progress in at most `width` columns. If there is not enough room, the bar is
    /// omitted first.
    static func progress(done: Int, of total: Int, width: Int) -> String {
        let percent = total > 0 ? min(done, total) * 100 / total : 100
        let numbers = "\(percent) % \(done)/\(total) commits"
        let room = min(40, width - numbers.count - 3)
        guard room >= 4 else { return DisplayText.truncated(numbers, to: width) }
        return "\(ProgressLine.bar(done, of: total, width: room)) \(numbers)"
    }
}
