@testable import PageSyntax

/// The imports of a JavaScript module.
enum ModuleImportsTarget: FuzzTarget {
    static let name = "module-imports"
    static let shapes = [
        HostileShape("import'a'"), HostileShape("/*"), HostileShape("//"), HostileShape("{", after: "import"),
        HostileShape("}", after: "export{"), HostileShape("\\", after: "import'"), HostileShape(";"),
        HostileShape("'a'"), HostileShape("import{\n"), HostileShape("\nimport a"), HostileShape("export{a\n"),
        HostileShape("`${"), HostileShape("`"), HostileShape("x=/["), HostileShape("{import'a'"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        for specifier in ModuleImports(input.bytes).specifiers {
            try claim(specifier.unicodeScalars.count < input.bytes.count, "shorter than with its quotes", [specifier])
            try claim(!specifier.contains("\\") && !specifier.contains("\n"), "as it is written", [specifier])
        }
    }
}
