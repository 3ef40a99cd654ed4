// Absolute addresses of the page's own host: whether each load is the page's own, and what the page reads back.
section = 'Absolute addresses of the page’s own host';
const address = (path, id = unique()) => ({url: `https://example.com${path}?cache=no-store&id=${id}`, id});
// At an app's own scheme WebKit sends no Sec-Fetch fields; what has them went past Larder.
const whose = async id => {
  const [request] = (await asked(id)).slice(-1);
  if (!request) return 'no request';
  const relation = request.fields['sec-fetch-site'];
  const isOwn = location.protocol === 'https:' ? relation === 'same-origin' : relation === undefined;
  return isOwn ? 'own request' : 'request past Larder';
};
const absolute = (name, path, probe) => kind(`absolute: ${name}`, 'own request, reads what it wrote', async () => {
  const {url, id} = address(path);
  const read = await probe(url);
  const others = read.filter(text => text !== url);
  return `${await whose(id)}, ${others.length === 0 ? 'reads what it wrote' : `reads ${others.map(text => String(text).replace(id, 'ID').replace('app-cache', 'APP-CACHE').replace('App-Cache', 'Turned')).join(' and ')}`}`;
});
const make = tag => document.createElement(tag);
const put = made => (document.body.append(made), made);
const svgMake = tag => document.createElementNS('http://www.w3.org/2000/svg', tag);
const inside = (markup, selector) => {
  const box = put(make('div'));
  box.innerHTML = markup;
  return box.querySelector(selector);
};
const quotedIn = text => text.replaceAll('&amp;', '&').match(/https:[^"')\s]*|App-Cache[^"')\s]*|app-cache[^"')\s]*/)?.[0];

kind('selectors with several addresses, none of one, open at their end, and wrong', '1 link, 1 image; 1 other; 1, 1; SyntaxError', () => {
  const box = put(make('div'));
  box.innerHTML = `<a href="https://example.com/a"></a><img src="https://example.com/image.png?selected"><img src="/image.png?selected">`;
  const found = [...box.querySelectorAll(`a[href^="https://example.com"], img[src^='https://example.com/image']`)].map(one => one.tagName);
  const others = [...box.querySelectorAll(`img:not([src^="https://example.com"])`)];
  const open = ['a[href="https://example.com/a"', 'a[href="https://example.com/a'].map(one => box.querySelectorAll(one).length);
  let wrong = 'none';
  try {
    box.querySelector('a[href!="https://example.com/a"]');
  } catch (error) {
    wrong = error.message.includes(':not') ? error.message : error.name;
  }
  box.remove();
  return `${found.filter(name => name === 'A').length} link, ${found.filter(name => name === 'IMG').length} image; ${others.length} other; ${open.join(', ')}; ${wrong}`;
});
kind('selectors with the beginning of an address, and with spaces', '1 1 1 1 0 0', () => {
  const box = put(make('div'));
  box.innerHTML = '<img src="https://example.com/image.png?begins">';
  const found = ['[src^="http"]', '[src^=\'https:\']', '[src^= "https://exam" ]', '[src = "https://example.com/image.png?begins"]', '[src^="https://other"]',
    ':not([src^="https"])'].map(test => box.querySelectorAll(`img${test}`).length);
  box.remove();
  return found.join(' ');
});
absolute('img.src', '/image.png', async url => {
  const image = make('img');
  const load = event(image, 'load');
  image.src = url;
  await load;
  return [image.src, image.getAttribute('src'), image.currentSrc, quotedIn(image.outerHTML), image.attributes.src.value];
});
absolute('img.src of a URL object', '/image.png', async url => {
  const image = make('img');
  const load = event(image, 'load');
  image.src = new URL(url);
  await load;
  return [image.src, image.getAttribute('src'), image.cloneNode().src];
});
absolute('setAttribute', '/image.png', async url => {
  const image = make('img');
  const load = event(image, 'load');
  image.setAttribute('SRC', url);
  await load;
  return [image.src, image.getAttribute('src'), image.getAttributeNode('src').nodeValue ?? image.getAttributeNode('src').value];
});
absolute('setAttributeNode', '/image.png', async url => {
  const image = make('img'), node = document.createAttribute('src');
  const load = event(image, 'load');
  node.value = url;
  image.setAttributeNode(node);
  await load;
  return [image.src, node.value];
});
absolute('img.srcset', '/image.png', async url => {
  const image = make('img');
  const load = event(image, 'load');
  image.srcset = `${url} 1x, ${url}&twice 2x`;
  await load;
  return [image.srcset.split(' ')[0], image.getAttribute('srcset').split(' ')[0], image.currentSrc];
});
absolute('picture', '/image.png', async url => {
  const image = inside(`<picture><source srcset="${url}" type="image/png"><img></picture>`, 'img');
  await event(image, 'load');
  return [image.currentSrc, image.previousSibling.srcset];
});
absolute('script.src', '/script.js', async url => {
  const script = make('script');
  const load = event(script, 'load');
  script.src = url;
  put(script);
  await load;
  return [script.src, script.getAttribute('src'), [...document.scripts].find(each => each.getAttribute('src') === url)?.src,
    document.querySelector(`script[src="${url}"]`)?.src];
});
absolute('script of type module', '/module.js', async url => {
  const script = make('script');
  const load = event(script, 'load');
  Object.assign(script, {type: 'module', src: url});
  put(script);
  await load;
  return [script.src];
});
absolute('link.href, style sheet', '/sheet.css', async url => {
  const link = make('link');
  const load = event(link, 'load');
  Object.assign(link, {rel: 'stylesheet', href: url});
  put(link);
  await load;
  return [link.href, link.getAttribute('href'), link.sheet.href, [...document.styleSheets].map(each => each.href).find(href => href === url)];
});
absolute('link, preload', '/script.js', async url => {
  await element('link', {rel: 'preload', as: 'script', href: url});
  return [document.body.lastChild.href];
});
absolute('innerHTML', '/image.png', async url => {
  const image = inside(`<p title="${url}"><img alt='' src="${url}"></p>`, 'img');
  await event(image, 'load');
  return [image.src, image.parentNode.title, quotedIn(image.parentNode.innerHTML)];
});
absolute('innerHTML, behind an empty comment', '/image.png', async url => {
  const image = inside(`<!--><p><img src="${url}"></p>`, 'img');
  await event(image, 'load');
  return [image.src];
});
absolute('insertAdjacentHTML', '/image.png', async url => {
  document.body.insertAdjacentHTML('beforeend', `<img src=${url}>`);
  const image = document.body.lastChild;
  await event(image, 'load');
  return [image.src];
});
absolute('createContextualFragment', '/image.png', async url => {
  put(document.createRange().createContextualFragment(`<img src="${url}">`));
  const image = document.body.lastChild;
  await event(image, 'load');
  return [image.src];
});
absolute('DOMParser', '/image.png', async url => {
  const parsed = new DOMParser().parseFromString(`<p><img src="${url}"></p>`, 'text/html');
  const image = document.importNode(parsed.querySelector('img'));
  put(image);
  await event(image, 'load');
  return [image.src, parsed.querySelector('img').src];
});
absolute('template', '/image.png', async url => {
  const template = make('template');
  template.innerHTML = `<img src="${url}">`;
  put(template.content.cloneNode(true));
  const image = document.body.lastChild;
  await event(image, 'load');
  return [image.src, template.content.firstChild.getAttribute('src')];
});
absolute('shadow root', '/image.png', async url => {
  const root = put(make('div')).attachShadow({mode: 'open'});
  root.innerHTML = `<img src="${url}">`;
  await event(root.firstChild, 'load');
  return [root.firstChild.src, quotedIn(root.innerHTML)];
});
absolute('document.write', '/image.png', async url => {
  const box = put(make('iframe')), inner = box.contentDocument;
  inner.write(`<img src="${url}">`);
  inner.close();
  const image = inner.querySelector('img');
  if (!image.complete) await event(image, 'load');
  return [image.src];
});
absolute('srcdoc', '/image.png', async url => {
  const box = make('iframe');
  const load = event(box, 'load');
  box.srcdoc = `<img src="${url}">`;
  put(box);
  await load;
  return [box.contentDocument.querySelector('img').src, quotedIn(box.srcdoc)];
});
absolute('about:blank frame', '/image.png', async url => {
  const inner = put(make('iframe')).contentWindow;
  const image = new inner.Image();
  const load = event(image, 'load');
  image.src = url;
  await load;
  return [image.src];
});
absolute('svg image', '/image.png', async url => {
  const svg = put(svgMake('svg')), image = svgMake('image');
  const load = event(image, 'load');
  image.setAttribute('href', url);
  svg.append(image);
  await load;
  return [image.href.baseVal, image.getAttribute('href')];
});
absolute('svg use', '/image.svg', async url => {
  const svg = put(svgMake('svg')), use = svgMake('use');
  const load = event(use, 'load');
  use.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', `${url}#shape`);
  svg.append(use);
  await load;
  return [use.href.baseVal.split('#')[0]];
});
absolute('object.data', '/image.png', async url => {
  const object = make('object');
  const load = event(object, 'load');
  object.data = url;
  put(object);
  await load;
  return [object.data, object.getAttribute('data')];
});
absolute('input.src', '/image.png', async url => {
  const input = Object.assign(make('input'), {type: 'image'});
  const load = event(input, 'load');
  input.src = url;
  put(input);
  await load;
  return [input.src];
});
const seenRequest = async url => {
  const id = url.match(/id=([^&]*)/)[1];
  await text(`/arrived?of=${id}`);
};
absolute('style.backgroundImage', '/image.png', async url => {
  const box = put(make('div'));
  box.style.cssText = 'width: 5px; height: 5px';
  box.style.backgroundImage = `url("${url}")`;
  await seenRequest(url);
  return [quotedIn(box.style.backgroundImage), quotedIn(box.getAttribute('style')), quotedIn(box.style.cssText)];
});
absolute('style.setProperty', '/image.png', async url => {
  const box = put(make('div'));
  box.style.cssText = 'width: 5px; height: 5px';
  box.style.setProperty('background-image', `url(${url})`);
  await seenRequest(url);
  return [quotedIn(box.style.getPropertyValue('background-image'))];
});
absolute('attribute style', '/image.png', async url => {
  const box = inside(`<div style="width: 5px; height: 5px; background: url('${url}')"></div>`, 'div');
  await seenRequest(url);
  return [quotedIn(box.getAttribute('style')), quotedIn(box.style.background)];
});
// Declarations are replaced when a page first reaches one, so each way there has a frame of its own.
const firstOfFrame = (name, draw) => absolute(`first declaration of a frame, ${name}`, '/image.png', async url => {
  const {contentDocument: inner, contentWindow} = put(make('iframe'));
  const box = inner.body.appendChild(inner.createElement('div'));
  box.className = 'box';
  const write = declaration => { declaration.width = declaration.height = '5px'; declaration.backgroundImage = `url(${url})`; };
  const declaration = draw(inner, write, contentWindow);
  await seenRequest(url);
  return [quotedIn(declaration.backgroundImage), quotedIn(declaration.cssText || declaration.backgroundImage)];
});
firstOfFrame('element.style', (inner, write) => {
  const {style} = inner.querySelector('div');
  write(style);
  return style;
});
firstOfFrame('SVG element.style', (inner, write) => {
  const {style} = inner.body.appendChild(inner.createElementNS('http://www.w3.org/2000/svg', 'svg'));
  write(style);
  return style;
});
firstOfFrame('rule.style', (inner, write) => {
  const {sheet} = inner.body.appendChild(inner.createElement('style'));
  const {style} = sheet.cssRules[sheet.insertRule('.box {}')];
  write(style);
  return style;
});
firstOfFrame('getComputedStyle', (inner, write, {getComputedStyle}) => {
  const box = inner.querySelector('div');
  box.setAttribute('style', '');
  const computed = getComputedStyle(box);
  write(box.style);
  return computed;
});
const pictured = name => {
  const box = put(make('div'));
  Object.assign(box, {className: name});
  box.style.cssText = 'width: 5px; height: 5px';
};
absolute('insertRule', '/image.png', async url => {
  const {sheet} = put(make('style'));
  pictured('inserted');
  sheet.insertRule(`.inserted { background: url(${url}) }`);
  await seenRequest(url);
  return [quotedIn(sheet.cssRules[0].cssText), quotedIn(sheet.cssRules[0].style.background)];
});
absolute('style element', '/image.png', async url => {
  pictured('texted');
  const style = make('style');
  style.textContent = `.texted { background: url(${url}) }`;
  put(style);
  await seenRequest(url);
  return [quotedIn(style.textContent)];
});
absolute('style element, innerText', '/image.png', async url => {
  pictured('inner-texted');
  const style = make('style');
  style.innerText = `.inner-texted { background: url(${url}) }`;
  put(style);
  await seenRequest(url);
  return [quotedIn(style.innerText), quotedIn(style.textContent), quotedIn(style.firstChild.data)];
});
absolute('constructed sheet', '/image.png', async url => {
  pictured('constructed');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`.constructed { background: url(${url}) }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  await seenRequest(url);
  return [quotedIn(sheet.cssRules[0].cssText)];
});
absolute('FontFace', '/font.ttf', async url => {
  await new FontFace('absolute', `url(${url})`).load();
  return [url];
});
absolute('fetch', '/text', async url => [(await fetch(url)).url, (await fetch(url, {method: 'HEAD'})).clone().url]);
absolute('fetch of a Request', '/text', async url => {
  const request = new Request(new URL(url));
  return [request.url, new Request(request).url, (await fetch(request)).url];
});
absolute('XMLHttpRequest', '/text', async url => [(await xhr('GET', url)).responseURL]);
absolute('EventSource', '/events', url => new Promise((resolve, reject) => {
  const source = new EventSource(url);
  source.onmessage = () => { source.close(); resolve([source.url]); };
  source.onerror = () => reject(new DOMException('', 'error'));
}));
absolute('worker', '/worker.js', async url => {
  await answered(new Worker(url), {url: '/text?absolute'});
  return [url];
});
// As jQuery, AngularJS, axios and htmx tell whether they may send a token, or ask at all.
kind('absolute: libraries that ask whether an address is the page’s own', 'own own own own, others not; a link in the page stays', () => {
  const tests = {
    detached: url => Object.assign(make('a'), {href: url}).protocol === location.protocol,
    origin: url => Object.assign(make('a'), {href: url}).origin === location.origin,
    resolved: url => new URL(url, location.href).origin === location.origin,
    object: url => new URL(new URL(url), new URL(location.href)).protocol === location.protocol,
  };
  const url = 'https://example.com/x', other = 'http://other.example/x';
  const own = Object.values(tests).map(test => test(url) ? 'own' : 'another').join(' ');
  const others = Object.values(tests).some(test => test(other)) ? 'others too' : 'others not';
  const link = put(Object.assign(make('a'), {href: url})), {protocol} = link;
  link.remove();
  const isSame = new URL(url).href === url && new URL('x', url).href === url && protocol === 'https:' && URL.prototype.constructor === URL;
  return `${own}, ${others}; a link in the page ${isSame ? 'stays' : 'is turned'}`;
});
// No script can replace an import.
kind('absolute: import()', 'own request', async () => {
  const {url, id} = address('/module.js');
  await import(url);
  return await whose(id);
});
// A page and a sheet with absolute addresses in them.
kind('absolute: within documents and sheets',
  'img, srcset, script, module, import map, sheet, @import, url(), font, style, template, svg, base: own requests', async () => {
    const told = (await inFrame('/absolute.html')).split(' '), names = [];
    let whoseRequests = 'own requests';
    for (const part of told) {
      const relation = await whose(`static-${part}`);
      if (relation !== 'own request') whoseRequests = `${relation} of ${part}`;
      names.push({map: 'import map', atimport: '@import', url: 'url()'}[part] ?? part);
    }
    return `${names.join(', ')}: ${whoseRequests}`;
  });
kind('absolute: what a document reads of its own text', 'as it was written', () => inFrame('/absolute-text.html'));
kind('absolute: a sheet with integrity', 'rgb(7, 8, 9)', () => inFrame('/integrity.html'));
kind('absolute: Content-Security-Policy that names the host', 'loaded', () => inFrame('/absolute-policy.html'));
kind('absolute: navigations stay', 'https://example.com/x, https://example.com/x, https://example.com/x', () => {
  const link = Object.assign(make('a'), {href: 'https://example.com/x'});
  const form = Object.assign(make('form'), {action: 'https://example.com/x'});
  const box = Object.assign(make('iframe'), {src: 'https://example.com/x'});
  return [link.href, form.action, box.src].join(', ');
});

// Text that somebody else wrote must not hold up a page: 40,000 addresses of which none ends.
kind('absolute: addresses without an end', '1440000 1440000 720000 720000', () => {
  const element = document.createElement('p'), image = document.createElement('img'), host = 'https://example.com/';
  const css = `url(${host}`.repeat(40000), far = `;${' '.repeat(15)}${host}`.repeat(40000);
  element.setAttribute('style', css.padEnd(1440000).slice(0, 1440000));
  const first = element.getAttribute('style').length;
  element.setAttribute('style', far.padEnd(1440000).slice(0, 1440000));
  const list = `,${host}`.repeat(40000).padEnd(720000, 'x').slice(0, 720000);
  image.setAttribute('srcset', list);
  const holder = document.createElement('div');
  holder.innerHTML = `<i title="${list}" style="${list}"></i>`;
  return [first, element.getAttribute('style').length, image.getAttribute('srcset').length, holder.firstChild.getAttribute('style').length].join(' ');
});
