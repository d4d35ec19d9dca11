import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// Everything that is written beside or into a log, as bytes: what comes back, and what must not.
@Suite("Forms of a replicated log", .endsHangs)
struct FormTests {
    /// The bytes of one form each, and what reads them: whether they are a value.
    struct Form: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let read: @Sendable ([UInt8], StableHashKey) throws(BinaryDecodingError) -> Void

        var testDescription: String { name }
    }

    static let forms: [Form] = {
        var forms: [Form] = []
        if let (chain, record) = try? Samples.update(),
            let opening = try? chain.opening(epoch: 2, writer: 4, jump: 9)
        {
            for (name, bytes) in [("record", record.bytes), ("opening", opening.bytes)] {
                forms.append(
                    Form(name: name, bytes: bytes) { (bytes, key) throws(BinaryDecodingError) in
                        _ = try LogRecord(decoding: bytes, key: key)
                    }
                )
            }
        }
        forms.append(
            Form(name: "snapshot", bytes: Samples.snapshot.encoded(key: .usual)) {
                (bytes, key) throws(BinaryDecodingError) in
                _ = try SnapshotForm(decoding: bytes, key: key, limits: ShapeLimits())
            }
        )
        forms.append(
            Form(name: "head", bytes: Samples.head.encoded(key: .usual)) {
                (bytes, key) throws(BinaryDecodingError) in
                _ = try LogHead(decoding: bytes, key: key)
            }
        )
        forms.append(
            Form(name: "lease", bytes: LogLease(writer: 5, epoch: 7).encoded(key: .usual)) {
                (bytes, key) throws(BinaryDecodingError) in
                _ = try LogLease(decoding: bytes, key: key)
            }
        )
        return forms
    }()

    private func isValue(_ form: Form, _ bytes: [UInt8], _ key: StableHashKey = .usual) -> Bool {
        do throws(BinaryDecodingError) {
            try form.read(bytes, key)
            return true
        } catch {
            #expect(error.offset >= 0 && error.offset <= bytes.count)
            return false
        }
    }

    @Test func thereAreFiveForms() { #expect(Self.forms.count == 5) }

    @Test(arguments: forms)
    func aFormIsReadWithItsOwnKeyOnly(_ form: Form) {
        #expect(isValue(form, form.bytes))
        #expect(!isValue(form, form.bytes, Samples.other))
    }

    @Test(arguments: forms)
    func whatIsCutAtAnyLengthIsNoValue(_ form: Form) {
        for length in 0..<form.bytes.count {
            #expect(!isValue(form, Array(form.bytes.prefix(length))), "\(length)")
            #expect(!isValue(form, Array(form.bytes.suffix(length))), "last \(length)")
        }
    }

    @Test(arguments: forms)
    func whatHasAnyBitFlippedIsNoValue(_ form: Form) {
        for index in form.bytes.indices {
            for bit in 0..<8 {
                var bytes = form.bytes
                bytes[index] ^= 1 << UInt8(bit)
                #expect(!isValue(form, bytes), "byte \(index), bit \(bit)")
            }
        }
    }

    @Test(arguments: forms)
    func whatHasAnyByteAddedOrLeftOutIsNoValue(_ form: Form) {
        for byte in UInt8.min ... .max {
            #expect(!isValue(form, form.bytes + [byte]))
            #expect(!isValue(form, [byte] + form.bytes))
        }
        for index in form.bytes.indices {
            var shorter = form.bytes
            shorter.remove(at: index)
            // Where its neighbour is the same it is still another length.
            #expect(!isValue(form, shorter), "without byte \(index)")
        }
    }

    @Test(arguments: forms)
    func whatIsSpoiledAtRandomIsNoValue(_ form: Form) {
        var mutilation = Mutilation(seed: 11)
        for _ in 0..<Effort.number(20_000, usually: 500) {
            let bytes = mutilation.spoil(form.bytes)
            #expect(bytes == form.bytes || !isValue(form, bytes))
        }
    }

    @Test func noFormIsReadAsAnother() {
        let readers = Self.forms.filter { $0.name != "opening" }
        for form in Self.forms {
            for reader in readers {
                let isSame = form.name == reader.name || form.name == "opening"
                let isRecord = reader.name == "record"
                if form.name == reader.name || isSame && isRecord { continue }
                #expect(!isValue(reader, form.bytes), "\(form.name) as \(reader.name)")
            }
        }
    }

    // MARK: What comes back

    @Test func aRecordComesBackWithTheHashOfItsBytes() throws {
        let (_, record) = try Samples.update()
        let read = try LogRecord(decoding: record.bytes, key: .usual)
        #expect(read.position == record.chain.position)
        #expect(read.from == record.update.from.number)
        #expect(read.digest == record.chain.contents.value)
        var again = read
        again.position.hash = StateDigest(low: 0, high: 0)
        #expect(again.seal(key: .usual) == record.bytes)
        #expect(again == read)
    }

    @Test func aSnapshotComesBack() throws {
        for texts in [[], [[]], [[""], ["a", "", "b"], []]] as [[[String]]] {
            let form = SnapshotForm(
                position: Samples.position(4),
                numbers: LastNumbers(item: 70, section: 80),
                state: Samples.state(texts),
                ancestors: texts.isEmpty ? [] : [Samples.position(1), Samples.position(2)]
            )
            let read = try SnapshotForm(
                decoding: form.encoded(key: .usual),
                key: .usual,
                limits: ShapeLimits()
            )
            #expect(read.position == form.position && read.numbers == form.numbers)
            #expect(read.ancestors == form.ancestors)
            #expect(read.state == form.state)
        }
    }

    @Test func whatShowsNothingIsNotWhatShowsAnEmptyText() throws {
        let items = [nil, PublishedPayload("")].enumerated().map {
            PublishedItem(number: UInt64($0 + 1), payload: $1)
        }
        let section = PublishedContents.FreshSection(
            section: PublishedSection(number: 1, payload: nil),
            items: items
        )
        let form = SnapshotForm(
            position: Samples.position(),
            numbers: LastNumbers(item: 2, section: 1),
            state: PublishedState([section], shape: [2])
        )
        let bytes = form.encoded(key: .usual)
        let read = try SnapshotForm(decoding: bytes, key: .usual, limits: ShapeLimits())
        #expect(read.state.sections == [section])
    }

    @Test func aHeadAndALeaseComeBack() throws {
        var head = Samples.head
        #expect(try LogHead(decoding: head.encoded(key: .usual), key: .usual) == head)
        head.previous = nil
        #expect(try LogHead(decoding: head.encoded(key: .usual), key: .usual) == head)
        var lease = LogLease(writer: .max, epoch: .max)
        lease.renewal = .max
        #expect(try LogLease(decoding: lease.encoded(key: .usual), key: .usual) == lease)
    }
}
