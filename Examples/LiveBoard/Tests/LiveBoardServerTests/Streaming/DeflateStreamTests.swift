import LiveBoardClient
import NIOCore
import Testing

@testable import LiveBoardServer

struct DeflateStreamTests {
    private func text(_ number: Int) -> String {
        let rows = (0..<(number % 7)).map { "[\($0),\"<div>row \(number * 31 % 97)</div>\"]" }
        return "id: \(number)\ndata: {\"update\":[\(rows.joined(separator: ","))]}\n\n"
    }

    private func bytes(_ buffer: ByteBuffer) -> [UInt8] { Array(buffer.readableBytesView) }

    /// Whoever joins, and whenever, reads from then on what everybody is written.
    @Test func oneStreamIsReadByAllWhoComeAndGo() throws {
        struct Reader {
            let inflate = InflateStream()
            var expected: [UInt8] = []
            var read: [UInt8] = []
        }
        let shared = DeflateStream()
        var readers: [Reader] = []
        for number in 0..<400 {
            // Some come, with what is theirs alone, and the stream begins anew for them.
            if number % 50 == 3 {
                for _ in 0..<3 {
                    var reader = Reader()
                    let own = ByteBuffer(string: "own \(readers.count) " + text(number))
                    reader.expected = bytes(own)
                    let first = DeflateStream.gzipHeader + bytes(DeflateStream().block(of: own))
                    reader.read = try reader.inflate.read(first)
                    readers.append(reader)
                }
                shared.beginAnew()
            }
            let event = ByteBuffer(string: text(number))
            let block = bytes(shared.block(of: event))
            for index in readers.indices {
                readers[index].expected += bytes(event)
                readers[index].read += try readers[index].inflate.read(block)
                // At once, not some events later.
                #expect(readers[index].read == readers[index].expected)
            }
        }
        #expect(readers.count == 24)
    }

    /// Without a new beginning, blocks refer to what a newcomer has not got: the reason for it.
    @Test func whoJoinsWithoutANewBeginningCannotRead() throws {
        let shared = DeflateStream()
        _ = shared.block(of: ByteBuffer(string: text(6)))
        let block = bytes(shared.block(of: ByteBuffer(string: text(6))))
        let inflate = InflateStream()
        #expect(throws: InflateStream.Fault.self) {
            try inflate.read(DeflateStream.gzipHeader + block)
        }
    }

    @Test(arguments: [0, 1, 255, 256, 257, 65_535, 1 << 20])
    func bytesOfAnyNumberComeOut(count: Int) throws {
        var numbers = SystemRandomNumberGenerator()
        let random = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        let blocks = DeflateStream().block(of: ByteBuffer(bytes: random))
        let read = try InflateStream().read(DeflateStream.gzipHeader + bytes(blocks))
        #expect(read == random)
    }

    @Test func sharedContextIsSmaller() {
        let shared = DeflateStream()
        var (together, alone) = (0, 0)
        for number in 0..<200 {
            let event = ByteBuffer(string: text(number))
            together += shared.block(of: event).readableBytes
            alone += DeflateStream().block(of: event).readableBytes
        }
        #expect(together * 2 < alone)
    }
}
