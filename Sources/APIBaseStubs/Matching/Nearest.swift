extension Sequence {
    /// The three that come nearest to a request, the nearest first; of those that are as near, the first ones.
    func nearest(by distance: (Element) -> Int) -> [Element] {
        enumerated().map { (offset: $0.offset, distance: distance($0.element), element: $0.element) }
            .sorted { ($0.distance, $0.offset) < ($1.distance, $1.offset) }
            .prefix(3)
            .map(\.element)
    }
}
