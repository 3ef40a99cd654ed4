// fetch() without a body.
section = 'fetch() without a body';
const head = answer => `${answer.status} ${answer.type}`;
kind('fetch GET', '200 basic some text', async () => {
  const answer = await fetch('/text');
  return `${head(answer)} ${await answer.text()}`;
});
kind('fetch HEAD', '200 9 ""', async () => {
  const answer = await fetch('/text', {method: 'HEAD'});
  return `${answer.status} ${answer.headers.get('content-length')} "${await answer.text()}"`;
});
kind('fetch, status text', '404 Not Found', async () => {
  const answer = await fetch('/nothing');
  return `${answer.status} ${answer.statusText}`;
});
kind('fetch: fields of the answer', 'content-type: text/plain; x-custom: yes; etag: "v1"; set-cookie: -', async () => {
  const {headers} = await fetch('/text?custom&tag&set=seen%3D1');
  return ['content-type', 'x-custom', 'etag', 'set-cookie'].map(name => `${name}: ${headers.get(name) ?? '-'}`).join('; ');
});
kind('fetch: request', 'accept: */*; origin: -; referer: https://example.com/matrix.html; sec-fetch-dest: empty; sec-fetch-mode: cors; sec-fetch-site: same-origin; x-own: 1', async () => {
  const id = unique();
  await fetch(`/text?cache=no-store&id=${id}`, {headers: {'X-Own': '1'}});
  return fields((await asked(id))[0], 'accept', 'origin', 'referer', 'sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site', 'x-own');
});
kind('fetch: request to another origin', 'accept: text/x; origin: https://example.com; referer: https://example.com/; sec-fetch-site: cross-site', async () => {
  const id = unique();
  await fetch(`${cdn}/text?allow=any&cache=no-store&id=${id}`, {headers: {Accept: 'text/x'}});
  return fields((await asked(id))[0], 'accept', 'origin', 'referer', 'sec-fetch-site');
});
kind('fetch, no-cors', '0 opaque ""', async () => {
  const answer = await fetch(`${cdn}/text?opaque`, {mode: 'no-cors'});
  return `${head(answer)} "${await answer.text()}"`;
});
kind('fetch, other origin allowed', '200 cors some text', async () => {
  const answer = await fetch(`${cdn}/text?allow=any`);
  return `${head(answer)} ${await answer.text()}`;
});
kind('fetch, other origin: fields of the answer', 'x-custom: -; etag: "v1"', async () => {
  const {headers} = await fetch(`${cdn}/text?allow=any&custom&tag&expose=etag`);
  return ['x-custom', 'etag'].map(name => `${name}: ${headers.get(name) ?? '-'}`).join('; ');
});
kind('fetch, other origin refused', 'TypeError', () => text(`${cdn}/text?refused`));
kind('fetch with credentials, refused for *', 'TypeError', () => text(`${cdn}/text?allow=any&with`, {credentials: 'include'}));
kind('fetch with credentials, allowed', 'some text', () => text(`${cdn}/text?allow=credentials`, {credentials: 'include'}));
kind('fetch, mode same-origin', 'TypeError', () => text(`${cdn}/text?allow=any`, {mode: 'same-origin'}));
kind('fetch, preflight allowed', 'some text; OPTIONS GET', async () => {
  const id = unique();
  const body = await text(`${cdn}/text?allow=any&grant&cache=no-store&id=${id}`, {headers: {'X-Own': '1'}});
  return `${body}; ${await methods(id)}`;
});
kind('fetch, preflight refused', 'TypeError; OPTIONS', async () => {
  const id = unique();
  const body = await text(`${cdn}/text?allow=any&cache=no-store&id=${id}`, {headers: {'X-Own': '1'}}).catch(error => error.name);
  return `${body}; ${await methods(id)}`;
});
kind('fetch, redirected', 'some text', () => text('/redirect?to=/text'));
kind('fetch, redirected: what the page sees', 'true https://example.com/text', async () => {
  const answer = await fetch('/redirect?to=/text');
  return `${answer.redirected} ${answer.url}`;
});
const shown = answer => `${answer.redirected} ${answer.url} ${answer.statusText}`;
kind('fetch, not redirected: what the page sees', 'false https://example.com/text OK', async () => shown(await fetch('/text')));
kind('fetch with a long Accept, redirected: what the page sees', 'true https://example.com/text OK', async () => shown(
  await fetch('/redirect?to=/text', {headers: {Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'}})));
kind('fetch Request, redirected: what the page sees', 'true https://example.com/text OK',
  async () => shown(await fetch(new Request('/redirect?to=/text', {headers: {'X-Own': '1'}}))));
kind('fetch POST, redirected: what the page sees', 'true https://example.com/echo OK',
  async () => shown(await fetch('/redirect?status=307&to=/echo', {method: 'POST', body: 'a'})));
kind('fetch, redirected: a clone, and what is made of it', 'true https://example.com/text OK; false  OK; no mark', async () => {
  const answer = await fetch('/redirect?to=/text'), copy = answer.clone();
  const made = new Response('', {statusText: answer.statusText, headers: answer.headers});
  return `${shown(copy)}; ${shown(made)}; ${[...answer.headers.keys()].some(name => name.includes('moved')) ? 'a mark' : 'no mark'}`;
});
kind('fetch, redirected twice: what the page sees', 'true https://example.com/text OK',
  async () => shown(await fetch(`/redirect?to=${encodeURIComponent('/redirect?to=/text')}`)));
kind('fetch, redirected to another origin: what the page sees', 'true https://example.net/text?allow=any OK',
  async () => shown(await fetch(`/redirect?to=${encodeURIComponent('https://example.net/text?allow=any')}`)));
kind('fetch, redirected by hand: what the page sees', 'opaqueredirect false https://example.com/redirect?to=/text ',
  async () => {
    const answer = await fetch('/redirect?to=/text', {redirect: 'manual'});
    return `${answer.type} ${shown(answer)}`;
  });
kind('fetch, redirected to another origin', 'some text', () => text(`/redirect?to=${encodeURIComponent('https://example.net/text?allow=any')}`));
kind('fetch, redirected to an origin that refuses', 'TypeError', () => text(`/redirect?to=${encodeURIComponent('https://example.net/text?refused')}`));
kind('fetch, redirected between other origins', 'some text; origin: null', async () => {
  const id = unique();
  const body = await text(`${cdn}/redirect?allow=any&to=${encodeURIComponent(`https://example.org/text?allow=any&cache=no-store&id=${id}`)}`);
  return `${body}; ${fields((await asked(id))[0], 'origin')}`;
});
kind('fetch, redirect: error', 'TypeError', () => text('/redirect?to=/text', {redirect: 'error'}));
kind('fetch, redirect: manual', '0 opaqueredirect', async () => head(await fetch('/redirect?to=/text', {redirect: 'manual'})));
kind('fetch, redirect: manual, other origin', '0 opaqueredirect',
  async () => head(await fetch(`${cdn}/redirect?allow=any&to=/text`, {redirect: 'manual'})));
kind('fetch, redirects in a circle', 'TypeError', () => text(`/redirect?to=${encodeURIComponent('/circle')}`));
kind('fetch, aborted before the head', 'AbortError', async () => {
  const id = unique();
  const controller = new AbortController();
  const answer = fetch(`/held?id=${id}`, {signal: controller.signal}).then(head, error => error.name);
  await arrived(id, answer);
  controller.abort();
  const result = await answer;
  await text(`/release?of=${id}`);
  return result;
});
kind('fetch, aborted after a garbage collection', 'AbortError', async () => {
  const id = unique();
  const controller = new AbortController();
  const answer = fetch(`/held?id=${id}`, {signal: controller.signal}).then(head, error => error.name);
  await arrived(id, answer);
  for (let round = 0; round < 8; round += 1) {
    Array.from({length: 60000}, (_, index) => ({a: [index], b: new Array(8)}));
    new ArrayBuffer(2e7);
    await new Promise(resolve => setTimeout(resolve));
  }
  controller.abort();
  await text(`/release?of=${id}`);
  return answer;
});
kind('fetch, aborted in the body', 'first, AbortError', async () => {
  const id = unique();
  const controller = new AbortController();
  const answer = await fetch(`/stream?id=${id}`, {signal: controller.signal});
  const reader = answer.body.getReader();
  const {value} = await reader.read();
  controller.abort();
  const result = await reader.read().then(() => 'more', error => error.name);
  await text(`/release?of=${id}`);
  return `${new TextDecoder().decode(value)}, ${result}`;
});
kind('fetch, body read as it comes', 'first, second, end', async () => {
  const id = unique();
  const reader = (await fetch(`/stream?id=${id}`)).body.getReader();
  const read = async () => {
    const {done, value} = await reader.read();
    return done ? 'end' : new TextDecoder().decode(value);
  };
  const first = await read();
  // The origin holds the second part back until now.
  await text(`/release?of=${id}`);
  return `${first}, ${await read()}, ${await read()}`;
});
kind('fetch, a body that breaks off', 'TypeError', () => text('/broken'));
kind('fetch, five megabytes', '5242880 655360', async () => {
  const bytes = new Uint8Array(await (await fetch('/large')).arrayBuffer());
  return `${bytes.length} ${bytes.reduce((sum, byte) => sum + (byte === 7), 0)}`;
});
kind('fetch, Range', '206 bytes 2-5/10 2345', async () => {
  const answer = await fetch('/digits', {headers: {Range: 'bytes=2-5'}});
  return `${answer.status} ${answer.headers.get('content-range')} ${await answer.text()}`;
});
kind('fetch, Range that holds nothing', '416 bytes */10', async () => {
  const answer = await fetch('/digits?past', {headers: {Range: 'bytes=20-'}});
  return `${answer.status} ${answer.headers.get('content-range')}`;
});
kind('fetch, If-None-Match', '304 ""', async () => {
  const answer = await fetch('/text?tag&cache=no-cache', {headers: {'If-None-Match': '"v1"'}});
  return `${answer.status} "${await answer.text()}"`;
});
kind('fetch twice, validated', '200 some text, 200 some text', async () => {
  const one = async () => {
    const answer = await fetch('/text?tag&cache=no-cache&twice');
    return `${answer.status} ${await answer.text()}`;
  };
  return `${await one()}, ${await one()}`;
});
kind('fetch, cache: reload', '200 some text', async () => {
  const answer = await fetch('/text', {cache: 'reload'});
  return `${answer.status} ${await answer.text()}`;
});
kind('fetch, gzip', 'compressed content 380', async () => {
  const body = await text('/coded?coding=gzip');
  return `${body.slice(0, 18)} ${body.length}`;
});
kind('fetch, deflate', 'compressed content 380', async () => {
  const body = await text('/coded?coding=deflate');
  return `${body.slice(0, 18)} ${body.length}`;
});
kind('fetch, integrity good', 'some text', async () => text('/text', {integrity: `sha256-${await sha256('some text')}`}));
kind('fetch, integrity bad', 'TypeError', async () => text('/text', {integrity: `sha256-${await sha256('other text')}`}));
kind('fetch, 204', '204 ""', async () => {
  const answer = await fetch('/text?status=204');
  return `${answer.status} "${await answer.text()}"`;
});
kind('fetch, 500', '500 some text', async () => {
  const answer = await fetch('/text?status=500&cache=no-store');
  return `${answer.status} ${await answer.text()}`;
});
kind('fetch, an origin that hangs up', 'TypeError', async () => String((await fetch('/hangup')).status));
kind('fetch, unreachable host', 'TypeError', () => text(`${location.protocol}//gone.example.com/`));
kind('fetch, keepalive', '200', async () => String((await fetch('/text?alive', {keepalive: true})).status));
kind('fetch of a Request', 'some text', () => text(new Request('/text')));
kind('fetch, blob: URL', 'in a blob', () => text(URL.createObjectURL(new Blob(['in a blob']))));
kind('fetch, data: URL', 'in a URL', () => text('data:,in%20a%20URL'));
