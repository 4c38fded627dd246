import OpenAPIDocument

/// Writes what a package has beside its generated code, which is the user's after the first run.
struct PackageWriter {
    let model: APIModel

    /// The page that says how to make a first call.
    func readme() -> String {
        let name = model.name
        let title = Comment.line(model.document.title, width: 80)
        let call = firstCall.map { "\n```swift\n\($0)\n```\n" } ?? ""
        return """
            # \(title.isEmpty ? name : title)

            A Swift client for \(name), generated from its OpenAPI document by `apibase generate`. Each call is a class; their
            groups are in `Sources/\(name)/\(name).docc`.
            \(call)
            What all calls share is in `Sources/\(name)/\(name)API.swift`. When the document changes, `apibase generate` in this
            folder replaces the generated files; this one and `Package.swift` stay as they are.

            """
    }

    /// The call that needs the fewest arguments.
    private var firstCall: String? {
        let calls = model.operations.compactMap { operation -> (count: Int, text: String)? in
            guard operation.outline.method == "GET", !operation.isDeprecated, operation.events == nil,
                operation.result != .void
            else { return nil }
            let needed = LeafArguments(operation).all.filter(\.isNeeded)
            let values = needed.compactMap { argument in
                sample(argument.type).map { argument.isUnlabeled ? $0 : "\(argument.escapedName): \($0)" }
            }
            guard values.count == needed.count else { return nil }
            return (values.count, "\(operation.name)(\(values.joined(separator: ", ")))")
        }
        guard let call = calls.min(by: { $0.count < $1.count })?.text else { return nil }
        guard let authorization else { return "import \(model.name)\n\nprint(try await \(call).value())" }
        return """
            import APIBaseKit
            import \(model.name)

            let account = APIAccount(authorization: \(authorization))
            print(try await \(call).on(account).value())
            """
    }

    /// A value in Swift.
    private func sample(_ type: SwiftType) -> String? {
        switch type {
        case .string: return "\"…\""
        case .int, .int64, .uint64, .double: return "1"
        case .bool: return "true"
        case .array: return "[]"
        case .declared(let declaration):
            return declaration.enumeration?.constants.first.map { ".\(Identifier.escaped($0.name))" }
        default: return nil
        }
    }

    /// The credentials of most calls as an account has them.
    private var authorization: String? {
        switch model.security.usual.schemes.first?.kind {
        case .token: ".bearer(\"…\")"
        case .password: ".basic(user: \"…\", password: \"…\")"
        case .header(let key): ".header(\(Literal.string(key)), \"…\")"
        case .query, .cookie, nil: nil
        }
    }

    static func isURL(_ place: String) -> Bool { place.contains("://") || place.hasPrefix("git@") }

    /// `Package.swift` with the kit at a path or a URL.
    static func manifest(_ name: String, kit: String, version: String) -> String {
        let isURL = isURL(kit)
        let last = kit.split(separator: "/").last.map(String.init) ?? kit
        let package = Literal.string(isURL && last.hasSuffix(".git") ? String(last.dropLast(4)) : last)
        let dependency = isURL ? "url: \(Literal.string(kit)), from: \"\(version)\"" : "path: \(Literal.string(kit))"
        return """
            // swift-tools-version: 6.2

            import PackageDescription

            let package = Package(
                name: "\(name)",
                platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
                products: [.library(name: "\(name)", targets: ["\(name)"])],
                // A package that others add by its URL needs the kit by a URL, too: SwiftPM refuses a path there.
                dependencies: [.package(\(dependency))],
                targets: [
                    .target(
                        name: "\(name)",
                        dependencies: [.product(name: "APIBaseKit", package: \(package))],
                        exclude: ["apibase.json"]
                    ),
                    .testTarget(
                        name: "\(name)Tests",
                        dependencies: ["\(name)", .product(name: "APIBaseContract", package: \(package))]
                    ),
                ]
            )

            """
    }
}
