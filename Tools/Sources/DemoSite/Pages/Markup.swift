/// The site's pages as HTML. References to built files are written `~/name`, as in every source.
struct Markup {
    let version: Int
    let hosts: DemoHosts

    /// Path and HTML of every page.
    func pages() -> [(path: String, html: String)] {
        var pages = [(path: "/", html: shell(title: "Pantry", tab: "Shop", body: home))]
        for product in Product.all {
            let html = shell(title: "\(product.name) · Pantry", tab: "Shop", body: item(product))
            pages.append((path: "/item/\(product.number)", html: html))
        }
        pages.append((path: "/basket", html: shell(title: "Basket · Pantry", tab: "Basket", body: basket)))
        return pages
    }

    /// The page that a browser shows after its own form has sent a file.
    static func thanks(json: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8"><title>Thank you · Pantry</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <body style="font: 16px/1.5 sans-serif; margin: 32px 20px">
        <h1>Thank you</h1><p>It arrived whole:</p><pre style="white-space: pre-wrap">\(json)</pre>
        <p><a href="/">Back</a></p>

        """
    }

    private func shell(title: String, tab: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en" data-version="\(version)">
        <head>
        <meta charset="utf-8">
        <title>\(title)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <meta name="theme-color" content="#f6f4ed" media="(prefers-color-scheme: light)">
        <meta name="theme-color" content="#0f1511" media="(prefers-color-scheme: dark)">
        <link rel="icon" href="/favicon.svg" type="image/svg+xml">
        <link rel="preconnect" href="\(hosts.assets)" crossorigin>
        <link rel="modulepreload" href="~/vendor.js">
        <link rel="modulepreload" href="~/runtime.js" crossorigin>
        <link rel="preload" as="font" type="font/ttf" href="~/pantry.ttf" crossorigin>
        <link rel="stylesheet" href="/static/theme.css">
        <link rel="stylesheet" href="~/base.css">
        <link rel="stylesheet" href="~/fonts.css">
        <link rel="stylesheet" href="~/components.css">
        <script type="module" src="~/app.js" crossorigin></script>
        </head>
        <body>
        <header class="bar">
        <a class="brand" href="/"><img src="/img/logo" width="32" height="32" alt="">pantry</a>
        <label class="search">\(Icon.search)\
        <input type="search" placeholder="Search the shop" aria-label="Search the shop"></label>
        <a class="round" href="/basket" aria-label="Basket">\(Icon.bag)<b id="count">3</b></a>
        </header>
        <main>\(body)</main>
        <footer class="foot">Release \(version) · <a href="/old-home">Start page</a> · \
        Made-up goods, made-up prices</footer>
        <nav class="tabs">
        \(tabs(current: tab))
        </nav>
        </body>
        </html>

        """
    }

    private func tabs(current: String) -> String {
        let tabs = [
            ("Shop", "/", Icon.shop), ("Recipes", "/#film", Icon.book), ("Basket", "/basket", Icon.bag),
            ("Share", "/#share", Icon.camera),
        ]
        return tabs.map { name, path, icon in
            "<a href=\"\(path)\"\(name == current ? " aria-current=\"page\"" : "")>\(icon)\(name)</a>"
        }.joined(separator: "\n")
    }

    private var home: String {
        let season = version == 1 ? "Spring · week 14" : "Autumn · week 41"
        let headline = version == 1 ? "Good food,<br>close by." : "Autumn<br>harvest."
        // The still lies under the film: engines leave video layers out of pictures that are taken of a page.
        let film = "\(hosts.assets)\(Artwork.filmStem)"
        return """

            <section class="hero">\(image("fields", alt: "", width: 400, height: 230))
            <div><p>\(season)</p><h1 class="headline">\(headline)</h1></div></section>
            <p class="strip"><img src="/r/today" alt=""><span id="strip"></span></p>
            <nav class="chips"><a href="/">All</a><a href="/">Vegetables</a><a href="/">Fruit</a><a href="/">Bakery</a>\
            <a href="/">Dairy</a></nav>
            <section class="wrap" id="route"></section>
            <section class="wrap" id="film"><div class="panel">
            <div class="film"><img src="\(film).png" width="320" height="180" alt="">\
            <video src="\(film).mov" crossorigin muted playsinline preload="auto"></video>\(Icon.play)</div>
            <div class="text"><h2>From seed to shelf</h2><p>A tomato's summer in three seconds.</p></div>
            </div></section>
            <section class="wrap" id="share"><div class="panel">
            <form action="/upload" method="post" enctype="multipart/form-data">
            <h2>Show us your dish</h2><p>The best pictures go on our wall.</p>
            <label class="file">\(Icon.camera)<span>Choose a picture</span><input type="file" name="photo"></label>
            <button class="button">Send picture</button></form></div></section>

            """
    }

    private func item(_ product: Product) -> String {
        """

        <div class="picture"><img src="\(hosts.assets)/img/\(product.picture)@2x.png" \
        width="400" height="320" \
        alt="\(product.name)"></div>
        <section class="wrap" id="route" data-item="\(product.number)"></section>

        """
    }

    private var basket: String {
        """

        <section class="wrap"><h1 class="headline small" style="margin: 14px 0 6px">Your basket</h1></section>
        <section class="wrap" id="route"></section>

        """
    }

    private func image(_ name: String, alt: String, width: Int, height: Int) -> String {
        let base = "\(hosts.assets)/img/\(name)"
        return "<img src=\"\(base).png\" srcset=\"\(base).png 1x, \(base)@2x.png 2x\" width=\"\(width)\" "
            + "height=\"\(height)\" alt=\"\(alt)\">"
    }
}
