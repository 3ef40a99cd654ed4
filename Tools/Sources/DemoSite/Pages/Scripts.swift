/// The site's modules, twelve of them, written by hand save for the data that ``GeneratedCode`` adds.
///
/// Modules, their imports (→), and changes in version 2 (*):
///
///     app* → vendor, runtime, messages*, manifest* → home*, item, basket*, media, search*
///     home* → vendor, runtime, format, catalogue, messages*     item → vendor, format, catalogue
///     basket* → vendor, format, catalogue, messages*            search* → catalogue
///     runtime → vendor        media → runtime
///
/// A change to `messages` and to `search` thus moves six modules of twelve; with `components.css` seven files of
/// fifteen.
struct Scripts {
    let version: Int
    let hosts: DemoHosts

    /// Sources of all modules.
    func sources() -> [ChunkSource] {
        [
            module("vendor", isOnShop: true, Self.vendor + GeneratedCode.vendor),
            module("runtime", Self.runtime + GeneratedCode.runtime),
            module("format", Self.format),
            module("messages", messages + GeneratedCode.messages),
            module("catalogue", catalogue + GeneratedCode.assortment),
            module("search", search + GeneratedCode.searchIndex),
            module("home", home),
            module("item", RouteScripts.item + GeneratedCode.nutrition),
            module("basket", RouteScripts.basket),
            module("media", RouteScripts.media),
            module("manifest", RouteScripts.manifest),
            module("app", RouteScripts.app.replacing("__VERSION__", with: String(version))),
        ]
    }

    private func module(_ name: String, isOnShop: Bool = false, _ text: String) -> ChunkSource {
        let note = "(globalThis.__demoChunks ??= []).push({ name: \"\(name)\", url: import.meta.url });\n"
        return ChunkSource("\(name).js", isOnShop: isOnShop, text: text + note)
    }

    private static let vendor = #"""
        // A small view layer: elements from calls, values that tell who reads them.
        const spaces = { svg: "http://www.w3.org/2000/svg", path: "http://www.w3.org/2000/svg" };

        export function h(tag, attributes, ...children) {
          const element = spaces[tag] ? document.createElementNS(spaces[tag], tag) : document.createElement(tag);
          for (const [name, value] of Object.entries(attributes ?? {})) {
            if (typeof value === "function") element.addEventListener(name, value);
            else if (value === true) element.setAttribute(name, "");
            else if (value !== false && value != null) element.setAttribute(name, value);
          }
          element.append(...children.flat(Infinity).filter((child) => child != null));
          return element;
        }

        export function signal(initial) {
          let current = initial;
          const readers = new Set();
          return {
            get value() { return current; },
            set value(next) {
              if (Object.is(next, current)) return;
              current = next;
              for (const reader of readers) reader(next);
            },
            subscribe(reader) {
              readers.add(reader);
              reader(current);
              return () => readers.delete(reader);
            },
          };
        }


        """#

    private static let runtime = #"""
        import { signal } from "~/vendor.js";

        export const basketCount = signal(3);

        export function routeOf(path) {
          const item = /^\/item\/(\d+)$/.exec(path);
          if (item) return { name: "item", number: Number(item[1]) };
          return { name: path === "/basket" ? "basket" : "home" };
        }

        export async function fetchJSON(path) {
          try {
            const response = await fetch(path, { headers: { accept: "application/json" } });
            return { status: response.status, body: response.ok ? await response.json() : null };
          } catch (error) {
            return { status: 0, body: null, error: String(error) };
          }
        }

        export function settled(element, ...events) {
          return new Promise((resolve) => {
            for (const type of events) element.addEventListener(type, resolve, { once: true });
          });
        }

        export async function imagesSettled(root = document) {
          await Promise.all([...root.images].map(async (image) => {
            if (!image.complete) await settled(image, "load", "error");
            await image.decode?.().catch(() => {});
          }));
        }


        """#

    private static let format = #"""
        const money = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });
        const mass = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

        export const price = (cents) => money.format(cents / 100);
        export const grams = (value) => (value >= 1000 ? `${mass.format(value / 1000)} kg` : `${mass.format(value)} g`);
        export const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;


        """#

    private var messages: String {
        let strip =
            version == 1
            ? ("Free delivery today", "On every order above €20, until 18:00.")
            : ("The harvest is in", "Pumpkins, plums and new cider from Friday.")
        return """
            export const strip = { title: "\(strip.0)", text: "\(strip.1)" };
            export const shelf = "\(version == 1 ? "Fresh today" : "New on the shelf")";
            export const seeAll = "See all";
            export const total = "Total";
            export const checkout = "Go to checkout";


            """
    }

    private var catalogue: String {
        let rows = Product.all.map { product in
            """
              { number: \(product.number), name: "\(product.name)", picture: "\(product.picture)", \
            unit: "\(product.unit)", \
            cents: \(product.cents), place: "\(product.place)", text: "\(product.text)" },

            """
        }
        return """
            export const pictures = "\(hosts.assets)/img/";
            export const products = [
            \(rows.joined())];
            export const product = (number) => products.find((candidate) => candidate.number === number);


            """
    }

    private var search: String {
        """
        import { products } from "~/catalogue.js";

        // Ranking \(version): \(version == 1 ? "names first" : "names first, then places").
        const fields = [\(version == 1 ? "\"name\"" : "\"name\", \"place\"")];

        export function matching(term) {
          const wanted = term.trim().toLowerCase();
          return products.filter((one) => fields.some((field) => one[field].toLowerCase().includes(wanted)));
        }


        """
    }

    private var home: String {
        let fresh = version == 1 ? "[]" : "[7, 8]"
        return RouteScripts.home.replacing("__FRESH__", with: fresh)
    }
}
