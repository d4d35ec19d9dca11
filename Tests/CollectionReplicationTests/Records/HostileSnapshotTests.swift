import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// Bytes with right hashes, from somebody who has the key and is broken or hostile: a typed error, never a trap.
@Suite("Snapshots with right hashes and absurd contents", .endsHangs)
struct HostileSnapshotTests {
    typealias Write = (inout ByteWriter) -> Void

    static let limits = ShapeLimits(sections: 1000, items: 1000)

    private func snapshot(
        item: UInt64 = 9,
        section: UInt64 = 9,
        _ body: Write
    ) throws(BinaryDecodingError) -> SnapshotForm {
        let bytes = RecordForm.snapshot.encode(key: .usual) { writer in
            Samples.position().write(to: &writer)
            writer.unsigned(item)
            writer.unsigned(section)
            // Nothing is known of how it came there.
            writer.unsigned(0)
            body(&writer)
        }.bytes
        return try SnapshotForm(decoding: bytes, key: .usual, limits: Self.limits)
    }

    private func code(_ body: () throws(BinaryDecodingError) -> Void) -> BinaryDecodingError.Code? {
        do throws(BinaryDecodingError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func countsOfASnapshotThatNothingCouldHaveAreErrors() {
        for count in [UInt64(1) << 62, .max, 1 << 32, 3] {
            let sections = code { () throws(BinaryDecodingError) in
                _ = try snapshot { $0.unsigned(count) }
            }
            #expect(sections == .countBeyondBytes)
            let items = code { () throws(BinaryDecodingError) in
                _ = try snapshot {
                    $0.unsigned(1)
                    $0.section(PublishedSection(number: 1, payload: nil))
                    $0.unsigned(count)
                }
            }
            #expect(items == .countBeyondBytes)
            let payload = code { () throws(BinaryDecodingError) in
                _ = try snapshot {
                    $0.unsigned(1)
                    $0.unsigned(1)
                    $0.unsigned(count)
                }
            }
            #expect(payload == .countBeyondBytes)
        }
    }

    @Test func moreAncestorsThanThereAreBytesForAreAnError() {
        for count in [UInt64(1) << 62, .max, 2] {
            let bytes = RecordForm.snapshot.encode(key: .usual) { writer in
                Samples.position().write(to: &writer)
                writer.unsigned(1)
                writer.unsigned(1)
                writer.unsigned(count)
                Samples.position().write(to: &writer)
            }.bytes
            #expect(throws: BinaryDecodingError.self) {
                try SnapshotForm(decoding: bytes, key: .usual, limits: Self.limits)
            }
        }
    }

    @Test func numbersOfASnapshotAreFromOneToWhatADoubleCounts() throws {
        for number in [0, UInt64(1) << 53, .max] {
            #expect(throws: BinaryDecodingError.self) {
                _ = try snapshot(item: 1 << 53 - 1, section: 1 << 53 - 1) {
                    $0.unsigned(1)
                    $0.section(PublishedSection(number: number, payload: nil))
                    $0.unsigned(0)
                }
            }
            #expect(throws: BinaryDecodingError.self) {
                _ = try snapshot(item: 1 << 53 - 1, section: 1 << 53 - 1) {
                    $0.unsigned(1)
                    $0.section(PublishedSection(number: 1, payload: nil))
                    $0.unsigned(1)
                    $0.item(PublishedItem(number: number, payload: nil))
                }
            }
        }
    }

    @Test func lastNumbersOfASnapshotThatNothingCouldFollowAreErrors() {
        for number in [UInt64(1) << 53, .max] {
            #expect(throws: BinaryDecodingError.self) {
                _ = try snapshot(item: number) { $0.unsigned(0) }
            }
            #expect(throws: BinaryDecodingError.self) {
                _ = try snapshot(section: number) { $0.unsigned(0) }
            }
        }
    }

    @Test func aSnapshotWithNumbersAboveItsLastOnesIsAnError() {
        #expect(throws: BinaryDecodingError.self) {
            _ = try snapshot(section: 4) {
                $0.unsigned(1)
                $0.section(PublishedSection(number: 5, payload: nil))
                $0.unsigned(0)
            }
        }
        #expect(throws: BinaryDecodingError.self) {
            _ = try snapshot(item: 4) {
                $0.unsigned(1)
                $0.section(PublishedSection(number: 1, payload: nil))
                $0.unsigned(1)
                $0.item(PublishedItem(number: 5, payload: nil))
            }
        }
    }

    @Test func aSnapshotInWhichANumberComesTwiceIsAnError() {
        #expect(throws: BinaryDecodingError.self) {
            _ = try snapshot {
                $0.unsigned(2)
                for _ in 0..<2 {
                    $0.section(PublishedSection(number: 3, payload: nil))
                    $0.unsigned(0)
                }
            }
        }
        #expect(throws: BinaryDecodingError.self) {
            _ = try snapshot {
                $0.unsigned(2)
                for section in 1...2 {
                    $0.section(PublishedSection(number: UInt64(section), payload: nil))
                    $0.unsigned(1)
                    $0.item(PublishedItem(number: 3, payload: nil))
                }
            }
        }
    }

    @Test func aSnapshotBeyondTheLimitsOfAShapeIsRejected() {
        let code = code { () throws(BinaryDecodingError) in
            _ = try snapshot(item: 2000) {
                $0.unsigned(1)
                $0.section(PublishedSection(number: 1, payload: nil))
                $0.unsigned(1001)
                for number in 1...1001 {
                    $0.item(PublishedItem(number: UInt64(number), payload: nil))
                }
            }
        }
        #expect(code == .rejected)
    }

    @Test func trailingBytesAndOverlongIntegersOfASnapshotAreErrors() {
        let trailing = code { () throws(BinaryDecodingError) in
            _ = try snapshot {
                $0.unsigned(0)
                $0.byte(0)
            }
        }
        #expect(trailing == .trailingBytes)
        let overlong = code { () throws(BinaryDecodingError) in
            _ = try snapshot { $0.raw([0x80, 0]) }
        }
        #expect(overlong == .overlongInteger)
        let overflowing = code { () throws(BinaryDecodingError) in
            _ = try snapshot { $0.raw(Array(repeating: 0xFF, count: 10)) }
        }
        #expect(overflowing == .integerOverflow)
    }

    @Test func snapshotsThatAreSpoiledAtRandomNeverTrap() throws {
        let bytes = Samples.snapshot.encoded(key: .usual)
        let body = Array(bytes[4..<(bytes.count - 16)])
        var mutilation = Mutilation(seed: 4)
        var values = 0
        for _ in 0..<Effort.number(20_000, usually: 1_000) {
            let spoiled = RecordForm.snapshot.encode(key: .usual) {
                $0.raw(mutilation.spoil(body))
            }.bytes
            guard
                let form = try? SnapshotForm(decoding: spoiled, key: .usual, limits: Self.limits)
            else { continue }
            values += 1
            // What is read can be gone on from.
            let chain = LogChain(form, key: .usual, limits: Self.limits)
            _ = try? chain.opening(epoch: 99, writer: 1, jump: 1)
            _ = try? chain.sealed(Samples.state([["z"]]), version: chain.position.version + 1)
        }
        #expect(values > 0)
    }
}
