/// Pages and style sheets that name files of their own host by absolute addresses.
extension MatrixFiles {
    private static func address(_ path: String, _ id: String) -> String {
        "https://example.com\(path)?cache=no-store&id=static-\(id)"
    }

    static let withAddresses: [String: File] = {
        var policy = File(
            html,
            telling(
                """
                const image = new Image();
                [image.onload, image.onerror] = [() => tell('loaded'), () => tell('error')];
                image.src = 'https://example.com/image.png?absolute-policy';
                """))
        policy.otherFields["Content-Security-Policy"] =
            "default-src 'none'; img-src https://example.com; script-src 'unsafe-inline'"
        return [
            "/absolute.html": File(html, document),
            "/absolute.css": File(
                "text/css",
                """
                @import "\(address("/imported.css", "atimport"))";
                @font-face { font-family: absolute; src: url(\(address("/font.ttf", "font"))) }
                .sheet { background: url('\(address("/image.png", "url"))') }
                """),
            "/absolute-module.js": File(script, "import './module.js?relative';"),
            "/absolute-text.html": File(html, text),
            "/checked.css": File(
                "text/css",
                ".checked { color: rgb(7, 8, 9); background: url(https://example.com/image.png?checked) }"),
            "/integrity.html": File(
                html,
                """
                <!doctype html><link rel=stylesheet href=https://example.com/checked.css
                integrity="sha256-FQLWPNIBFTyUc82nKi2ewiBYyAJ8sYPnbCdEIH3XEpw="><p class=checked>
                """ + telling("onload = () => tell(getComputedStyle(document.querySelector('.checked')).color);")),
            "/absolute-policy.html": policy,
        ]
    }()

    private static let document = """
        <!doctype html><meta charset=utf-8><base href="https://example.com/">
        <script type=importmap>{"imports": {"mapped": "\(address("/module.js", "map"))"}}</script>
        <link rel=stylesheet href="\(address("/absolute.css", "sheet"))">
        <style>div { width: 5px; height: 5px } .style { background: url(\(address("/image.png", "style"))) }</style>
        <div class=sheet></div><div class=style></div>
        <img src=\(address("/image.png", "img"))><img srcset="\(address("/image.png", "srcset")) 1x">
        <template><img src=\(address("/image.png", "template"))></template>
        <svg><image href="\(address("/image.png", "svg"))"/></svg>
        <img src="/image.png?cache=no-store&id=static-base">
        <script src=\(address("/script.js", "script"))></script>
        <script type=module src="\(address("/absolute-module.js", "module"))"></script>
        """
        + telling(
            """
            const loaded = new Promise(resolve => { onload = resolve; });
            const copy = document.querySelector('template').content.firstChild.cloneNode();
            const copied = new Promise(resolve => { copy.onload = copy.onerror = resolve; });
            document.body.append(copy);
            """) + """
            <script type=module>
            import 'mapped';
            await document.fonts.load('16px absolute');
            await Promise.all([loaded, copied]);
            tell('img srcset script module map sheet atimport url font style template svg base');
            </script>
            """

    private static let text = """
        <!doctype html><base href="https://example.com/a/"><link rel=stylesheet href=https://example.com/sheet.css>
        <style>p { background: url(https://example.com/image.png) }</style>
        <script type=importmap>{"imports": {"a": "https://example.com/module.js"}}</script>
        <img src=https://example.com/image.png srcset="https://example.com/image.png 2x"
        style="background: url(https://example.com/image.png)">
        """
        + telling(
            """
            const turned = new RegExp('app-' + 'cache', 'i');
            const of = selector => document.querySelector(selector), img = of('img');
            const read = [of('link').href, of('link').getAttribute('href'), of('base').href, of('style').textContent,
              of('style').innerHTML, of('[type=importmap]').textContent, of('[type=importmap]').text, img.src, img.srcset,
              img.outerHTML, img.getAttribute('style'), img.style.background, img.style.cssText, img.attributes.src.value,
              document.documentElement.outerHTML, new XMLSerializer().serializeToString(img),
              document.styleSheets[1].cssRules[0].cssText];
            const wrong = read.findIndex(text => !text.includes('https://') || turned.test(text));
            tell(wrong < 0 ? 'as it was written' : `${wrong} ${read[wrong]}`.replace(turned, 'turned'));
            """)
}
