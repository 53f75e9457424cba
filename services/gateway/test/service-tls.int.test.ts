import { connect } from 'node:net';
import { createServer, type Server } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { trustServices } from '@beltway/kit/service-tls';
import { eventually } from '@beltway/kit/testing';
import { testCertificates, type TestCertificates } from '@beltway/test-engines/certificates';
import { services, startGateway, type TestGateway } from './gateway.ts';

// The gateway in front of services that serve TLS, each with a certificate for its own name (OWASP ASVS 5.0, 12.3.3).

type Name = (typeof services)[number];
/** Leaves out the sandbox, which runs only on a developer's machine. */
const NAMES = services.filter((name) => name !== 'sandbox');
let certificates: TestCertificates;
let gateway: TestGateway;
const doors: Server[] = [];

/** Serves TLS in front of a stub, with the certificate of `certifiedAs`. Returns the base URL. */
async function door(name: Name, certifiedAs: string, target: () => TestGateway): Promise<string> {
  const { key, cert } = await certificates.of(certifiedAs);
  const server = createServer({ key: certificates.read(key), cert: certificates.read(cert) }, (socket) => {
    const { port } = new URL(target().behind[name].url);
    const behind = connect(Number(port), '127.0.0.1');
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const)
      one.pipe(other).on('error', () => one.destroy());
  });
  doors.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  certificates = await testCertificates();
  const urls: Record<string, string[]> = {};
  for (const name of NAMES) urls[`${name.toUpperCase()}_URL`] = [await door(name, name, () => gateway)];
  trustServices({ SERVICE_CA_FILE: certificates.ca });
  gateway = await startGateway(urls);
});
afterAll(async () => {
  trustServices({});
  await gateway.stop();
  for (const server of doors) server.close();
  certificates.remove();
});
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

test.each(NAMES.map((name) => [name]))('requests reach %s over TLS', async (name) => {
  const paths: Record<string, string> = {
    ...{
      identity: '/api/auth/me',
      catalog: '/api/events/5',
      ticketing: '/api/orders/x/tickets.pdf',
      payments: '/api/stripe/webhook',
    },
    ...{ media: '/media/images/a-large.webp', realtime: '/socket.io/?EIO=4&transport=polling' },
  };
  for (const host of ['tickets.example.org', 'other.example.org']) {
    const answer = await gateway.raw(`GET ${paths[name]} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 (200|401|404)/);
  }
  await eventually(() => gateway.behind[name].heard.length > 0);
});

test('bodies, holds and WebSockets are sent by TLS, too', async () => {
  gateway.behind.catalog.answer = (_req, res, { body }) => void res.setHeader('content-type', 'text/plain').end(body);
  const body = { text: 'x'.repeat(200_000) };
  expect(await (await gateway.post('/api/events', body)).json()).toEqual(body);

  const hold = { eventId: 5, items: [{ ticketTypeId: 'a', quantity: 1 }] };
  await gateway.post('/api/holds', hold, { 'idempotency-key': 'a'.repeat(32) });
  await eventually(() => gateway.behind.ticketing.heard.length > 0);

  const socket = gateway.connect();
  const head = [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    ...['Host: localhost:3000', 'Origin: http://localhost:3000', 'Connection: Upgrade', 'Upgrade: websocket'],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'],
  ];
  socket.write([...head, '', ''].join('\r\n'));
  await eventually(() => socket.seen.text.includes('101 Switching Protocols'));
  socket.write('over and back');
  await eventually(() => socket.seen.text.endsWith('over and back'));
});

test('the gateway is ready when services that serve TLS are ready', async () =>
  expect((await gateway.get('/api/health/ready')).status).toBe(200));

test('a service with the certificate of another service gets no request', async () => {
  // The stubs' ports are known only once the gateway runs.
  const own: { gateway?: TestGateway } = {};
  const target = () => own.gateway!;
  const urls = {
    CATALOG_URL: [await door('catalog', 'media', target)],
    REALTIME_URL: [await door('realtime', 'media', target)],
  };
  const wrong = await startGateway(urls);
  own.gateway = wrong;
  try {
    expect((await wrong.get('/api/events/5')).status).toBe(503);
    expect((await wrong.get('/socket.io/?EIO=4&transport=polling')).status).toBe(503);
    const socket = wrong.connect();
    socket.write(
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await eventually(() => /^HTTP\/1.1 503/.test(socket.seen.text));
    expect([...wrong.behind.catalog.heard, ...wrong.behind.realtime.heard]).toEqual([]);
  } finally {
    await wrong.stop();
  }
});
