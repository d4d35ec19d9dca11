import Dispatch
import SimulatedView

/// Shows the simulated view on the terminal while a replay runs.
///
/// Frames are composed on the main lane, from what the view shows, and drawn on a queue of their own;
/// while one is being drawn no other is composed, so a slow terminal holds nothing up.
final class LiveScreen: UpdateFacilitator, @unchecked Sendable {  // see the members for who may
    private let screen: TerminalScreen
    private let size: Terminal.Size
    private let total: Int
    private let queue = DispatchQueue(label: "git-timelapse.screen")
    private let isDrawing = Guarded(false)
    // Main lane.
    private var marks: [ItemPath: Character] = [:]
    private var focus: ItemPath?
    private var shown = 0
    private var lastFrame = DispatchTime(uptimeNanoseconds: 0)
    private(set) var lastRows: [String] = []

    /// 25 frames a second look like motion.
    private static let frameNanoseconds: UInt64 = 40_000_000

    /// The columns in front of a row that say what happened to it; none where there is no room.
    static func margin(columns: Int) -> Int { columns >= 12 ? 2 : 0 }

    /// The rows of the terminal that are not the view's: the commit above it, the progress below.
    static func furniture(rows: Int) -> Int { rows >= 6 ? 2 : 0 }

    init(_ screen: TerminalScreen, size: Terminal.Size, commits total: Int) {
        self.screen = screen
        self.size = size
        self.total = total
    }

    /// Remembers what an update changes, to mark it and to scroll there. Main lane.
    func willDeploy(_ update: ViewUpdate) {
        marks = [:]
        for change in update.changeSet.reconfigurations { marks[change.newPath] = "~" }
        for edit in update.changeSet.itemInsertions {
            marks[edit.path] = edit.role == .move ? ">" : "+"
        }
        // Sections are only inserted here. In one of them all is new that has not moved in, as far
        // as a view can show.
        for edit in update.changeSet.sectionInsertions {
            for item in 0..<size.rows {
                let path = ItemPath(section: edit.section, item: item)
                if marks[path] == nil { marks[path] = "+" }
            }
        }
        focus = marks.keys.min()
    }

    /// A commit is on the view: draws a frame if one is due. Main lane.
    func didShow(
        _ commit: GitCommit,
        on view: SimulatedCollectionView,
        isLast: Bool,
        at now: DispatchTime = .now()
    ) {
        shown += 1
        let isDue = now.uptimeNanoseconds - lastFrame.uptimeNanoseconds >= Self.frameNanoseconds
        guard isLast || (isDue && !isDrawing.value) else { return }
        lastFrame = now
        if let focus, view.cellForItem(at: focus) == nil {
            // What has gone since cannot be scrolled to.
            try? view.scrollToItem(at: focus)
            // Two rows above it are left, or more where the content ends.
            if let cell = view.cellForItem(at: focus) {
                view.scroll(by: min(0, cell.frame.minY - view.bounds.minY - 2))
            }
            view.layoutIfNeeded()
        }
        let rows = compose(commit, view)
        lastRows = rows
        isDrawing.value = true
        queue.async { [self] in
            // A terminal that has gone away ends the replay elsewhere.
            try? screen.draw(rows, size: size)
            isDrawing.value = false
        }
    }

    /// Waits until the last frame is on the terminal; not on the main lane.
    func finish() { queue.sync {} }

    private func compose(_ commit: GitCommit, _ view: SimulatedCollectionView) -> [String] {
        let margin = Self.margin(columns: size.columns)
        let furniture = Self.furniture(rows: size.rows)
        let viewRows = size.rows - furniture
        var rows: [String] = []
        for row in view.visibleViews.sorted(by: { $0.frame.minY < $1.frame.minY }) {
            let lines = text(of: row, width: size.columns - margin)
            let hidden = max(0, Int(view.bounds.minY - row.frame.minY))
            let isHeader = !(row is CollectionViewCell)
            for (number, line) in lines.enumerated() where number >= hidden {
                let mark = number == 0 ? row.attributes.flatMap { marks[$0.indexPath] } : nil
                let prefix = margin == 0 || isHeader ? "" : "\(mark ?? " ") "
                rows.append(prefix + line)
            }
        }
        rows = Array(rows.prefix(viewRows))
        guard furniture != 0 else { return rows }
        rows += Array(repeating: "", count: viewRows - rows.count)
        let heading = DisplayText.escaping("\(commit.id.abbreviated) \(commit.subject)")
        return [DisplayText.truncated(heading, to: size.columns)] + rows
            + [ProgressBar.line(done: shown, of: total, width: size.columns - 1)]
    }

    private func text(of row: CollectionReusableView, width: Int) -> [String] {
        switch row.element?.nodeIfAllocated {
        case let node as FileNode: DisplayText.lines(of: node.shown.text, width: width)
        case let node as DirectoryNode: ["\(node.path)/"]
        default: []
        }
    }
}
