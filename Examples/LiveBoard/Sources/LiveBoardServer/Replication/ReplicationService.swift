import ServiceLifecycle

/// Follows logs, and leads where it may, until its group shuts down. Then what was accepted is deployed and written, and
/// others may lead.
///
/// In a group it stands before the server, which stops first, since services shut down in reverse order.
struct ReplicationService: Service {
    let lists: [ReplicatedList]
    let logs: any LogProvider

    func run() async {
        for list in lists { list.begin() }
        try? await gracefulShutdown()
        await withTaskGroup(of: Void.self) { group in
            for list in lists { group.addTask { await list.close() } }
        }
        logs.close()
    }
}
