import CollectionChanges

@testable import git_timelapse

/// A repository's model beside a dictionary, which commits change in the plainest way.
struct CheckedRepository {
    private var model = RepositoryModel()
    private var files: [Place: Entry] = [:]

    private struct Place: Hashable {
        let directory: FileName
        let name: FileName

        init(_ path: FileName) { (directory, name) = path.splitIntoDirectoryAndName() }

        init(_ directory: FileName, _ name: FileName) {
            (self.directory, self.name) = (directory, name)
        }
    }

    private struct Entry: Equatable {
        var content: FileContent
        var subject: String
        /// Where it was before the last commit; nil if it was not there.
        var origin: Place?
    }

    mutating func apply(_ commit: GitCommit) {
        let expected = files(after: commit)
        let before = model
        do throws(CommitMismatch) {
            let changes = try model.apply(commit)
            guard let expected else { return check(false, "\(commit) should not fit \(before)") }
            files = expected
            checkFiles(commit)
            checkChanges(changes, from: before)
        } catch {
            check(expected == nil, "\(commit) should fit \(before)")
            check(model == before, "\(commit) does not fit, but changes \(before)")
            check(DecoderJob.isOneLine(error.description), "a message of several lines: \(error)")
        }
    }

    /// nil where the commit does not fit.
    private func files(after commit: GitCommit) -> [Place: Entry]? {
        var gone: Set<Place> = []
        var touched: Set<Place> = []
        var arrivals: [(Place, Entry)] = []
        for change in commit.changes {
            let source: FileName?
            switch change {
            case .add(let path, let content):
                arrivals.append((Place(path), Entry(content: content, subject: commit.subject)))
                source = nil
            case .delete(let path): source = path
            case .modify(let path, _): source = path
            case .rename(let path, let target, let content):
                let origin = Place(path)
                let entry = Entry(content: content, subject: commit.subject, origin: origin)
                arrivals.append((Place(target), entry))
                source = path
            }
            guard let source = source.map(Place.init) else { continue }
            guard files[source] != nil, touched.insert(source).inserted else { return nil }
            if case .modify = change { continue }
            gone.insert(source)
        }
        var result = files
        for place in files.keys { result[place]?.origin = place }
        for place in gone { result[place] = nil }
        for case .modify(let path, let content) in commit.changes {
            let place = Place(path)
            result[place] = Entry(content: content, subject: commit.subject, origin: place)
        }
        for (place, entry) in arrivals {
            guard result.updateValue(entry, forKey: place) == nil else { return nil }
        }
        return result
    }

    private func checkFiles(_ commit: GitCommit) {
        var count = 0
        for section in model.sections {
            check(!section.files.isEmpty, "\(section.path) has no files after \(commit)")
            for file in section.files {
                let entry = files[Place(section.path, file.name)]
                check(
                    entry?.content == file.content && entry?.subject == file.subject,
                    "\(section.path), \(file.name) is wrong after \(commit)"
                )
                count += 1
            }
        }
        check(count == files.count && count == model.fileCount, "files are lost in \(commit)")
    }

    /// The record leads from one model to the other, and names whatever shows another text.
    private func checkChanges(_ changes: HierarchyChangeSet, from before: RepositoryModel) {
        let update: ValidatedChangeSet
        do throws(HierarchyUpdateError) {
            update = try changes.validated(from: before.shape, to: model.shape)
        } catch {
            return check(false, "\(changes) does not lead from \(before) to \(model): \(error)")
        }
        let old = before.sections.map { section in
            section.files.map { Place(section.path, $0.name) as Place? }
        }
        let after = update.applyUnchecked(to: old) { _ in nil }
        let reconfigured = Set(update.reconfigurations.map(\.oldPath))
        for (index, section) in model.sections.enumerated() {
            for (item, file) in section.files.enumerated() {
                let origin = files[Place(section.path, file.name)]?.origin
                check(after[index][item] == origin, "\(file) comes from elsewhere by \(changes)")
                let path = ItemPath(section: index, item: item)
                guard let oldPath = update.oldPath(for: path) else { continue }
                check(
                    before.file(at: oldPath) == file || reconfigured.contains(oldPath),
                    "\(file) is not reconfigured by \(changes)"
                )
            }
        }
    }

    /// What git would list is what the model has, in its order.
    func checkListing() {
        let text = DecoderJob.text(of: model.listing)
        let (listing, error) = DecoderJob.listing(DecoderJob.Pieces(text, (5, 3)))
        guard let listing else { return check(false, "git would not list it: \(error!)") }
        let comparison = TreeComparison(of: model.listing, with: listing)
        check(comparison.differences == 0, "\(comparison.descriptions)")
    }
}
