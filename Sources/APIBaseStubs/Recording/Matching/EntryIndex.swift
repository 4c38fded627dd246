/// Finds the entries that answer a request in time that does not grow with their number.
///
/// Entries are found by what they say. Those with markers, which stand for anything, have a table for each set of their places.
struct EntryIndex: Sendable {
    private var tables: [[ComparableRequest.Place]: [String: [Int]]] = [:]

    /// Adds the entry with this number, which is greater than those before.
    mutating func insert(_ number: Int, _ request: ComparableRequest) {
        let places = request.wildPlaces
        tables[places, default: [:]][request.key(without: places), default: []].append(number)
    }

    /// Lists of numbers, each in its order: every entry that answers is in one of them, and some that do not.
    func candidates(for request: ComparableRequest) -> [[Int]] {
        tables.compactMap { places, table in table[request.key(without: places)] }
    }
}
