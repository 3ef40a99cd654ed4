import CacheTesting
import Foundation
import Locking
import Testing

/// `larder preload --with-files --screen` beside what real WebKit asks for.
@Suite("Images for a screen")
struct ScreenImagesTests {
    private static let images = """
        <img src=1a srcset='1b 2x, 1c 3x'><img srcset='2a 100w, 2b 900w, 2c 2000w, 2d 4000w'>
        <img src=3a srcset='3b 100w, 3c 300w, 3d 600w' sizes='25vw'>
        <img srcset='4a 100w, 4b 300w, 4c 600w' sizes='(max-width: 100px) 90px, (min-width: 101px) 250px, 1px'>
        <img srcset='5a 100w, 5b 300w, 5c 600w' sizes='calc(100vw / 4 + 2em)'>
        <img srcset='6a 100w, 6b 300w, 6c 600w' sizes='50%, 280px'>
        <img srcset='17a 100w, 17b 300w, 17c 600w' sizes='max(10px, 280px)'>
        <img srcset='18a 100w, 18b 300w, 18c 600w' sizes='min(100vw, 280px)'>
        <img srcset='19a 100w, 19b 300w, 19c 600w' sizes='clamp(1px, 280px, 300px), 1px'>
        <img srcset='20a 100w, 20b 300w, 20c 600w' sizes='280'>
        <picture><source media='(max-width: 100px)' srcset=7a><source media='(width > 100px)' srcset='7b, 7c 2x'><img src=7d></picture>
        <picture><source type=image/webp srcset=8a><img src=8b></picture>
        <picture><source type=text/plain srcset=9a><img src=9b></picture>
        <picture><source media='not screen' srcset=10a><source media='(orientation: landscape), (orientation: portrait)' srcset=10b><img src=10c></picture>
        <img src=11a srcset='11b 1x 2x, 11c 5h'><img src=12a srcset='12b 0.5x, 12c 1x, 12d 1.5x'>
        <picture><source srcset=''><source srcset='13a 1x'><img src=13b></picture>
        <picture><source media='(min-resolution: 1.5dppx)' srcset=14a><source media='(min-aspect-ratio: 1/1000)' srcset=14b><img src=14c></picture>
        <link rel=preload as=image href=15a imagesrcset='15b 100w, 15c 600w' imagesizes=300px>
        <link rel=preload as=image href=16a media=print>
        <img srcset='21a 1x, 21b 2x, 21c 2.5x, 21d 4x'><img srcset='22a 1.9x, 22b 2.1x, 22c 3.1x'>
        <img srcset='23a 400w, 23b 780w, 23c 781w, 23d 1170w, 23e 1171w'>
        <img srcset='24a 2x, 24b 2x, 24c 3x, 24d 3x'><img srcset='25a 0.1x, 25b 0.2x'>
        """

    @Test("those that WebKit loads, and no others", arguments: ["390x844@1", "390x844@3", "820x600@2", "1000x700@4"])
    func chosen(_ screen: String) async throws {
        let folder = try TemporaryDirectory()
        let asked = LockedBox<Set<String>>([])
        let origin = try await PageOrigin.start { request in
            asked.withLock { _ = $0.insert(request.path == "/size" ? "/size?" + request.query : request.path) }
            switch request.path {
            case "/":
                return .init(
                    fields: ["Content-Type": "text/html"],
                    body: "<title>images</title><p>text</p>" + Self.images
                        + "<script>new Image().src = `/size?${innerWidth}x${innerHeight}@${devicePixelRatio}`</script>")
            default:
                return .init(
                    fields: ["Content-Type": "image/svg+xml"],
                    body: "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>")
            }
        }
        let page = "http://127.0.0.1:\(origin.port)/"
        let opened = try await ToolProcess.run(
            ToolProcess.larder, ["open", page, "--screen", screen, "--store", folder.store])
        #expect(opened.out.contains("images: opened"), "\(opened)")
        let byWebKit = asked.withLock { $0 }
        #expect(byWebKit.contains("/size?" + screen))
        asked.withLock { $0 = [] }
        let preloaded = try await ToolProcess.run(
            ToolProcess.larder,
            ["preload", page, "--with-files", "--screen", screen, "--store", folder.path + "/other"])
        #expect(preloaded.status == 0, "\(preloaded)")
        let images = byWebKit.filter { !$0.hasPrefix("/size?") && $0 != "/favicon.ico" }
        #expect(asked.withLock { $0 }.symmetricDifference(images) == [], "for \(screen)")
        #expect(images.count > 14)
        await origin.stop()
    }

    @Test(
        "what is no screen is refused",
        arguments: ["390", "390x", "x844", "axb", "0x1", "390x844@", "390x844@0", "1x1@1@1"])
    func refused(_ text: String) async throws {
        let output = try await ToolProcess.run(
            ToolProcess.larder, ["preload", "http://127.0.0.1:1/", "--with-files", "--screen", text])
        #expect(output.status == 2 && output.err.contains("such as 390x844@3"), "\(output)")
    }
}
