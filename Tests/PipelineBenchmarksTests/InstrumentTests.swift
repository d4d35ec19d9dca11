import CollectionPipeline
import Foundation
import PipelineTestSupport
import Testing

@testable import pipeline_benchmarks

@Suite struct InstrumentTests {
    private final class Object {
        var number = 0
    }

    @Test(.enabled("nobody counts here") { Heap.allocationCount != nil })
    func everyObjectIsAnAllocation() {
        var objects: [Object] = []
        objects.reserveCapacity(1_000)
        let count = Heap.allocations { for _ in 0..<1_000 { objects.append(Object()) } }
        #expect(count == 1_000)
        #expect(objects.count == 1_000)
    }

    @Test(.enabled("nobody counts here") { Heap.allocationCount != nil })
    func everyKindOfAllocationIsCounted() {
        // The first time, there is a type to be made for it as well.
        free(opaque(malloc(1)))
        #expect(Heap.allocations { free(opaque(malloc(100))) } == 1)
        #expect(Heap.allocations { free(opaque(calloc(10, 10))) } == 1)
        #expect(Heap.allocations { free(opaque(realloc(opaque(malloc(10)), 1_000))) } == 2)
        #expect(Heap.allocations { free(opaque(aligned_alloc(64, 128))) } == 1)
        var block: UnsafeMutableRawPointer?
        #expect(Heap.allocations { posix_memalign(&block, 64, 100) } == 1)
        #expect(UInt(bitPattern: block) % 64 == 0)
        free(block)
        #expect(posix_memalign(&block, 3, 100) == EINVAL)
        #expect(Heap.allocations {} == 0)
    }

    @Test(.enabled("nobody knows here") { Heap.bytesInUse != nil })
    func largeBlocksShowInTheHeap() throws {
        let start = try #require(Heap.bytesInUse)
        let block = opaque(malloc(64 << 20))
        let end = try #require(Heap.bytesInUse)
        // Other tests allocate and free at the same time.
        #expect(end - start > 32 << 20)
        free(block)
    }

    @Test func theProcessorHasAName() {
        let text = "processor\t: 0\nmodel name\t: Some CPU: 3 GHz\nmodel name\t: Another\n"
        #expect(Machine.processorName(in: text) == "Some CPU: 3 GHz")
        #expect(Machine.processorName(in: "model\t: 17\n") == nil)
    }
}

@Suite struct LoadedCollectionTests {
    @Test(.endsHangs)
    func plansReachTheView() throws {
        let collection = try LoadedCollection(.init(5, 8))
        #expect(collection.counts == [8, 8, 8, 8, 8])
        #expect(collection.loading.blocks >= 2)
        for _ in 0..<10 {
            let plan = collection.plan(deletions: 5, insertions: 5)
            let expected = plan.applied(to: collection.counts)
            let times = try collection.deploy(plan)
            #expect(times.blocks >= 3)
            #expect(collection.map.shape.itemCounts == expected)
        }
    }

    @Test(.endsHangs)
    func producersLoseNothing() throws {
        let collection = try LoadedCollection(.init(3, 20))
        try Producers(threads: 4, changeSetsEach: 50).submit(to: collection.controller)
        #expect(collection.map.numberOfItems == 60)
    }

    @Test(.endsHangs)
    func mapsOfTheFactoryAreLikeLoadedOnes() throws {
        let map = try MapFactory.makeMap(.init(3, 4))
        #expect(map.shape.itemCounts == [4, 4, 4])
        let path = ItemPath(section: 1, item: 4)
        let larger = try MapFactory.insertion(at: path, into: map)()
        #expect(larger.shape.itemCounts == [4, 5, 4])
        let element = try #require(larger.element(at: path))
        #expect(larger.path(of: element) == path)
        #expect(map.path(of: element) == nil)
    }

    @Test func mapsHaveTheGenerationsOfAController() throws {
        let map = try MapFactory.makeMap(.init(2, 3))
        let insertion = try MapFactory.insertion(at: ItemPath(section: 0, item: 0), into: map)
        #expect(map.generation == 1 && insertion().generation == 2)
        #expect(insertion().numberOfElements == 7)
    }
}
