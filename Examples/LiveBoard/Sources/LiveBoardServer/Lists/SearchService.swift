import ServiceLifecycle

/// Closes the lists of searches when its group shuts down.
struct SearchService: Service {
    let searches: SearchLists

    func run() async {
        try? await gracefulShutdown()
        await searches.close()
    }
}
