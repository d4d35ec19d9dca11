import Foundation

/// Where a supervised process notes what it is about to run: what is in it when the process is stopped is
/// what stopped it.
struct RunFile {
    /// For the supervising process to give; not for people.
    static let option = "--run-file"

    private let descriptor: Int32

    /// nil where it cannot be opened.
    init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        if descriptor < 0 { return nil }
    }

    func close() { _ = Foundation.close(descriptor) }

    func note(_ seed: UInt64, _ onlyFault: Int?) {
        var words = [seed, onlyFault.map { UInt64($0) } ?? .max]
        _ = pwrite(descriptor, &words, 16, 0)
    }

    /// What was noted last; nil where nothing was.
    func read() -> (seed: UInt64, onlyFault: Int?)? {
        var words: [UInt64] = [0, 0]
        guard pread(descriptor, &words, 16, 0) == 16 else { return nil }
        return (words[0], words[1] == .max ? nil : Int(words[1]))
    }
}
