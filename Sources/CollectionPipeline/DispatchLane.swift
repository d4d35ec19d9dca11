import Dispatch

/// A serial lane on a Dispatch queue of its own.
///
/// The queue targets a global queue that does not grow threads for blocked serial queues: a thousand
/// lanes cost no thread each. Workers use another service class, so busy workers never delay a lane.
class DispatchLane: Lane, @unchecked Sendable {  // all stored properties are constants
    let label: String
    let queue: DispatchQueue

    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    init(label: String, queue: DispatchQueue) {
        self.label = label
        self.queue = queue
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    convenience init(label: String) {
        self.init(
            label: label,
            queue: DispatchQueue(label: label, target: .global(qos: .userInitiated))
        )
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
