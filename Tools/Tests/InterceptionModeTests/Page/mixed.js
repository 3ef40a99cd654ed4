// What a secure page asks for at plain http (W3C Mixed Content): what the other origin sees of it.
section = 'Mixed content';
const plain = 'http://example.net', loopback = 'http://127.0.0.1';

// A blocked load may tell nobody. It would have been asked for before these are answered.
const settled = async () => {
  for (let count = 0; count < 20; count++) await text('/text?cache=no-store');
};
// A request that is expected may come later on a busy machine.
const seenThere = async (id, expected) => {
  for (let count = 0; ; count++) {
    const requests = await asked(id);
    if (requests.length > 0) return requests.at(-1).fields['x-scheme'] ?? 'https';
    if (expected === 'nothing' || count === 200) return 'nothing';
  }
};
const mixed = (name, expected, path, load, host = plain) => kind(`mixed content: ${name}`, expected, async () => {
  const id = unique();
  await Promise.race([settled(), (async () => { try { await load(`${host}${path}?cache=no-store&allow=any&id=${id}`); } catch {} await settled(); })()]);
  return seenThere(id, expected);
});
const child = (tag, attributes, content) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (content) made.append(content);
  document.body.append(made);
};
const ofFrame = (markup, source) => {
  const made = document.createElement('iframe');
  if (source === 'blob') made.src = URL.createObjectURL(new Blob([markup], {type: 'text/html'}));
  else if (source === 'data') made.src = `data:text/html,${encodeURIComponent(markup)}`;
  else if (source !== 'open') made.srcdoc = markup;
  document.body.append(made);
  if (source !== 'open') return;
  made.contentDocument.open();
  made.contentDocument.write(markup);
  made.contentDocument.close();
};
const scriptOf = url => `<script src="${url}"></scr${''}ipt>`;

mixed('script', 'nothing', '/script.js', src => child('script', {src}));
mixed('module script', 'nothing', '/module.js', src => child('script', {src, type: 'module'}));
mixed('import()', 'nothing', '/module.js', url => import(url));
mixed('style sheet', 'nothing', '/sheet.css', href => child('link', {rel: 'stylesheet', href}));
mixed('font', 'nothing', '/font.ttf', url => new FontFace('mixed', `url(${url})`).load());
mixed('img', 'https', '/image.png', src => child('img', {src}));
mixed('img crossorigin', 'https', '/image.png', src => child('img', {src, crossorigin: ''}));
mixed('img srcset', 'nothing', '/image.png', url => child('img', {srcset: `${url} 1x`}));
mixed('image of a style', 'https', '/image.png', url => child('p', {style: `background: url("${url}")`}, 'a'));
mixed('video poster', 'https', '/image.png', poster => child('video', {poster}));
mixed('iframe', 'nothing', '/frame.html', src => child('iframe', {src}));
mixed('object', 'nothing', '/frame.html', data => child('object', {data, type: 'text/html'}));
mixed('form POST into a frame', 'nothing', '/form', action => {
  child('iframe', {name: 'mixed-form'});
  const form = document.createElement('form');
  Object.assign(form, {action, method: 'post', target: 'mixed-form'});
  document.body.append(form);
  form.submit();
});
mixed('fetch', 'nothing', '/text', url => fetch(url));
mixed('fetch without CORS', 'nothing', '/text', url => fetch(url, {mode: 'no-cors'}));
mixed('XHR', 'nothing', '/text', url => xhr('GET', url));
mixed('beacon', 'nothing', '/beacon', url => navigator.sendBeacon(url, 'a'));
mixed('EventSource', 'nothing', '/events', url => { new EventSource(url).onerror = ({target}) => target.close(); });
mixed('WebSocket', 'nothing', '/text', url => { new WebSocket(url.replace('http', 'ws')); });
mixed('worker, fetch', 'nothing', '/text', url => answered(new Worker('/worker.js'), {url}));
mixed('worker, importScripts', 'nothing', '/imported.js', url => answered(new Worker('/worker.js'), {script: url}));
for (const source of ['srcdoc', 'blob', 'data', 'open']) {
  mixed(`script of a document of ${source}`, 'nothing', '/script.js', url => ofFrame(scriptOf(url), source));
  mixed(`img of a document of ${source}`, 'https', '/image.png', url => ofFrame(`<img src="${url}">`, source));
}
mixed('img at a port of its own', 'https', '/image.png', src => child('img', {src}), `${plain}:8080`);
mixed('img at loopback', 'http', '/image.png', src => child('img', {src}), loopback);
mixed('fetch at loopback', 'nothing', '/text', url => fetch(url), loopback);
mixed('script at loopback', 'nothing', '/script.js', src => child('script', {src}), loopback);
mixed('iframe at loopback', 'nothing', '/frame.html', src => child('iframe', {src}), loopback);
mixed('WebSocket at loopback', 'nothing', '/text', url => { new WebSocket(url.replace('http', 'ws')); }, loopback);

// Of both origins, the page's own answers through a handler.
for (const [whose, from] of [['own', site], ['other', 'https://example.net']]) {
  const redirected = url => `${from}/redirect?allow=any&to=${encodeURIComponent(url)}`;
  mixed(`fetch, redirected by the ${whose} origin`, 'nothing', '/text', url => fetch(redirected(url)));
  mixed(`script, redirected by the ${whose} origin`, 'nothing', '/script.js', url => child('script', {src: redirected(url)}));
  mixed(`iframe, redirected by the ${whose} origin`, 'nothing', '/frame.html', url => child('iframe', {src: redirected(url)}));
  mixed(`img, redirected by the ${whose} origin`, 'https', '/image.png', url => child('img', {src: redirected(url), crossorigin: ''}));
  mixed(`fetch, redirected to loopback by the ${whose} origin`, 'nothing', '/text', url => fetch(redirected(url)), loopback);
}

const ofPolicy = (policy, markup) => {
  const made = document.createElement('iframe');
  made.src = `/markup?csp=${encodeURIComponent(policy)}&markup=${encodeURIComponent(markup)}`;
  document.body.append(made);
};
mixed('script, upgrade-insecure-requests', 'https', '/script.js', url => ofPolicy('upgrade-insecure-requests', scriptOf(url)));
mixed('iframe, upgrade-insecure-requests', 'https', '/frame.html', url => ofPolicy('upgrade-insecure-requests', `<iframe src="${url}"></iframe>`));
mixed('img, block-all-mixed-content', 'https', '/image.png', url => ofPolicy('block-all-mixed-content', `<img src="${url}">`));
mixed('script, block-all-mixed-content', 'nothing', '/script.js', url => ofPolicy('block-all-mixed-content', scriptOf(url)));
