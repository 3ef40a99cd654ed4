/// A visit with Larder beside its control: the visits of one name, in the order in which they first appear.
struct VisitPair {
    let name: String
    /// Its name without the mode, see ``VisitReport/init(sideBySide:)``.
    var kind: String { String(name.prefix { $0 != "," }) }
    var larder: VisitRecord?
    var control: VisitRecord?

    /// The visits that there are, Larder's first.
    var visits: [VisitRecord] { [larder, control].compactMap { $0 } }

    /// A third visit of the same name, or a second of the same kind, opens a pair of its own.
    static func pairs(of visits: [VisitRecord]) -> [VisitPair] {
        visits.reduce(into: []) { pairs, visit in
            let slot: WritableKeyPath<VisitPair, VisitRecord?> = visit.usesLarder ? \.larder : \.control
            if let index = pairs.firstIndex(where: { $0.name == visit.name && $0[keyPath: slot] == nil }) {
                pairs[index][keyPath: slot] = visit
            } else {
                var pair = VisitPair(name: visit.name)
                pair[keyPath: slot] = visit
                pairs.append(pair)
            }
        }
    }
}
