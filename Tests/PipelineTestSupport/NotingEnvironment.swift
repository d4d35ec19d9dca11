import CollectionPipeline

/// An environment that notes which lanes are made, and every look at the clock.
package struct NotingEnvironment: ForwardingEnvironment {
    package let base: any PipelineEnvironment
    /// The labels of the lanes.
    package let lanes = Journal<String>()
    package let clockReads = Journal<Void>()

    package init(_ base: any PipelineEnvironment) { self.base = base }

    package func makeLane(label: String) -> any Lane {
        lanes.append(label)
        return base.makeLane(label: label)
    }

    package var now: Duration {
        clockReads.append(())
        return base.now
    }
}
