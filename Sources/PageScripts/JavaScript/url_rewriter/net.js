// Run in a world of its own, of which the page sees nothing: finds what got past the page's script (an address in the document
// that is not turned, a request that went to a named host itself), turns what can still be turned, and counts both.

if (namedOrigins.length === 0) return;

/// From so many on, the page is left to itself: what is turned and what is not would be two origins of one page.
const mostEscapes = 100;
/// The same of faults in either script.
const mostFaults = 8;
/// An element whose page writes the same address again and again is left to it.
const mostRepairs = 3;
/// Milliseconds between two reports.
const pause = 250;

const counts = {repaired: 0, escaped: 0, faults: 0, fallbacks: 0};
let reported = {...counts}, timer, isOver = false;

const report = () => {
  timer = undefined;
  const news = Object.keys(counts).map(name => counts[name] - reported[name]).join('.');
  reported = {...counts};
  fetch(`${plainPrefix}${namedOrigins[0]}/`, {
    method: 'POST', headers: {accept: `${mark};addresses=${news}`}, mode: 'cors', credentials: 'omit', cache: 'no-store',
    redirect: 'error', referrerPolicy: 'no-referrer',
  }).catch(() => {});
};
const count = name => {
  if (isOver) return;
  counts[name] += 1;
  if (counts.repaired + counts.escaped >= mostEscapes || counts.faults >= mostFaults) stop();
  timer ??= setTimeout(report, reported.repaired + reported.escaped + reported.faults > 0 ? pause : 0);
};
const observers = [];
/// Nothing is turned any more, here and in the page's world.
const stop = () => {
  isOver = true;
  counts.fallbacks = 1;
  for (const observer of observers) observer.disconnect();
  dispatchEvent(new Event(`${signal};stop`));
};
/// What must not throw at the engine.
const guarded = work => (...values) => {
  if (isOver) return;
  try {
    work(...values);
  } catch {
    count('faults');
  }
};

// MARK: Addresses in the document

/// Attributes that load something, but for those of which nothing can be undone: a script runs once, and a document within
/// an attribute has a net of its own.
const kinds = Object.entries(attributeKinds).filter(([key]) => !/^script |srcdoc$/.test(key));
const turns = new Map(kinds);
const candidates = kinds.map(([key, turn]) => {
  const [element, name] = key.split(' ');
  return `${element}[${name === 'xlink:href' ? '*|href' : name}${turn === turned ? '^' : '*'}="https://"]`;
}).concat('[style*="https://"]', 'style').join();
const names = [...new Set(kinds.map(([key]) => key.split(' ')[1]))];

/// Links that load what they name, as in native code.
const loading = ['stylesheet', 'modulepreload', 'preload', 'icon', 'apple-touch-icon', 'apple-touch-icon-precomposed',
  'mask-icon', 'manifest', 'prefetch'];
const loads = element => {
  switch (element.localName) {
  case 'link': return loading.some(word => element.relList.contains(word) || element.relList.contains(word.toUpperCase()));
  case 'input': return element.type === 'image';
  default: return true;
  }
};
/// Elsewhere, letters beyond ASCII have another meaning in a query of the app's scheme.
const isSame = text => document.characterSet === 'UTF-8' || !/[^\0-\x7F]/.test(text);

const repairs = new WeakMap();
const repair = attribute => {
  const element = attribute.ownerElement, {name, value} = attribute;
  const turn = name === 'style' ? turnedCSS : turns.get(`${element.localName} ${name}`);
  if (!turn || !mayName(value) || !isSame(value) || !loads(element)) return;
  // SVG 2 §16.1.5.
  if (name === 'xlink:href' && element.hasAttribute('href')) return;
  const result = turn(value), times = repairs.get(element) ?? 0;
  if (result === value || times === mostRepairs) return;
  repairs.set(element, times + 1);
  attribute.value = result;
  count('repaired');
};

/// Sheets that were looked through, with the text from which they were made.
const sheets = new WeakMap();
const repairRules = rules => {
  for (const rule of rules) {
    if (rule.cssRules) repairRules(rule.cssRules);
    if (!rule.style) continue;
    const text = rule.style.cssText, result = turnedCSS(text);
    if (result === text) continue;
    rule.style.cssText = result;
    count('repaired');
  }
};
/// Rule by rule: another text would make another sheet, and the page may have this one's rules at hand.
const repairStyle = element => {
  const text = element.textContent, {sheet} = element;
  if (!sheet || !mayName(text) || !isSame(text) || sheets.get(sheet) === text) return;
  sheets.set(sheet, text);
  if (turnedCSS(text) !== text) repairRules(sheet.cssRules);
};

const check = element => {
  if (element.localName === 'style') {
    // Its texts may change.
    documents.observe(element, {childList: true, characterData: true, subtree: true});
    repairStyle(element);
    return;
  }
  for (const attribute of element.attributes) {
    if (attribute.value.includes('https://')) repair(attribute);
  }
};
const checkAll = root => {
  for (const element of root.querySelectorAll(candidates)) check(element);
};

/// One for all trees: it keeps none of them.
const documents = new MutationObserver(guarded(records => {
  const checked = new Set();
  for (const {type, target, addedNodes} of records) {
    if (type === 'attributes') check(target);
    if (type === 'characterData' && target.parentNode?.localName === 'style') repairStyle(target.parentNode);
    if (type !== 'childList') continue;
    // `document.open` removes the listeners of the window.
    if (target === document) hearPage();
    if (target.localName === 'style') repairStyle(target);
    for (const node of addedNodes) {
      if (node.nodeType !== 1) continue;
      // What was put into an element that is new itself has been seen with it.
      if (!checked.has(target)) {
        if (node.matches(candidates)) check(node);
        if (node.firstElementChild) checkAll(node);
      }
      checked.add(node);
    }
  }
}));
observers.push(documents);
const watch = root => {
  documents.observe(root, {childList: true, attributes: true, attributeFilter: names, subtree: true});
  if (root.firstElementChild) checkAll(root);
};

// MARK: Requests

/// What is never turned: where the page goes, and film and sound where players can't load them. Of frames, those of the page's
/// own host are.
const unturnedInitiators = ['navigation'].concat(includesMedia ? [] : ['video', 'audio', 'source']);
/// Beacons that were sent, with how often.
const beacons = new Map();
const mostBeacons = 1_000;
const takeBeacon = url => {
  const times = beacons.get(url);
  if (times > 1) beacons.set(url, times - 1);
  else beacons.delete(url);
  return times !== undefined;
};
const requests = new PerformanceObserver(guarded(list => {
  for (const {name, initiatorType} of list.getEntries()) {
    if (!isNamedAt(name, 0, name.length) || unturnedInitiators.includes(initiatorType)) continue;
    if (/^i?frame$/.test(initiatorType) && turnedFrame(name) === name) continue;
    if (initiatorType !== 'other' || !takeBeacon(name)) count('escaped');
  }
}));

guarded(() => {
  watch(document);
  observers.push(requests);
  requests.observe({type: 'resource', buffered: true});
})();
const hearFault = () => count('faults');
const hearShadow = guarded(event => watch(event.relatedTarget));
const hearBeacon = guarded(event => {
  const {href} = new URL(event.message, document.baseURI);
  if (beacons.size < mostBeacons) beacons.set(href, (beacons.get(href) ?? 0) + 1);
});
const reportLast = () => {
  if (timer === undefined) return;
  clearTimeout(timer);
  report();
};
/// To add the same listener twice does nothing.
const hearPage = () => {
  addEventListener(`${signal};fault`, hearFault);
  addEventListener(`${signal};shadow`, hearShadow);
  addEventListener(`${signal};beacon`, hearBeacon);
  addEventListener('pagehide', reportLast);
};
hearPage();
