/// The modules that make up the pages, and the entry that starts them.
enum RouteScripts {
    static let manifest = #"""
        // The files that the router may load, by route.
        export const routes = {
          home: () => import("~/home.js"),
          item: () => import("~/item.js"),
          basket: () => import("~/basket.js"),
          media: () => import("~/media.js"),
          search: () => import("~/search.js"),
        };


        """#

    static let home = #"""
        import { h } from "~/vendor.js";
        import { basketCount } from "~/runtime.js";
        import { price } from "~/format.js";
        import { pictures, products } from "~/catalogue.js";
        import { seeAll, shelf, strip } from "~/messages.js";

        const fresh = __FRESH__;
        const order = [...products].sort((a, b) => fresh.includes(b.number) - fresh.includes(a.number));

        function card({ number, name, picture, unit, cents }) {
          const plus = h("svg", { class: "icon", viewBox: "0 0 24 24" }, h("path", { d: "M12 6v12M6 12h12" }));
          const add = () => { basketCount.value += 1; };
          return h("article", { class: "card", "data-number": number },
            h("a", { href: `/item/${number}` },
              h("img", {
                src: `${pictures}${picture}.png`,
                srcset: `${pictures}${picture}.png 1x, ${pictures}${picture}@2x.png 2x`,
                width: 200, height: 160, alt: "",
              }),
              h("div", {}, h("h3", {}, name), h("small", {}, unit),
                h("strong", { "data-price": number }, price(cents)))),
            fresh.includes(number) ? h("span", { class: "tag" }, "New") : null,
            h("button", { class: "plus", type: "button", "aria-label": `Add ${name}`, click: add }, plus));
        }

        export function mount(target) {
          document.getElementById("strip").append(h("strong", {}, strip.title), strip.text);
          target.append(
            h("div", { class: "heading" }, h("h2", {}, shelf), h("a", { href: "/" }, seeAll)),
            h("div", { class: "grid" }, order.map(card)));
        }


        """#

    static let item = #"""
        import { h } from "~/vendor.js";
        import { price } from "~/format.js";
        import { product } from "~/catalogue.js";

        const fact = (label, value) => h("div", {}, value, h("small", {}, label));

        export function mount(target, { number }) {
          const { name, unit, cents, place, text } = product(number);
          const [energy, protein, sugar, fat] = nutrition[number - 1];
          target.append(
            h("div", { class: "title" }, h("h1", { class: "headline small" }, name),
              h("strong", { "data-price": number }, price(cents))),
            h("p", { class: "quiet" }, `${unit} · ${place}`),
            h("div", { class: "facts" }, fact("kcal", energy), fact("protein", `${protein} g`),
              fact("sugar", `${sugar} g`), fact("fat", `${fat} g`)),
            h("p", { style: "margin-bottom: 20px" }, text),
            h("button", { class: "button", type: "button" }, "Add to basket"));
        }


        """#

    static let basket = #"""
        import { h } from "~/vendor.js";
        import { price } from "~/format.js";
        import { pictures, product } from "~/catalogue.js";
        import { checkout, total } from "~/messages.js";

        const chosen = [1, 5, 6].map(product);

        export function mount(target) {
          const sum = chosen.reduce((cents, one) => cents + one.cents, 0);
          target.append(
            ...chosen.map(({ number, name, picture, unit, cents }) => h("a", { class: "row", href: `/item/${number}` },
              h("img", { src: `${pictures}${picture}.png`, alt: "" }),
              h("div", {}, name, h("small", {}, unit)),
              h("strong", { "data-price": number }, price(cents)))),
            h("div", { class: "total" }, h("span", {}, total), h("span", {}, price(sum))),
            h("button", { class: "button", type: "button" }, checkout));
        }


        """#

    static let media = #"""
        import { settled } from "~/runtime.js";

        // xorshift32: the same bytes for the same seed, on every engine.
        function pseudoRandom(count, seed) {
          const bytes = new Uint8Array(count);
          let state = seed >>> 0 || 1;
          for (let index = 0; index < count; index += 1) {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            bytes[index] = state;
          }
          return bytes;
        }

        async function digest(bytes) {
          if (!globalThis.crypto?.subtle) return null;
          const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
          return [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        }

        export async function upload(count, seed = 1) {
          const bytes = pseudoRandom(count, seed);
          const sent = { bytes: count, sha256: await digest(bytes) };
          const form = new FormData();
          form.append("note", "sent by the demo page");
          form.append("photo", new File([bytes], "dish.bin", { type: "application/octet-stream" }));
          const headers = { accept: "application/json" };
          const response = await fetch("/upload", { method: "POST", body: form, headers });
          const received = response.ok ? await response.json() : null;
          const match = received !== null && received.bytes === sent.bytes
            && (sent.sha256 === null || received.sha256 === sent.sha256);
          return { sent, received, status: response.status, match };
        }

        // WebKitGTK loads no media in a window that is not shown, and no event says so: NETWORK_NO_SOURCE just stays.
        async function givenUp(film) {
          for (let second = 0; second < 15; second += 1) {
            await new Promise((resolve) => setTimeout(resolve, 1000));
            if (film.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) return;
          }
        }

        export async function filmLoaded() {
          const film = document.querySelector("video");
          if (!film) return null;
          if (film.readyState < 2 && !film.error) {
            await Promise.race([settled(film, "loadeddata", "error"), givenUp(film)]);
          }
          return film;
        }

        export async function video({ seek = false } = {}) {
          const film = await filmLoaded();
          if (!film) return null;
          if (seek && film.readyState >= 1) {
            for (const moment of [film.duration * 0.6, 0]) {
              const arrived = settled(film, "seeked", "error");
              film.currentTime = moment;
              await arrived;
            }
          }
          const { duration, videoWidth: width, videoHeight: height, readyState, error } = film;
          return { ok: readyState >= 2 && !error, duration, width, height, readyState, error: error?.message ?? null };
        }

        // Asks for two halves of the film and reports whether they are what ranges of the whole would be.
        export async function ranges() {
          const place = document.querySelector("video").src;
          const [start, end] = await Promise.all(["bytes=0-65535", "bytes=65536-"].map(async (range) => {
            const response = await fetch(place, { headers: { range } });
            const { byteLength } = await response.arrayBuffer();
            return { status: response.status, range: response.headers.get("content-range"), bytes: byteLength };
          }));
          return { start, end };
        }

        export function live(told) {
          const socket = new WebSocket(`${location.protocol === "http:" ? "ws" : "wss"}://${location.host}/live`);
          const echo = new Promise((resolve) => {
            const end = (state) => { told(state); resolve(state); };
            socket.onopen = () => { told("open"); socket.send("hello"); };
            socket.onmessage = ({ data }) => end(data === "hello" ? "echoed" : "wrong");
            socket.onerror = () => end("failed");
          });
          return { socket, echo };
        }


        """#

    static let app = #"""
        import { basketCount, fetchJSON, imagesSettled, routeOf } from "~/runtime.js";
        import { price } from "~/format.js";
        import { routes } from "~/manifest.js";

        const root = document.documentElement;
        const demo = (window.__demo = {
          version: __VERSION__, page: Number(root.dataset.version), chunks: globalThis.__demoChunks,
          api: {}, ws: "idle",
        });
        demo.ready = start().then(() => demo);

        async function start() {
          const entries = await Promise.all(Object.entries(routes).map(async ([name, load]) => [name, await load()]));
          const { media, search, ...views } = Object.fromEntries(entries);
          const route = routeOf(location.pathname);
          views[route.name].mount(document.getElementById("route"), route);
          basketCount.subscribe((count) => { document.getElementById("count").textContent = String(count); });
          listen(search);
          demo.upload = media.upload;
          demo.video = media.video;
          demo.ranges = media.ranges;
          await Promise.all([
            askServer(), imagesSettled(), media.filmLoaded(),
            document.fonts.load('30px "Pantry Block"').catch(() => {}),
          ]);
          await repaint();
          root.dataset.ready = "1";
          // The outcome of the socket, to be waited for: how long that takes is the network's business.
          ({ socket: demo.socket, echo: demo.echo } = media.live((state) => { demo.ws = state; }));
        }

        // A page that was painted piece by piece differs at smoothed edges from one painted at once. Colours that are
        // off by one for two frames make engines paint all of it again, so two visits give the same picture.
        async function repaint() {
          const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          root.classList.add("settling");
          await frames();
          root.classList.remove("settling");
          await frames();
        }

        // Online and offline look the same: what the server says is what the page shows already.
        async function askServer() {
          const [basket, goods] = await Promise.all([fetchJSON("/api/basket"), fetchJSON("/api/products")]);
          demo.api = { basket, products: goods };
          if (basket.body) basketCount.value = basket.body.items;
          for (const [number, cents] of Object.entries(goods.body?.prices ?? {})) {
            for (const place of document.querySelectorAll(`[data-price="${number}"]`)) place.textContent = price(cents);
          }
          root.dataset.api = basket.body && goods.body ? "ok" : "failed";
        }

        function listen(search) {
          const stage = document.querySelector(".film");
          stage?.addEventListener("click", () => {
            stage.querySelector("svg")?.remove();
            stage.querySelector("video").play();
          });
          const field = document.querySelector("input[type=search]");
          field.addEventListener("input", () => {
            const found = new Set(search.matching(field.value).map((one) => String(one.number)));
            for (const card of document.querySelectorAll(".card")) card.hidden = !found.has(card.dataset.number);
          });
        }


        """#
}
