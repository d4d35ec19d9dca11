import SimulatedView

/// What a file looks like: its name and last subject, wrapped to the width.
///
/// A commit that touches the file reconfigures the node: the new text is measured by a worker while
/// the old one is shown, and shown from the moment its change set deploys.
final class FileNode: ReconfigurableNode {
    // Written on the main lane, by `update(to:)`; read there and by whoever verifies.
    private let file: Guarded<RepositoryFile>
    private let measurements: Guarded<Int>

    init(_ file: RepositoryFile, _ measurements: Guarded<Int>) {
        self.file = Guarded(file)
        self.measurements = measurements
    }

    /// What is shown now.
    var shown: RepositoryFile { file.value }

    func measure(in range: SizeRange) -> Size { measure(shown, in: range) }

    func measure(_ model: RepositoryFile, in range: SizeRange) -> Size {
        measurements.update { $0 += 1 }
        let width = DisplayText.width(within: range)
        let lines = DisplayText.lines(of: model.text, width: Int(width))
        return Size(width: width, height: Double(lines.count))
    }

    func update(to model: RepositoryFile) { file.value = model }
}
