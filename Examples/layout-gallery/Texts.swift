/// The texts in the pictures, all in the public domain.
enum Texts {
    /// First sentences of books, with short titles.
    static let openings = named(
        """
        Pride: It is a truth universally acknowledged, that a single man in possession of a good \
        fortune, must be in want of a wife.
        Moby-Dick: Call me Ishmael.
        Karenina: Happy families are all alike; every unhappy family is unhappy in its own way.
        Two Cities: It was the best of times, it was the worst of times, it was the age of \
        wisdom, it was the age of foolishness.
        Peter Pan: All children, except one, grow up.
        Alice: Alice was beginning to get very tired of sitting by her sister on the bank, and of \
        having nothing to do.
        Walden: When I wrote the following pages, or rather the bulk of them, I lived alone, in \
        the woods, a mile from any neighbor.
        Carol: Marley was dead: to begin with.
        Time Machine: The Time Traveller (for so it will be convenient to speak of him) was \
        expounding a recondite matter to us.
        Jane Eyre: There was no possibility of taking a walk that day.
        Emma: Emma Woodhouse, handsome, clever, and rich, with a comfortable home and happy \
        disposition, seemed to unite some of the best blessings of existence.
        Middlemarch: Miss Brooke had that kind of beauty which seems to be thrown into relief by \
        poor dress.
        """
    )

    /// Sayings from Poor Richard's Almanack.
    static let sayings = lines(
        """
        Haste makes waste.
        Fish and visitors stink in three days.
        Lost time is never found again.
        Well done is better than well said.
        Beware of little expenses; a small leak will sink a great ship.
        An empty bag cannot stand upright.
        Have you somewhat to do tomorrow, do it today.
        Eat to live, and not live to eat.
        He that lies down with dogs, shall rise up with fleas.
        Glass, china, and reputation, are easily cracked, and never well mended.
        The rotten apple spoils his companion.
        Half a truth is often a great lie.
        """
    )

    static let europe = words("Lisbon Kraków Oslo Reykjavík Thessaloniki Ghent Vilnius Porto Bern")
    static let asia = words("Ulaanbaatar Hanoi Osaka Tbilisi Samarkand Kathmandu Busan Colombo")
    static let africa = words("Dakar Ouagadougou Fes Antananarivo Accra Windhoek Kigali Tunis")
    static let america = words("Quito Montevideo Lima Tegucigalpa Halifax Oaxaca Valparaíso Reno")
    static let colours = words("madder ochre umber indigo woad weld verdigris smalt lake bistre")

    static func words(_ text: String) -> [GalleryItem] {
        text.split(separator: " ").map { GalleryItem(String($0)) }
    }

    private static func lines(_ text: String) -> [GalleryItem] {
        text.split(separator: "\n").map { GalleryItem(String($0)) }
    }

    /// Parses lines of a name, a colon and a text.
    private static func named(_ text: String) -> [GalleryItem] {
        text.split(separator: "\n").map { line in
            let name = line.prefix { $0 != ":" }
            return GalleryItem(String(name), String(line.dropFirst(name.count + 2)))
        }
    }

    static func openings(_ range: Range<Int>) -> [GalleryItem] { Array(openings[range]) }

    static func sayings(_ range: Range<Int>) -> [GalleryItem] { Array(sayings[range]) }
}
