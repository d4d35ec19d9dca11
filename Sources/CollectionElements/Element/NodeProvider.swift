/// Makes the node of one element; called once, on a worker or by whoever asks for the node first, and then
/// released.
public typealias NodeProvider = @Sendable () throws -> any CollectionNode
