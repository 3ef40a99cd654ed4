import Testing

@testable import PageScripts

@Suite("The script that turns addresses")
struct AddressScriptTests {
    @Test("it is given the hosts and what is left out; what is no host can't end the text that it stands in")
    func values() {
        let rewriting = AddressRewriting(hosts: ["cdn.test:8443", "a.test", "'],alert(1),['"], includesMedia: false)
        let script = AddressScript(
            rewriting, unpatched: ["a.test": [.styles, .attributes], "'],alert(1),['": [.styles]])
        let hosts = "(['a.test', 'cdn.test:8443'], false, "
        #expect(
            script.script.contains(
                hosts + "({__proto__: null, 'a.test': {__proto__: null, attributes: true, styles: true}})["))
        #expect(script.isolatedWorldScript(UploadScript(token: "t0k3n", schemes: [])).contains(hosts + "'"))
        #expect(AddressScript().script.contains("([], true, {__proto__: null}, '"))
    }

    @Test("the two scripts share a name, and the page's own does not have the mark with which the other reports")
    func signal() throws {
        let script = AddressScript(), hook = UploadScript(token: "t0k3n", schemes: [])
        let values = { (text: String) in
            // The last line closes the condition under which a script runs.
            text.split(separator: "\n").dropLast().last?.split(separator: "'").map(String.init) ?? []
        }
        let (own, apart) = (values(script.script), values(script.isolatedWorldScript(hook)))
        try #require(own.count == 3 && apart.count == 5)
        #expect(own[1] == apart[1] && own[1].count >= 16)
        #expect(apart[3] == "larder/t0k3n" && !script.script.contains("larder/"))
        #expect(values(AddressScript().script)[1] != own[1])
    }

    @Test("each concern is a part that can be left out")
    func concerns() {
        for patch in PagePatch.allCases {
            let sources = [AddressScript.source, UploadScript.source]
            #expect(sources.contains { $0.contains("isOn('\(patch.rawValue)'") }, "\(patch)")
        }
    }
}
