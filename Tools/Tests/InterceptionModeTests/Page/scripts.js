// What a page sees of its own functions, which Larder's scripts stand in for where a scheme handler answers.
section = 'Functions of the page';
const standIns = () => [
  fetch, Blob, Request, Request.prototype.clone, navigator.sendBeacon, Function.prototype.toString,
  ...['open', 'setRequestHeader', 'send', 'abort'].map(name => XMLHttpRequest.prototype[name]),
];
kind('their text', 'native 10', () => {
  const native = standIns().filter(each => String(each) === `function ${each.name}() {\n    [native code]\n}`);
  return `native ${native.length}`;
});
kind('their names, lengths and properties',
  'fetch 1 length,name; Blob 0 length,name,prototype; Request 1 length,name,prototype; clone 0 length,name; sendBeacon 1 length,name; toString 0 length,name; '
    + 'open 2 length,name; setRequestHeader 2 length,name; send 0 length,name; abort 0 length,name',
  () => standIns().map(each => `${each.name} ${each.length} ${Object.getOwnPropertyNames(each).sort().join()}`).join('; '));
kind('their flags', 'fetch true true true; Request true false true; open true true true; sendBeacon true true true', () =>
  [[self, 'fetch'], [self, 'Request'], [XMLHttpRequest.prototype, 'open'], [Navigator.prototype, 'sendBeacon']]
    .map(([holder, name]) => {
      const {writable, enumerable, configurable} = Object.getOwnPropertyDescriptor(holder, name);
      return `${name} ${writable} ${enumerable} ${configurable}`;
    }).join('; '));
kind('Request: constructor and subclass', 'true true 1 TypeError', () => {
  class Own extends Request { get own() { return 1; } }
  const own = new Own('/text');
  let error;
  try { Request('/text'); } catch ({name}) { error = name; }
  return `${Request.prototype.constructor === Request} ${own instanceof Own} ${own.own} ${error}`;
});
kind('what they convert is converted once', 'url method; method url', async () => {
  const seen = [[], []];
  const value = (list, name, text) => ({toString() { list.push(name); return text; }});
  await fetch(value(seen[0], 'url', '/text'), {get method() { seen[0].push('method'); return 'GET'; }});
  new XMLHttpRequest().open(value(seen[1], 'method', 'GET'), value(seen[1], 'url', '/text'));
  return seen.map(list => list.join(' ')).join('; ');
});
kind('errors', 'rejected TypeError; rejected TypeError; TypeError; InvalidStateError', async () => {
  const rejection = promise => promise.then(() => 'fulfilled', error => `rejected ${error.name}`);
  const thrown = action => { try { action(); return 'nothing'; } catch (error) { return error.name; } };
  return [
    await rejection(fetch()), await rejection(fetch('/text', 1)), thrown(() => XMLHttpRequest.prototype.open.call({}, 'GET', '/')),
    thrown(() => new XMLHttpRequest().send()),
  ].join('; ');
});
kind('errors of what fetch converts', 'rejected TypeError; rejected 1', async () => {
  const rejection = promise => promise.then(() => 'fulfilled', error => `rejected ${error.name ?? error}`);
  return `${await rejection(fetch(Object.create(null)))}; ${await rejection(fetch({toString() { throw 1; }}))}`;
});
kind('XHR with a Blob, sent twice', 'InvalidStateError InvalidStateError loadstart load loadend', async () => {
  const seen = [];
  const request = await xhr('POST', '/echo', {body: new Blob(['in a blob']), prepare: request => {
    for (const name of ['loadstart', 'load', 'loadend']) request.addEventListener(name, () => seen.push(name));
    Promise.resolve().then(() => {
      for (const action of [() => request.send(), () => request.setRequestHeader('A', 'b')]) {
        try { action(); seen.push('nothing'); } catch (error) { seen.push(error.name); }
      }
    });
  }});
  if (!seen.includes('loadend')) await event(request, 'loadend');
  return seen.sort((a, b) => b.startsWith('Invalid') - a.startsWith('Invalid')).join(' ');
});
kind('XHR with a Blob, aborted', 'readystatechange 4, abort 4, loadend 4; 0', async () => {
  const request = new XMLHttpRequest(), seen = [];
  request.open('POST', '/echo');
  for (const name of ['readystatechange', 'abort', 'loadend']) {
    request.addEventListener(name, () => seen.push(`${name} ${request.readyState}`));
  }
  request.send(new Blob(['in a blob']));
  request.abort();
  return `${seen.join(', ')}; ${request.readyState}`;
});
kind('POST Request with a form and a file', `POST multipart/form-data; boundary=B ${part('a', 'b')}${filePart}--B--|`,
  () => got(new Request('/echo', {method: 'POST', body: form(['a', 'b'], ['file', file])})));
kind('POST clone of such a Request', `POST multipart/form-data; boundary=B ${filePart}--B--| true false`, async () => {
  const request = new Request('/echo', {method: 'POST', body: form(['file', file])}), copy = request.clone();
  const result = await got(copy);
  return `${result} ${copy.bodyUsed} ${request.bodyUsed}`;
});
kind('POST form that changes after it was sent', `POST multipart/form-data; boundary=B ${filePart}--B--|`, () => {
  const made = form(['file', file]), result = send(made);
  made.append('late', 'yes');
  return result;
});
// What a request says in no field.
kind('XHR: time-out', 'readystatechange 4, timeout 4, loadend 4; 0', () => new Promise(resolve => {
  const request = new XMLHttpRequest(), seen = [];
  request.open('GET', `/held?id=${unique()}`);
  request.timeout = 200;
  for (const name of ['readystatechange', 'load', 'error', 'abort', 'timeout', 'loadend']) {
    request.addEventListener(name, () => {
      seen.push(`${name} ${request.readyState}`);
      if (name === 'loadend') resolve(`${seen.join(', ')}; ${request.status}`);
    });
  }
  request.send();
}));
const askedAgain = async init => {
  const id = unique(), url = `/text?cache=max-age%3D600&id=${id}`;
  await text(url);
  return `${(await fetch(url, init)).status}; ${await methods(id)}`;
};
kind('fetch, cache no-store', '200; GET GET', () => askedAgain({cache: 'no-store'}));
kind('fetch, cache reload', '200; GET GET', () => askedAgain({cache: 'reload'}));
kind('fetch with a condition of the page', '200; GET GET', () => askedAgain({headers: {'If-None-Match': '"other"'}}));
kind('keepalive fetch of a frame that is removed', 'arrived', async () => {
  const made = document.createElement('iframe'), id = unique();
  document.body.append(made);
  made.contentWindow.fetch(`${site}/text?id=${id}`, {method: 'POST', body: 'kept', keepalive: true});
  made.remove();
  await text(`/arrived?of=${id}`);
  return 'arrived';
});
kind('keepalive Request of a frame that is removed', 'arrived', async () => {
  const made = document.createElement('iframe'), id = unique();
  document.body.append(made);
  const window = made.contentWindow;
  window.fetch(new window.Request(`${site}/text?id=${id}`, {method: 'POST', body: 'kept', keepalive: true}));
  made.remove();
  await text(`/arrived?of=${id}`);
  return 'arrived';
});
kind('beacon of a frame that is removed', 'arrived', async () => {
  const made = document.createElement('iframe'), id = unique();
  document.body.append(made);
  made.contentWindow.navigator.sendBeacon(`${site}/beacon?id=${id}`, 'kept');
  made.remove();
  await text(`/beaconed?of=${id}`);
  return 'arrived';
});
kind('beacon of bytes of a frame that is removed', 'arrived', async () => {
  const made = document.createElement('iframe'), id = unique();
  document.body.append(made);
  const realm = made.contentWindow;
  realm.navigator.sendBeacon(`${site}/beacon?id=${id}`, new realm.Blob([new Uint8Array(9)]));
  made.remove();
  await text(`/beaconed?of=${id}`);
  return 'arrived';
});
kind('EventSource that another origin refuses', 'closed', () => new Promise(resolve => {
  const source = new EventSource(`${cdn}/events?refused&id=${unique()}`);
  source.onmessage = () => resolve('a message');
  source.onerror = () => resolve(source.readyState === EventSource.CLOSED ? 'closed' : 'tries again');
}));
kind('EventSource with credentials: url, prototype', 'https://example.com/events?withCredentials true true EventSource 1', () => {
  const source = new EventSource('/events?withCredentials', {withCredentials: true});
  source.close();
  return `${source.url} ${source.withCredentials} ${source instanceof EventSource} ${EventSource.name} ${EventSource.length}`;
});
// A page that replaces every function that a careless script would call, and listens.
kind('what replaced functions hear of a POST with a Blob', 'POST text/x in a blob; nothing', async () => {
  const made = document.createElement('iframe');
  document.body.append(made);
  const realm = made.contentWindow, heard = [];
  for (const prototype of ['Headers', 'WeakMap', 'Map', 'Array', 'String', 'RegExp', 'XMLHttpRequest', 'Request'].map(name => realm[name].prototype)) {
    for (const name of Reflect.ownKeys(prototype)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name), native = descriptor.value;
      if (typeof native !== 'function' || name === 'constructor' || !descriptor.configurable) continue;
      Object.defineProperty(prototype, name, {...descriptor, value(...values) {
        heard.push(...values.filter(value => typeof value === 'string'));
        return Reflect.apply(native, this, values);
      }});
    }
  }
  const answer = await realm.fetch(new URL('/echo', location), {method: 'POST', body: new realm.Blob(['in a blob'], {type: 'text/x'})});
  const result = upload(await answer.json());
  made.remove();
  return `${result}; ${heard.filter(text => text.includes('larder')).join() || 'nothing'}`;
});
kind('document.open and a listening Headers.set', 'nothing true', async () => {
  const made = document.createElement('iframe');
  document.body.append(made);
  const realm = made.contentWindow, before = realm.fetch, heard = [], native = realm.Headers.prototype.set;
  realm.document.open();
  realm.document.write('<!doctype html>');
  realm.document.close();
  realm.Headers.prototype.set = function set(name, value) {
    heard.push(value);
    return Reflect.apply(native, this, [name, value]);
  };
  await realm.fetch(new URL('/echo', location), {method: 'POST', body: 'hello'});
  const result = `${heard.join() || 'nothing'} ${realm.fetch === before}`;
  made.remove();
  return result;
});
kind('POST Blob without a referrer', 'referer: -', async () => {
  const id = unique();
  await fetch(`/echo?id=${id}`, {method: 'POST', body: new Blob([new Uint8Array(3)]), referrerPolicy: 'no-referrer'});
  return fields((await asked(id))[0], 'referer');
});
kind('XHR with a body that throws', '1 POST text/plain;charset=UTF-8 hello', async () => {
  const request = new XMLHttpRequest();
  request.open('POST', '/echo');
  let thrown;
  try { request.send({toString() { throw 1; }}); } catch (value) { thrown = value; }
  const loaded = event(request, 'load');
  request.send('hello');
  await loaded;
  return `${thrown} ${upload(JSON.parse(request.responseText))}`;
});
kind('sendBeacon that is refused', 'false TypeError', () => {
  const isTaken = navigator.sendBeacon('/echo', 'x'.repeat(70000));
  try { navigator.sendBeacon('/echo', Symbol()); } catch ({name}) { return `${isTaken} ${name}`; }
});
kind('sendBeacon: 65,537 bytes of each kind', 'string false, buffer false, view false, form false, parameters false, blob false', () => {
  const text = 'x'.repeat(65537), bytes = new Uint8Array(65537), form = new FormData();
  form.append('name', text);
  const kinds = {
    string: text, buffer: bytes.buffer, view: new DataView(bytes.buffer), form, parameters: new URLSearchParams({name: text}), blob: new Blob([bytes]),
  };
  return Object.entries(kinds).map(([name, content]) => `${name} ${navigator.sendBeacon('/echo', content)}`).join(', ');
});
kind('document.open: what window.onerror hears', 'nothing', () => new Promise(resolve => {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const page = frame.contentWindow, heard = [];
  page.document.open();
  page.onerror = message => { heard.push(message); };
  page.document.write('<p>again');
  page.document.close();
  setTimeout(() => resolve(heard.join() || 'nothing'), 100);
}));
kind('File: what it inherits from, constructor, subclass and errors', 'true true true true true 1 abc TypeError TypeError', async () => {
  class Own extends File { get own() { return 1; } }
  const thrown = action => { try { action(); return 'nothing'; } catch ({name}) { return name; } };
  const own = new Own(['abc'], 'own.txt');
  return [
    Object.getPrototypeOf(File) === Blob, File.__proto__ === Blob, File.prototype.constructor === File, own instanceof Own, own instanceof Blob, own.own,
    await own.text(), thrown(() => File([], 'a')), thrown(() => Object.setPrototypeOf(Blob, File)),
  ].join(' ');
});
kind('File that is frozen: what it inherits from', 'true true TypeError', () => {
  const made = document.createElement('iframe');
  document.body.append(made);
  const realm = made.contentWindow, {File, Blob} = realm;
  Object.freeze(File);
  let error = 'nothing';
  try { Object.setPrototypeOf(File, null); } catch ({name}) { error = name; }
  const result = `${Object.isFrozen(File)} ${Object.getPrototypeOf(File) === Blob} ${error}`;
  made.remove();
  return result;
});
kind('a function as its own prototype', 'TypeError TypeError', () => [fetch, Request].map(each => {
  try { Object.setPrototypeOf(each, Object.create(each)); return 'nothing'; } catch ({name}) { return name; }
}).join(' '));

// More that Larder's scripts stand in for.
kind('FormData and XMLHttpRequest.upload: text, names, lengths, flags', 'native FormData 0 length,name,prototype true false true; native get upload 0 length,name undefined true true', () => {
  const upload = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'upload');
  const made = Object.getOwnPropertyDescriptor(self, 'FormData');
  const shape = each => `${String(each) === `function ${each.name.replace('get ', '')}() {\n    [native code]\n}` ? 'native' : String(each)} ${each.name} ${each.length} ${Object.getOwnPropertyNames(each).sort()}`;
  return `${shape(FormData)} ${made.writable} ${made.enumerable} ${made.configurable}; ${shape(upload.get)} ${upload.set} ${upload.enumerable} ${upload.configurable}`;
});
kind('FormData: constructor, subclass and errors', 'true true 1 TypeError TypeError', () => {
  class Own extends FormData { get own() { return 1; } }
  const thrown = action => { try { action(); return 'nothing'; } catch ({name}) { return name; } };
  const own = new Own();
  return `${FormData.prototype.constructor === FormData} ${own instanceof Own} ${own.own} ${thrown(() => FormData())} ${thrown(() => new FormData(1))}`;
});
// A page that replaces everything it can, and listens.
kind('what replaced functions hear of a large Blob and of upload events', 'POST - 2500000 bytes, as they were; load; nothing', async () => {
  const made = document.createElement('iframe');
  document.body.append(made);
  const realm = made.contentWindow, heard = [], url = new URL('/pattern', location).href;
  const blob = new realm.Blob([await large(2500000).arrayBuffer()]);
  const names = ['Headers', 'WeakMap', 'Map', 'Array', 'String', 'RegExp', 'XMLHttpRequest', 'Request', 'Response', 'Promise', 'Blob', 'EventTarget',
    'AbortController', 'FormData', 'Event', 'ProgressEvent', 'TextEncoder', 'Uint8Array', 'Function'];
  for (const prototype of names.map(name => realm[name].prototype)) {
    for (const name of Reflect.ownKeys(prototype)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name), native = descriptor.value;
      if (typeof native !== 'function' || name === 'constructor' || !descriptor.configurable) continue;
      Object.defineProperty(prototype, name, {...descriptor, value(...values) {
        heard.push(...values.filter(value => typeof value === 'string'));
        for (const value of [this, ...values]) {
          if (value instanceof realm.Request || value instanceof realm.Headers) heard.push(String((value.headers ?? value).get('accept')));
        }
        return Reflect.apply(native, this, values);
      }});
    }
  }
  for (const name of ['fetch', 'Request', 'Blob', 'Promise', 'Proxy', 'AbortController', 'ProgressEvent', 'TextEncoder']) {
    const native = realm[name];
    realm[name] = function(...values) {
      heard.push(...values.filter(value => typeof value === 'string'));
      return new.target ? Reflect.construct(native, values) : Reflect.apply(native, undefined, values);
    };
  }
  const answer = await realm.fetch(url, {method: 'POST', body: blob});
  const result = upload(await answer.json());
  const request = new realm.XMLHttpRequest();
  let loaded = 'no load';
  request.upload.onload = () => { loaded = 'load'; };
  request.open('POST', url);
  const over = new Promise(resolve => { request.onloadend = resolve; });
  request.send(blob);
  await over;
  made.remove();
  return `${result}; ${loaded}; ${heard.filter(text => text.includes('larder') || text.includes('upload=')).join() || 'nothing'}`;
});
kind('a page that freezes every prototype', 'POST - 2500000 bytes, as they were', async () => {
  const made = document.createElement('iframe');
  document.body.append(made);
  const realm = made.contentWindow;
  for (const name of Object.getOwnPropertyNames(realm)) {
    try { Object.freeze(realm[name]?.prototype); } catch {}
  }
  const answer = await realm.fetch(new URL('/pattern', location).href, {method: 'POST', body: large(2500000)});
  const result = upload(await answer.json());
  made.remove();
  return result;
});
const inOwnFrame = (script, attributes) => {
  const id = unique();
  const answer = frame({...attributes, srcdoc: `<!doctype html><script>
    const large = ${large};
    (async () => { try { return await (${script})(); } catch (error) { return error.name; } })()
      .then(text => parent.postMessage({id: '${id}', text}, '*'));
  <\/script>`.replace('<\\/', '</')}, id);
  return answer;
};
kind('POST large Blob from a sandboxed frame', 'null POST 2500000 bytes, as they were', () => inOwnFrame(`async () => {
  const {method, text} = await (await fetch('${cdn}/pattern?allow=any', {method: 'POST', body: large(2500000)})).json();
  return \`\${origin} \${method} \${text}\`;
}`, {sandbox: 'allow-scripts'}));
kind('POST Blob under a policy that forbids it', 'TypeError', () => inOwnFrame(`async () => {
  const meta = document.createElement('meta');
  [meta.httpEquiv, meta.content] = ['Content-Security-Policy', "connect-src 'none'"];
  document.head.append(meta);
  return (await fetch('${site}/pattern', {method: 'POST', body: large(9)})).status;
}`, {}));
kind('a forged mark', 'larder/0;piece=0;upload=AAAAAAAAAAAAAAAA', async () => {
  const id = unique();
  await fetch(`/echo?id=${id}`, {method: 'POST', body: 'x', headers: {Accept: 'larder/0;piece=0;upload=AAAAAAAAAAAAAAAA'}});
  return (await asked(id))[0].fields.accept;
});
// Patches of the shape that zone.js and libraries for fetch have.
const patches = {
  zone(realm) {
    const wrap = (holder, name) => {
      const native = holder[name];
      holder[name] = function(...values) { return native.apply(this, values.map(value => typeof value === 'function' ? value.bind(null) : value)); };
      holder[`__zone_symbol__${name}`] = native;
    };
    for (const name of ['open', 'send', 'abort']) wrap(realm.XMLHttpRequest.prototype, name);
    wrap(realm.EventTarget.prototype, 'addEventListener');
    const then = realm.Promise.prototype.then, NativePromise = realm.Promise;
    realm.Promise = class ZoneAwarePromise extends NativePromise {};
    NativePromise.prototype.then = function(done, failed) {
      return new realm.Promise((resolve, reject) => { then.call(this, resolve, reject); }).then(done, failed);
    };
    Object.getPrototypeOf(realm.Promise.prototype).then = function(...values) { return then.apply(this, values); };
    const native = realm.fetch;
    realm.fetch = function(...values) { return new realm.Promise((resolve, reject) => native.apply(this, values).then(resolve, reject)); };
  },
  polyfill(realm) {
    realm.fetch = (input, init = {}) => new realm.Promise((resolve, reject) => {
      const request = new realm.XMLHttpRequest();
      request.open(init.method ?? 'GET', input);
      request.responseType = 'blob';
      for (const [name, value] of Object.entries(init.headers ?? {})) request.setRequestHeader(name, value);
      request.onload = () => resolve(new realm.Response(request.response, {status: request.status}));
      request.onerror = () => reject(new TypeError('Network request failed'));
      request.send(init.body ?? null);
    });
  },
};
for (const name of Object.keys(patches)) {
  for (const isFirst of [true, false]) {
    kind(`a page with a patch like ${name}, ${isFirst ? 'before its document' : 'after'}`,
      'some text; POST text/plain;charset=UTF-8 hello; POST text/x 2500000 bytes, as they were; POST text/x 9 bytes, as they were; load', async () => {
        const made = document.createElement('iframe');
        document.body.append(made);
        const realm = made.contentWindow;
        if (!isFirst) await text('/text');
        patches[name](realm);
        if (isFirst) await text('/text');
        const send = async (path, options) => (await realm.fetch(new URL(path, location).href, options));
        const told = async (path, body) => upload(await (await send(path, {method: 'POST', body})).json());
        const results = [
          await (await send('/text')).text(), await told('/echo', 'hello'), await told('/pattern', large(2500000, 'text/x')),
          await told('/pattern', large(9, 'text/x')),
        ];
        const request = new realm.XMLHttpRequest();
        request.open('POST', new URL('/pattern', location).href);
        const loaded = new Promise(resolve => request.upload.addEventListener('load', () => resolve('load')));
        request.send(large(900));
        results.push(await loaded);
        made.remove();
        return results.join('; ');
      });
  }
}
