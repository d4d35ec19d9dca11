import CollectionChanges

/// Makes an item path; short for records with many.
func path(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }

/// Returns the error that `body` throws, or `nil`.
func rejection<Result>(
    of body: @autoclosure () throws(HierarchyUpdateError) -> Result
) -> HierarchyUpdateError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// Makes a record from a short form such as `D0.1+0.2 M0.0>1.3 RS1/5 H0+2`.
///
/// `D`, `I`, `R`, `C` and `M` delete, insert, reload, reconfigure and move items; with an `S` they
/// edit sections. `H` and `F` reload headers and footers, and `X` reloads everything. An option
/// follows a slash.
func record(_ text: String) -> HierarchyChangeSet {
    HierarchyChangeSet(text.split(separator: " ").map { operation(String($0)) })
}

private func operation(_ text: String) -> HierarchyChangeSet.Operation {
    let parts = text.split(separator: "/")
    let option = parts.count > 1 ? AnimationOption(rawValue: Int(parts[1])!) : .automatic
    let letters = String(parts[0].prefix { $0.isLetter })
    let places = parts[0].dropFirst(letters.count)
    let ends = places.split(separator: ">").map { $0.split(separator: "+").map(String.init) }
    func paths(_ end: Int) -> [ItemPath] {
        guard end < ends.count else { return [] }
        return ends[end].map {
            let numbers = $0.split(separator: ".").map { Int($0)! }
            return path(numbers[0], numbers[1])
        }
    }
    func sections(_ end: Int) -> SectionSet {
        SectionSet(end < ends.count ? ends[end].map { Int($0)! } : [])
    }
    switch letters {
    case "D": return .deleteItems(paths(0), option)
    case "I": return .insertItems(paths(0), option)
    case "R": return .reloadItems(paths(0), option)
    case "C": return .reconfigureItems(paths(0), option)
    case "M": return .moveItem(at: paths(0)[0], to: paths(1)[0], option)
    case "DS": return .deleteSections(sections(0), option)
    case "IS": return .insertSections(sections(0), option)
    case "RS": return .reloadSections(sections(0), option)
    case "CS": return .reconfigureSections(sections(0), option)
    case "MS": return .moveSection(sections(0).first!, toSection: sections(1).first!, option)
    case "H": return .reloadSupplementaries(.header, in: sections(0), option)
    case "F": return .reloadSupplementaries(.footer, in: sections(0), option)
    case "X": return .reloadData(option)
    default: fatalError("unknown operation \(letters)")
    }
}

/// Makes edits from a short form such as `-0.1m0.0/2 +0.0m0.1/2 -1d +1i*2`: the removed or inserted
/// place with its role, followed by the associated place, the number of new items, and the option.
func edits(_ text: String) -> [HierarchyEdit] {
    let form =
        #/([-+])(-?\d+)(?:\.(-?\d+))?([dirm])(?:(-?\d+)(?:\.(-?\d+))?)?(?:\*(-?\d+))?(?:/(\d+))?/#
    let roles: [Substring: EditRole] = ["d": .delete, "i": .insert, "r": .reload, "m": .move]
    return text.matches(of: form).map { match in
        let (_, sign, section, item, letter, otherSection, otherItem, newItemCount, option) = match
            .output
        let animation = option.map { AnimationOption(rawValue: Int($0)!) } ?? .automatic
        if let item {
            let edit = ItemEdit(
                path: path(Int(section)!, Int(item)!),
                role: roles[letter]!,
                associatedWith: otherSection.map { path(Int($0)!, Int(otherItem!)!) },
                animation: animation
            )
            return sign == "-" ? .removeItem(edit) : .insertItem(edit)
        }
        let edit = SectionEdit(
            section: Int(section)!,
            role: roles[letter]!,
            associatedWith: otherSection.map { Int($0)! },
            newItemCount: newItemCount.map { Int($0)! } ?? 0,
            animation: animation
        )
        return sign == "-" ? .removeSection(edit) : .insertSection(edit)
    }
}
