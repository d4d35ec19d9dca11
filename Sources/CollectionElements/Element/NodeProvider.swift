/// Makes the node of one element; called once, on a worker or by whoever asks for the node first, and then
/// released. Where nodes are released, it is kept and called again when another is needed.
public typealias NodeProvider = @Sendable () throws -> any CollectionNode
