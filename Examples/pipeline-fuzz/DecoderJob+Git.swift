import CollectionChanges

@testable import git_timelapse

extension DecoderJob {
    static func readLog(_ bytes: inout Bytes, _ text: (inout Bytes) -> [UInt8]) {
        let sizes = (Int(bytes.next()), 1 + Int(bytes.next() % 16))
        let text = text(&bytes)
        let (commits, error) = commits(Pieces(text, sizes))
        let (whole, wholeError) = Self.commits(Pieces(text, (text.count, 1)))
        check(commits == whole && error == wholeError, "pieces of \(sizes) make another log")
        check(error.map { isOneLine($0.message) } ?? true, "a message of several lines: \(error!)")
        var repository = CheckedRepository()
        for commit in commits { repository.apply(commit) }
        repository.checkListing()
    }

    static func commits(_ pieces: Pieces) -> ([GitCommit], GitError?) {
        var pieces = pieces
        var parser = GitLogParser(NULTerminatedReader { pieces.next() })
        var commits: [GitCommit] = []
        do throws(GitError) {
            while let commit = try parser.next() { commits.append(commit) }
        } catch {
            return (commits, error)
        }
        return (commits, nil)
    }

    static func readTree(_ bytes: inout Bytes) {
        let sizes = (Int(bytes.next()), 1 + Int(bytes.next() % 16))
        let isRaw = bytes.next() & 1 == 0
        let text = isRaw ? bytes.rest() : TextMaker.text(&bytes) { $0.tree() }
        let (listing, error) = listing(Pieces(text, sizes))
        check(error.map { isOneLine($0.message) } ?? true, "a message of several lines: \(error!)")
        guard let listing else { return }
        let again = Self.listing(Pieces(Self.text(of: listing), (7, 1))).0
        check(again == listing, "\(listing) became \(again.map { "\($0)" } ?? "nothing")")
        _ = TreeComparison(of: listing, with: listing)
    }

    static func listing(_ pieces: Pieces) -> (TreeListing?, GitError?) {
        var pieces = pieces
        do throws(GitError) {
            return (try TreeListing(gitOutput: NULTerminatedReader { pieces.next() }), nil)
        } catch {
            return (nil, error)
        }
    }

    /// What git would list.
    static func text(of listing: TreeListing) -> [UInt8] {
        var text: [UInt8] = []
        for section in listing.sections {
            for file in section.files {
                text += "\(file.content.mode) blob \(file.content.object)\t".utf8
                text += section.path.appending(file.name).bytes + [0]
            }
        }
        return text
    }

    static func showText(_ bytes: inout Bytes) {
        let width = Int(bytes.next() % 20)
        let raw = bytes.rest()
        let text = String(decoding: raw, as: UTF8.self)
        let escaped = DisplayText.escaping(text)
        check(isOneLine(escaped), "still to be escaped: \(escaped)")
        let room = max(DisplayText.minimumWidth, width)
        let cut = DisplayText.truncated(escaped, to: width)
        check(DisplayText.width(of: cut) <= room, "\(cut) does not fit \(room) columns")
        let lines = DisplayText.lines(of: escaped, width: width)
        check(
            !lines.isEmpty && lines.allSatisfy { DisplayText.width(of: $0) <= room },
            "\(lines) do not fit \(room) columns"
        )
        check(
            lines.joined().unicodeScalars.lazy.filter { $0 != " " }
                .elementsEqual(escaped.unicodeScalars.lazy.filter { $0 != " " }),
            "\(lines) are not \(escaped)"
        )
        if let object = ObjectID(hexadecimal: raw) {
            check(object.description == text, "\(text) became \(object)")
            check(ObjectID(text) == object, "\(text) is not itself")
            check(text.hasPrefix(object.abbreviated), "\(text) is cut to \(object.abbreviated)")
        }
        if let mode = FileMode(octal: raw) {
            check(FileMode(octal: Array("\(mode)".utf8)) == mode, "\(text) became \(mode)")
        }
    }

    static func isOneLine(_ text: String) -> Bool { DisplayText.escaping(text) == text }
}
