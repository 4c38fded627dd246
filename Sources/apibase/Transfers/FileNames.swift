import APIBaseKit

/// The names of files that downloads go to.
enum FileNames {
    /// The last segment of the URL's path, decoded, without what no name may have in it; `nil` if it has none.
    static func name(of url: URL) -> String? {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        let segment = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return safe(segment.removingPercentEncoding ?? String(segment))
    }

    /// The name as that of a file in a folder; `nil` if it can be none.
    static func safe(_ name: String) -> String? {
        let scalars = name.unicodeScalars.map { scalar -> Character in
            scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control ? "_" : Character(scalar)
        }
        let name = String(scalars)
        return ["", ".", ".."].contains(name) ? nil : name
    }

    /// The names with a number in those that another one before has: `a.bin`, `a-2.bin`.
    static func distinct(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            let url = URL(fileURLWithPath: "/" + name)
            let (stem, ending) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
            var (distinct, number) = (name, 2)
            while !taken.insert(distinct).inserted {
                distinct = ending.isEmpty ? "\(name)-\(number)" : "\(stem)-\(number).\(ending)"
                number += 1
            }
            return distinct
        }
    }
}
