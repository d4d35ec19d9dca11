import CollectionChanges

/// A storage that notes what it is asked for, so that a crash can be staged between any two calls.
final class CrashingStorage: JournalStorage {
    enum Call {
        case append([UInt8])
        case truncate(Int)
        case replace([UInt8])
        case sync
    }

    private(set) var calls: [Call] = []
    private let memory: MemoryJournalStorage

    /// The call that fails, by its number, and how many bytes of it still are written.
    var failure: (call: Int, written: Int)?

    init(_ bytes: [UInt8] = []) { memory = MemoryJournalStorage(bytes) }

    var bytes: [UInt8] { memory.bytes }

    func byteCount() -> Int { memory.byteCount() }

    func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] { try memory.read(range) }

    func append(_ bytes: [UInt8]) throws(JournalError) {
        try note(.append(bytes)) { memory.append(Array(bytes.prefix($0))) }
        memory.append(bytes)
    }

    func truncate(to byteCount: Int) throws(JournalError) {
        try note(.truncate(byteCount)) { _ in }
        memory.truncate(to: byteCount)
    }

    func replaceAll(with bytes: [UInt8]) throws(JournalError) {
        try note(.replace(bytes)) { _ in }
        memory.replaceAll(with: bytes)
    }

    func sync() throws(JournalError) { try note(.sync) { _ in } }

    private func note(_ call: Call, _ fail: (Int) -> Void) throws(JournalError) {
        calls.append(call)
        guard let failure, failure.call == calls.count - 1 else { return }
        fail(failure.written)
        throw JournalError(.storage, "staged")
    }

    /// What is there if only the first calls happen, and of the next, where it appends, some bytes.
    static func image(of calls: ArraySlice<Call>, _ next: Call?, torn: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for call in calls {
            switch call {
            case .append(let more): bytes += more
            case .truncate(let count): bytes.removeLast(bytes.count - count)
            case .replace(let other): bytes = other
            case .sync: break
            }
        }
        if case .append(let more) = next { bytes += more.prefix(torn) }
        return bytes
    }
}
