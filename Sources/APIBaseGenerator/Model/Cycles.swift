import OpenAPIDocument

/// Types that lead back to themselves.
enum Cycles {
    /// Leaves out a case that is the union itself, or a union that leads back to it: its value is in the same place of
    /// the JSON, so decoding it would never end.
    static func cut(_ declarations: [Declaration], _ warnings: Warnings) {
        var open: Set<Declaration> = []
        var done: Set<Declaration> = []
        func visit(_ declaration: Declaration) {
            guard var union = declaration.union, done.insert(declaration).inserted else { return }
            open.insert(declaration)
            union.cases.removeAll { element in
                guard let inner = element.type.contained else { return false }
                visit(inner)
                guard open.contains(inner) else { return false }
                let text = "the choice “\(inner.name)” is this one again, and is left out of “\(declaration.name)”"
                warnings.add(declaration.node.pointer, text)
                return true
            }
            declaration.kind = .union(union)
            open.remove(declaration)
        }
        for declaration in declarations { visit(declaration) }
    }

    /// Values that would contain themselves: one link of each such circle goes through a box.
    static func box(_ declarations: [Declaration]) {
        var search = Search()
        for declaration in declarations { search.visit(declaration) }
    }

    private struct Search {
        private var path: Set<Declaration> = []
        private var done: Set<Declaration> = []

        mutating func visit(_ declaration: Declaration) {
            guard done.insert(declaration).inserted else { return }
            path.insert(declaration)
            switch declaration.kind {
            case .structure(var structure):
                for index in structure.properties.indices where closes(structure.properties[index].type) {
                    structure.properties[index].isBoxed = true
                }
                declaration.kind = .structure(structure)
            case .union(var union):
                for element in union.cases where closes(element.type) { union.isIndirect = true }
                declaration.kind = .union(union)
            case .enumeration: break
            }
            path.remove(declaration)
        }

        /// Whether a part of this type leads back to what is being visited. Visits it if it is new.
        private mutating func closes(_ type: SwiftType) -> Bool {
            guard let contained = type.contained else { return false }
            if path.contains(contained) { return true }
            visit(contained)
            return false
        }
    }
}
