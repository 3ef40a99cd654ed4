"""Sites made from a seed: pages and all that they load, in two releases."""
import hashlib
import html
import json
import posixpath
import random
import urllib.parse

from . import contents

KINDS = ["vite", "webpack", "kit", "plain", "clean", "redirects", "worker", "below", "based"]
ODD = ["a b", "[slug]", "price$1", "it's", "x+y", "caf\u00e9", "cafe\u0301", "q!", "a,b", "50%", "\u65e5\u672c", "a&b", "v1.2.3", "(1)",
       "a@2x"]


class Asset:
    def __init__(self, plan, kind, stem, suffix, **more):
        self.plan, self.kind, self.stem, self.suffix = plan, kind, stem, suffix
        self.label = f"{kind[0]}{len(plan.assets)}"
        self.children = []  # (how, asset)
        self.hashed = more.get("hashed", False)
        self.query = more.get("query")  # None, "v" for ?v=HASH, "" for ?HASH
        self.changes = more.get("changes", True)
        self.inert = False
        plan.assets.append(self)

    def release(self, release):
        """The release whose content this is in `release`."""
        if release == 1 or self.changes:
            return release
        return max([1] + [child.release(release) for _, child in self.children if child.hashed or child.query is not None])

    def digest(self, release):
        return hashlib.sha256(f"{self.plan.seed} {self.label} {self.release(release)}".encode()).hexdigest()

    def path(self, release):
        stem = f"{self.stem}{self.plan.separator}{self.digest(release)[:8]}" if self.hashed else self.stem
        return stem + self.suffix

    def spelled(self, release, base, style):
        """The address as a page or file of the folder of `base` writes it."""
        path = self.path(release)
        if style == "relative":
            path = posixpath.relpath(path, base or ".")
            written = self.plan.spell(path) if "/" in path else "./" + self.plan.spell(path)
        else:
            written = self.plan.prefix + self.plan.spell(path)
        if self.query is not None:
            written += "?" + (self.query and self.query + "=") + self.digest(release)[:6]
        return written

    def content(self, release):
        v, label, folder = self.release(release), self.label, posixpath.dirname(self.path(release))
        def of(child, style="relative"):
            address = child.spelled(release, folder, style)
            return address if address[0] in "./" else "./" + address
        if self.kind == "image":
            return contents.svg(v) if self.suffix == ".svg" else contents.png(v)
        if self.kind == "font":
            return contents.font(v)
        if self.kind == "json":
            return json.dumps({"v": v, "name": self.stem}).encode()
        if self.kind == "worker":
            return f"postMessage({v});\n".encode()
        if self.kind == "service":
            return (f"/* {v} */ addEventListener('install', () => skipWaiting()); "
                    "addEventListener('fetch', event => event.respondWith(fetch(event.request)));\n").encode()
        if self.kind == "style":
            text = "".join(f'@import "{of(c)}";\n' for how, c in self.children if how == "import")
            text += f":root {{ --{label}: {v} }}\n"
            for how, child in self.children:
                if how == "font":
                    text += f"@font-face {{ font-family: {child.label}; src: url({of(child)!r}) }}\n"
                elif how == "background":
                    text += f".{child.label} {{ width: 30px; height: 3px; background: url(\"{of(child)}\") }}\n"
            return text.encode()
        # Scripts, classic and modules.
        text = "".join(f"import {json.dumps(of(c))};\n" for how, c in self.children if how == "import")
        text += f"(window.L = window.L || {{}})[{label!r}] = {v};\n"
        for how, child in self.children:
            if how == "dynamic":
                text += f"(window.W = window.W || []).push(import({json.dumps(of(child))}));\n"
        return text.encode()


def quote(path):
    """As `encodeURI` has it."""
    return urllib.parse.quote(path, safe="/-._~!$'()*+,;=:@")


class Page(Asset):
    def __init__(self, plan, stem, **more):
        super().__init__(plan, "page", stem, ".html", **more)
        self.style = plan.random.choice(["relative", "root"])
        self.base = None
        self.only = None  # The one release that has it.

    def content(self, release):
        return Markup(self, release).page()


class Markup:
    """The HTML of a page, and what its script looks at: [label, kind, address]."""

    def __init__(self, page, release):
        self.document, self.plan, self.release = page, page.plan, release
        self.folder = posixpath.dirname(page.stem) if page.base is None else page.base
        self.head, self.body, self.probes, self.workers = "", "", [], ""

    def of(self, child):
        return child.spelled(self.release, self.folder, self.document.style)

    def link(self, page):
        return html.escape(self.plan.link(page, self.folder, self.document.style))

    def probe(self, child, kind):
        self.probes.append([child.label, kind, self.of(child)])

    def page(self):
        page, plan = self.document, self.plan
        if page.base is not None:
            self.head += f'<base href="{plan.prefix}{page.base}{"/" if page.base else ""}">'
        for how, child in page.children:
            self.add(how, child)
        links = "".join(f'<a href="{self.link(each)}">{n}</a> ' for n, each in enumerate(plan.pages) if not each.only)
        script = f"window.R = {page.release(self.release)}; const PROBES = {json.dumps(self.probes)}; "
        script += f"const WORKERS = {{{self.workers}}};" + contents.PROBE
        return (f"<!doctype html><html><head><meta charset=utf-8>{self.head}<title>loading</title></head>"
                f"<body><h1>Page {html.escape(page.stem)}</h1>{self.body}<p>{links}</p><script>{script}</script></body></html>").encode()

    def within(self, asset):
        """What a style or script loads."""
        for how, child in asset.children:
            if child.kind == "image":
                self.body += f'<div class="{child.label}"></div>'
            self.probe(child, {"image": "background", "module": "script"}.get(child.kind, child.kind))
            self.within(child)

    def add(self, how, child):
        address, label = html.escape(self.of(child), quote=True), child.label
        if child.kind == "style":
            self.head += f'<link rel=stylesheet href="{address}">'
            self.probe(child, "style")
            self.within(child)
        elif child.kind in ("script", "module"):
            kind = "type=module crossorigin" if child.kind == "module" else self.plan.random_of(label, ["defer", "async", ""])
            if how == "start":
                name = self.of(child) if self.of(child)[0] in "./" else "./" + self.of(child)
                self.head += f'<link rel=modulepreload href="{address}">'
                self.body += f"<script>(window.W = window.W || []).push(import({json.dumps(name)}))</script>"
            else:
                self.head += f'<script {kind} src="{address}"></script>'
            self.probe(child, "script")
            self.within(child)
        elif child.kind == "image":
            self.image(how, child, address)
        elif child.kind in ("json", "worker"):
            self.probe(child, child.kind)
            if child.kind == "worker":
                self.workers += f"{label}: () => new Worker({json.dumps(self.of(child))}), "
        elif child.kind == "service":
            name = json.dumps(self.of(child))
            self.body += f"<script>navigator.serviceWorker && navigator.serviceWorker.register({name}).catch(() => 0)</script>"
        else:
            self.frame(how, child)

    def image(self, how, child, address):
        label, one = child.label, address.replace(",", "%2C")
        if how == "icon":
            self.head += f'<link rel=icon href="{address}">'
            return
        self.body += {
            "embed": f'<embed data-l={label} type="image/svg+xml" src="{address}">',
            "set": f'<img data-l={label} alt="" srcset="{one} 1x">',
            "picture": f'<picture><source srcset="{one}"><img data-l={label} src="{address}"></picture>',
            "src": f'<img data-l={label} src="{address}">',
        }[how]
        self.probe(child, "embed" if how == "embed" else "image")

    def frame(self, how, child):
        label, address = child.label, self.link(child)
        # In a doc, the frame that is meant is in one whose text stands in the page.
        inner = html.escape(f'<iframe src="{address}"></iframe>')
        self.body += {
            "doc": f'<iframe data-l={label} srcdoc="{inner}"></iframe>',
            "object": f'<object data-l={label} type="text/html" data="{address}"></object>',
            "frame": f'<iframe data-l={label} src="{address}"></iframe>',
        }[how]
        self.probe(child, "doc" if how == "doc" else "frame")


class Plan:
    """One site. `prefix` is the path of its base."""

    def __init__(self, seed, number, kind=None):
        self.seed = f"{seed}/{number}"
        self.random = random.Random(self.seed)
        pick = self.random
        self.kind = kind or KINDS[number % len(KINDS)]
        self.assets, self.pages, self.extra = [], [], {}
        self.prefix = "/sub/app/" if self.kind == "below" else "/"
        self.separator = "." if self.kind in ("webpack", "kit") else "-"
        self.clean = self.kind in ("kit", "clean") or self.kind == "redirects" and pick.random() < 0.5
        self.redirects_html = self.clean and pick.random() < 0.5
        self.root_redirect = None
        self.is_odd = self.kind in ("plain", "clean", "based", "below", "redirects") and pick.random() < 0.6
        # Some authors write names as they are, but for what would be read as something else.
        self.spell = pick.choice([quote, lambda path: path.replace("%", "%25").replace(" ", "%20").replace('"', "%22")])
        self.make()

    def random_of(self, label, choices):
        return random.Random(f"{self.seed}{label}").choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def name(self, word, n):
        return f"{self.random.choice(ODD)}-{word}{n}" if self.is_odd and self.chance(0.35) else f"{word}{n}"

    def link(self, page, folder, style):
        """As pages of this site link to another: without the ending where the host has clean addresses."""
        path = self.address(page)
        if style == "root" or not path:
            return self.prefix + quote(path)
        return posixpath.relpath(quote(path), quote(folder) or ".") + ("/" if path.endswith("/") else "")

    def address(self, page):
        """The path of a page as it is listed or linked, not encoded."""
        path = page.stem + page.suffix
        if path == "index.html" or path.endswith("/index.html"):
            return path[:-len("index.html")]
        return page.stem if self.clean else path

    def make(self):
        kind, pick = self.kind, self.random
        hashed = kind in ("vite", "kit", "worker") or kind == "webpack" and self.chance(0.5)
        query = "" if kind == "webpack" and not hashed else "v" if kind in ("plain", "based") and self.chance(0.3) else None
        folder = {"vite": "assets/", "kit": "_app/immutable/", "webpack": pick.choice(["", "static/js/"]), "worker": "assets/"}.get(
            kind, pick.choice(["", "files/", "static/", "a/b/"]))
        modules = kind in ("vite", "kit", "worker") or kind in ("plain", "clean") and self.chance(0.4)
        count = [0]
        def asset(what, word, suffix, at=folder, **more):
            count[0] += 1
            more.setdefault("hashed", hashed)
            more.setdefault("query", None if more["hashed"] else query if what in ("script", "style", "module") else None)
            return Asset(self, what, at + self.name(word, count[0]), suffix, changes=self.chance(0.7), **more)
        scripts, styles, images, data = [], [], [], []
        for n in range(pick.randint(1, 3)):
            made = asset("module" if modules else "script", "app", ".mjs" if modules and self.chance(0.2) else ".js")
            if modules:
                for how in ("import", "dynamic"):
                    for _ in range(pick.randint(0, 2)):
                        child = asset("module", "chunk", ".js", query=None)
                        made.children.append((how, child))
                        if self.chance(0.3):
                            child.children.append(("import", asset("module", "shared", ".js", query=None)))
            scripts.append(made)
        for n in range(pick.randint(1, 2)):
            made = asset("style", "style", ".css")
            if self.chance(0.4):
                child = asset("style", "part", ".css", query=None)
                made.children.append(("import", child))
                if self.chance(0.5):
                    child.children.append(("background", asset("image", "deep", ".png", query=None)))
            if self.chance(0.6):
                made.children.append(("font", asset("font", "face", ".ttf", query=None)))
            if self.chance(0.6):
                made.children.append(("background", asset("image", "back", ".png", query=None)))
            styles.append(made)
        for n in range(pick.randint(1, 5)):
            images.append(asset("image", "pic", pick.choice([".png", ".svg", ".png"]), at=pick.choice([folder, "img/"]),
                                hashed=hashed and self.chance(0.5)))
        for n in range(pick.randint(0, 2)):
            data.append(asset("json", "data", ".json", at=pick.choice(["", "api-data/"]), hashed=False, query=None))
        icon = asset("image", "icon", ".svg", at="", hashed=False) if self.chance(0.4) else None
        worker = asset("worker", "work", ".js", hashed=False, query=None) if self.chance(0.25) else None
        service = None
        if kind == "worker" or self.chance(0.1):
            service = Asset(self, "service", "sw", ".js", changes=self.chance(0.7))
        stems = ["index"]
        for n in range(pick.randint(1, 7)):
            word = self.name(pick.choice(["about", "news", "help", "shop"]), n)
            stems.append(pick.choice(["{}", "{}/index", "docs/{}", "docs/{}/index", "{}"]).format(word))
        if kind == "redirects" and self.chance(0.5):
            stems[0] = "en/index"
            self.root_redirect = "en/"
        for stem in stems:
            page = Page(self, stem, changes=self.chance(0.8))
            self.pages.append(page)
            chosen = lambda of, share: [each for each in of if self.chance(share)]
            for style in chosen(styles, 0.8):
                page.children.append(("link", style))
            for script in chosen(scripts, 0.7):
                page.children.append(("start" if kind == "kit" and self.chance(0.6) else "src", script))
            for image in chosen(images, 0.5):
                isSeen = image.suffix == ".png" or self.chance(0.6)
                page.children.append((pick.choice(["src", "set", "picture", "src"]) if isSeen else "embed", image))
            for each in chosen(data, 0.5):
                page.children.append(("fetch", each))
            if icon:
                page.children.append(("icon", icon))
            if worker and self.chance(0.5):
                page.children.append(("new", worker))
            if service:
                page.children.append(("register", service))
            if kind == "based" and self.chance(0.6):
                page.base, page.style = pick.choice(["", "docs", "files"]), "relative"
        if len(self.pages) > 2 and self.chance(0.4):
            self.pages[-1].only = pick.choice([1, 2, 2])
        for page in self.pages[1:]:
            if self.chance(0.25):
                frame = Page(self, f"frames/{self.name('frame', len(self.assets))}", changes=self.chance(0.7))
                # Hosts with clean addresses may redirect its other one.
                page.children.append((pick.choice(["frame", "object", "doc"]), frame))
        if self.chance(0.4):
            self.extra["404.html"] = "<!doctype html><title>404</title>gone {}"
        if self.chance(0.3):
            self.extra["_headers"] = "/*\n  X-Release: {}\n"
        if self.chance(0.3):
            self.extra["robots.txt"] = "User-agent: *\n# {}\n"
        if self.chance(0.2):
            self.extra["site.webmanifest"] = '{{"name": "site {}"}}'
        if kind == "kit":
            self.extra["_app/version.json"] = '{{"version": "{}"}}'

    def files(self, release):
        """The build folder: paths and contents."""
        made = {asset.path(release): asset.content(release) for asset in self.assets if getattr(asset, "only", None) in (None, release)}
        made.update({path: text.format(release).encode() for path, text in self.extra.items()})
        if self.kind == "vite" and self.random_of("manifest", [True, False]):
            made[".vite/manifest.json"] = self.vite(release)
        return made

    def vite(self, release):
        record = {}
        def key(asset):
            return f"src/{asset.label}.js"
        for asset in self.assets:
            if asset.kind == "module":
                record[key(asset)] = {"file": asset.path(release), "src": key(asset), "isEntry": any(
                    asset is child for page in self.assets if page.kind == "page" for _, child in page.children),
                    "imports": [key(c) for how, c in asset.children if how == "import"],
                    "dynamicImports": [key(c) for how, c in asset.children if how == "dynamic"]}
        entries = [e for e in record.values() if e["isEntry"]]
        if entries:
            entries[0]["css"] = [a.path(release) for a in self.assets if a.kind == "style"]
            entries[0]["assets"] = [a.path(release) for a in self.assets if a.kind in ("font",)]
        return json.dumps(record).encode()
