// XMLHttpRequest.
section = 'XMLHttpRequest';
const xhr = (method, url, {body = null, isAsync = true, prepare = () => {}} = {}) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open(method, url, isAsync);
  prepare(request);
  for (const name of ['error', 'abort', 'timeout']) request.addEventListener(name, () => reject(new DOMException('', name)));
  request.addEventListener('load', () => resolve(request));
  request.send(body);
});
const typed = async responseType => (await xhr('GET', responseType === 'json' ? '/data.json' : responseType === 'document' ? '/page.xml' : '/text', {
  prepare: request => { request.responseType = responseType; },
})).response;
kind('XHR GET', '200 OK some text', async () => {
  const {status, statusText, responseText} = await xhr('GET', '/text?xhr');
  return `${status} ${statusText} ${responseText}`;
});
kind('XHR GET, synchronous', '200 some text', async () => {
  const {status, responseText} = await xhr('GET', '/text?sync', {isAsync: false});
  return `${status} ${responseText}`;
});
kind('XHR, other origin allowed', 'some text', async () => (await xhr('GET', `${cdn}/text?allow=any`)).responseText);
kind('XHR, other origin refused', 'error', async () => (await xhr('GET', `${cdn}/text?refused`)).responseText);
kind('XHR, synchronous, other origin allowed', 'some text',
  async () => (await xhr('GET', `${cdn}/text?allow=any`, {isAsync: false})).responseText);
kind('XHR, synchronous, other origin refused', 'error',
  async () => (await xhr('GET', `${cdn}/text?refused`, {isAsync: false})).responseText);
for (const method of ['POST', 'DELETE']) {
  kind(`XHR ${method}: request`, 'origin: https://example.com; referer: https://example.com/matrix.html', async () => {
    const id = unique();
    await xhr(method, `/text?cache=no-store&id=${id}`);
    return fields((await asked(id))[0], 'origin', 'referer');
  });
}
kind('XHR, arraybuffer', '9', async () => String((await typed('arraybuffer')).byteLength));
kind('XHR, blob', '9 text/plain', async () => { const blob = await typed('blob'); return `${blob.size} ${blob.type}`; });
kind('XHR, json', '1', async () => String((await typed('json')).a));
kind('XHR, document', 'root', async () => (await typed('document')).documentElement.tagName);
kind('XHR, fields of the answer', 'x-custom: yes; set-cookie: null', async () => {
  const request = await xhr('GET', '/text?custom&set=xhr%3D1');
  return `x-custom: ${request.getResponseHeader('x-custom')}; set-cookie: ${request.getResponseHeader('set-cookie')}`;
});
kind('XHR, redirected', 'some text', async () => (await xhr('GET', '/redirect?to=/text')).responseText);
kind('XHR, redirected: what the page sees', 'https://example.com/text', async () => (await xhr('GET', '/redirect?to=/text')).responseURL);
kind('XHR, redirected: its status text', 'OK', async () => (await xhr('GET', '/redirect?to=/text')).statusText);
kind('XHR, redirected, with its own Accept', 'https://example.com/text',
  async () => (await xhr('GET', '/redirect?to=/text', {prepare: request => request.setRequestHeader('Accept', 'text/x-own')})).responseURL);
kind('XHR, not redirected: what the page sees', 'https://example.com/text OK', async () => {
  const request = await xhr('GET', '/text');
  return `${request.responseURL} ${request.statusText}`;
});
kind('XHR, progress', 'loaded 9 of 9', async () => {
  let last;
  await xhr('GET', '/text?progress', {prepare: request => request.addEventListener('progress', event => { last = event; })});
  return `loaded ${last.loaded} of ${last.total}`;
});
kind('XHR, aborted', 'abort', async () => {
  const id = unique();
  let request;
  const answer = xhr('GET', `/held?id=${id}`, {prepare: made => { request = made; }}).then(() => 'loaded', error => error.name);
  await arrived(id, answer);
  request.abort();
  await text(`/release?of=${id}`);
  return answer;
});
kind('XHR, 404', '404', async () => String((await xhr('GET', '/nothing?xhr')).status));
const post = async (body, options = {}) => upload(JSON.parse((await xhr('POST', '/echo', {body, ...options})).responseText));
kind('XHR POST string', 'POST text/plain;charset=UTF-8 hello', () => post('hello'));
kind('XHR POST string, synchronous', 'POST text/plain;charset=UTF-8 hello', () => post('hello', {isAsync: false}));
kind('XHR POST urlencoded', 'POST application/x-www-form-urlencoded;charset=UTF-8 a=b', () => post(new URLSearchParams({a: 'b'})));
kind('XHR POST JSON', 'POST application/json {"a":1}',
  () => post('{"a":1}', {prepare: request => request.setRequestHeader('Content-Type', 'application/json')}));
kind('XHR POST ArrayBuffer', 'POST - 70000 octets', () => post(new Uint8Array(70000)));
kind('XHR POST document', 'POST application/xml;charset=UTF-8 <root/>', () => post(new DOMParser().parseFromString('<root/>', 'text/xml')));
kind('XHR POST FormData', `POST multipart/form-data; boundary=B ${part('a', 'b')}--B--|`, () => post(form(['a', 'b'])));
kind('XHR POST FormData with a file', `POST multipart/form-data; boundary=B ${filePart}--B--|`, () => post(form(['file', file])));
kind('XHR POST Blob', 'POST text/x in a blob', () => post(new Blob(['in a blob'], {type: 'text/x'})));
kind('XHR POST Blob, synchronous', 'POST text/x in a blob', () => post(new Blob(['in a blob'], {type: 'text/x'}), {isAsync: false}));
kind('XHR POST Blob of bytes, synchronous', 'POST text/x in a blob',
  () => post(new Blob([new TextEncoder().encode('in a blob')], {type: 'text/x'}), {isAsync: false}));
kind('XHR POST slice of a Blob, synchronous', 'POST text/x in a blob',
  () => post(new Blob(['in a blob']).slice(0, 9, 'text/x'), {isAsync: false}));
kind('XHR POST, upload events', 'loadstart load 70000', async () => {
  const seen = [];
  let loaded;
  await post(new Uint8Array(70000), {prepare: request => {
    for (const name of ['loadstart', 'load']) request.upload.addEventListener(name, event => { seen.push(name); loaded = event.loaded; });
  }});
  return `${seen.join(' ')} ${loaded}`;
});
kind('XHR whose upload is looked at, other origin', 'some text; GET', async () => {
  const id = unique();
  const request = await xhr('GET', `${cdn}/text?allow=any&cache=no-store&id=${id}`, {prepare: made => made.upload});
  return `${request.responseText}; ${await methods(id)}`;
});
kind('XHR POST JSON, other origin', 'POST application/json {}; OPTIONS POST', async () => {
  const id = unique();
  const request = await xhr('POST', `${cdn}/echo?allow=any&grant&id=${id}`, {
    body: '{}', prepare: made => made.setRequestHeader('Content-Type', 'application/json'),
  });
  return `${upload(JSON.parse(request.responseText))}; ${await methods(id)}`;
});
kind('XHR PUT, synchronous, preflight refused', 'error; OPTIONS', async () => {
  const id = unique();
  const result = await xhr('PUT', `${cdn}/echo?allow=any&id=${id}`, {body: 'hello', isAsync: false}).then(() => 'loaded', error => error.name);
  return `${result}; ${await methods(id)}`;
});

// What is told of an upload: runs of progress events as one, with what is wrong about them.
const uploadEvents = async (body, {url = '/pattern', during = () => {}, method = 'POST'} = {}) => {
  const seen = [], request = new XMLHttpRequest();
  let before = 0, fault = '';
  const note = name => { if (seen[seen.length - 1] !== name) seen.push(name); };
  request.open(method, url);
  for (const name of ['loadstart', 'progress', 'load', 'abort', 'error', 'timeout', 'loadend']) {
    request.upload.addEventListener(name, event => {
      note(`${name}${name === 'progress' ? '' : ` ${event.loaded} of ${event.total}`}`);
      if (name === 'progress' && (event.loaded < before || event.loaded > event.total || !event.lengthComputable)) {
        fault = `; ${event.loaded} after ${before}`;
      }
      if (name === 'progress') before = event.loaded;
      if (event.target !== request.upload) fault = '; wrong target';
      during(name, request);
    });
    request.addEventListener(name, () => { if (name !== 'progress') note(`own ${name}`); });
  }
  const over = new Promise(resolve => request.addEventListener('loadend', resolve));
  request.send(body);
  await over;
  return `${seen.join(', ')}${fault}; ${request.status}`;
};
const ofLarge = 'own loadstart, loadstart 0 of 3500000, progress, load 3500000 of 3500000, loadend 3500000 of 3500000, own load, own loadend; 200';
kind('XHR POST large Blob', 'POST text/x 3500000 bytes, as they were',
  async () => upload(JSON.parse((await xhr('POST', '/pattern', {body: large(megabytes, 'text/x')})).responseText)));
kind('XHR POST FormData with a large file', `POST multipart/form-data; boundary=B ${largePart} 3500000 bytes, as they were`,
  async () => upload(JSON.parse((await xhr('POST', '/pattern', {body: form(['a', 'b'], ['file', largeFile(megabytes)])})).responseText)));
kind('XHR POST Blob, empty', 'POST text/x 0 bytes, as they were',
  async () => upload(JSON.parse((await xhr('POST', '/pattern', {body: new Blob([], {type: 'text/x'})})).responseText)));
kind('XHR POST large Blob, upload events', ofLarge, () => uploadEvents(large(megabytes)));
kind('XHR POST Blob, upload events that fail', 'own loadstart, loadstart 0 of 9, error 0 of 0, loadend 0 of 0, own error, own loadend; 0',
  () => uploadEvents(large(9), {url: 'https://gone.example.com/'}));
kind('XHR POST large Blob, aborted at once', 'own loadstart, loadstart 0 of 3500000, abort 0 of 0, loadend 0 of 0, own abort, own loadend; 0',
  () => uploadEvents(large(megabytes), {during: (name, request) => { if (name === 'loadstart') request.abort(); }}));
kind('XHR POST Blob, other type', 'POST text/own 900 bytes, as they were', async () => upload(JSON.parse((await xhr('POST', '/pattern', {
  body: large(900, 'text/x'), prepare: request => request.setRequestHeader('Content-Type', 'text/own'),
})).responseText)));
kind('XHR POST Blob, opened again', 'second', async () => {
  const request = new XMLHttpRequest();
  request.open('POST', '/pattern');
  request.send(large(megabytes));
  request.open('POST', '/echo');
  request.send('second');
  await event(request, 'load');
  return JSON.parse(request.responseText).text;
});

kind('fetch POST very large Blob of a frame that goes away', 'gone', async () => {
  const id = unique(), made = document.createElement('iframe');
  document.body.append(made);
  made.contentWindow.fetch(new URL(`/pattern?id=${id}`, location), {method: 'POST', body: large(200000000)}).catch(() => {});
  await text(`/begun?of=${id}`);
  made.remove();
  return text(`/gone?of=${id}`);
});
kind('XHR POST Blob, the order of what is told', 'loadstart, upload loadstart, sent, upload progress, upload load, upload loadend, 2, 3, 4, load, loadend', async () => {
  const seen = [], request = new XMLHttpRequest();
  const note = name => { if (seen[seen.length - 1] !== name) seen.push(name); };
  request.open('POST', '/pattern');
  request.onreadystatechange = () => note(String(request.readyState));
  for (const name of ['loadstart', 'load', 'loadend', 'progress']) {
    request.upload.addEventListener(name, () => note(`upload ${name}`));
    if (name !== 'progress') request.addEventListener(name, () => note(name));
  }
  const over = new Promise(resolve => request.addEventListener('loadend', resolve));
  request.send(large(900));
  note('sent');
  await over;
  return seen.join(', ');
});
kind('XHR POST string, upload events', 'own loadstart, loadstart 0 of 5, progress, load 5 of 5, loadend 5 of 5, own load, own loadend; 200',
  () => uploadEvents('hello', {url: '/echo'}));
kind('XHR POST string, upload events that fail', 'own loadstart, loadstart 0 of 5, error 0 of 0, loadend 0 of 0, own error, own loadend; 0',
  () => uploadEvents('hello', {url: 'https://gone.example.com/'}));
