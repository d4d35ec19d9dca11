import CollectionPipeline
import Logging
import ServiceLifecycle
import UnixSignals

/// A live list, and who writes into it, until SIGTERM or SIGINT.
@main
struct PipelineService {
    static func main() async throws {
        let list = DataController(models: [[String]()])
        try await list.reloadData()
        let tally = Tally()
        let logger = Logger(label: "pipeline-service")
        let group = makeGroup(
            [
                ControllerService(controller: list),
                WriterService(list: list, tally: tally, logger: logger),
            ],
            logger
        )
        try await group.run()
        print("\(tally); \(list.visibleMap.numberOfItems) lines are in the list")
    }

    /// The services as one group. They shut down in reverse order: the list comes first, so that it closes when nobody
    /// writes into it any more.
    static func makeGroup(_ services: [any Service], _ logger: Logger) -> ServiceGroup {
        ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services,
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
    }
}
