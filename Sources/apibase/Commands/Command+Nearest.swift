extension Command {
    /// The command that was probably meant by a name that none has; `nil` if no name is near.
    static func nearest(to name: String) -> Command? {
        let near = all.map { (command: $0, distance: distance(from: name, to: $0.name)) }
            .filter { $0.distance <= max(1, $0.command.name.count / 3) }
        return near.min { $0.distance < $1.distance }?.command
    }

    /// The number of letters to insert, remove or replace, or of neighbors to exchange, that make one word the other (optimal
    /// string alignment).
    private static func distance(from one: String, to other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var rows = [Array(0...other.count)]
        for (i, letter) in one.enumerated() {
            var row = [i + 1]
            for (j, otherLetter) in other.enumerated() {
                let replaced = rows[i][j] + (letter == otherLetter ? 0 : 1)
                row.append(min(rows[i][j + 1] + 1, row[j] + 1, replaced))
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == otherLetter {
                    row[j + 1] = min(row[j + 1], rows[i - 1][j - 1] + 1)
                }
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
