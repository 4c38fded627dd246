/// Values that would contain themselves: one link of each such circle goes through a box.
enum Cycles {
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
