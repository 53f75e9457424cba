import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type OutgoingHttpHeaders } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Message } from '@beltway/contracts/common/basics';
import { authenticator } from '@beltway/kit/auth';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { eventually, listen, testDatabase } from '@beltway/kit/testing';
import { testIdentity } from '@beltway/kit/testing-auth';
import { createGateway } from '../src/app.ts';
import type { Redis } from '@beltway/kit/redis';
import type { Config } from '../src/config.ts';
import type { FirstScreenLimits } from '../src/page/first-screens.ts';
import { PURGING_TOPICS } from '../src/response-cache/purge.ts';
import { openBackends, present } from '../src/proxy/backends.ts';
import { PROXY_TIMEOUTS } from '../src/proxy/connections.ts';
import type { Route } from '../src/routes/route.ts';
import { standIn } from './stand-in.ts';

export const INTERNAL_TOKEN = 'x'.repeat(32);
export const BUS = [fileURLToPath(new URL('../../../packages/kit/migrations/bus', import.meta.url))];

/** Some of the frontend's paths. */
const PATHS = [
  ...['/', '/auth', '/event/:id', '/organizer/:id', '/ticket-checkout', '/ticket-success', '/checkout'],
  ...['/checkout/success', '/livestream-checkout', '/my-tickets', '/saved', '/following', '/tonight'],
  ...['/community', '/community/questions', '/community/questions/:id', '/community/posts/:id', '/studio/:eventId'],
];

/**
 * Builds first screens from the frontend's own components. The built page in this folder has first screens of one line.
 */
export const buildFirstScreens = (folder: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, [FIRST_SCREENS, folder], { env: { ...process.env, NODE_ENV: 'production' } });
const FIRST_SCREENS = fileURLToPath(new URL('../../../frontend/scripts/first-screens.ts', import.meta.url));

/** Writes a small build of the frontend. Returns its folder. */
export function builtPage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beltway-page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><head><script src="/theme.js"></script><title>Beltway</title>\n<meta\n  name="description"\n  content="All of it."\n/><link rel="stylesheet" crossorigin href="/assets/index-c3d4.css"></head><body><div id="root"></div><noscript>Beltway needs JavaScript.</noscript></body></html>',
  );
  writeFileSync(join(folder, 'assets', 'index-a1b2.js'), `console.log(${JSON.stringify('far '.repeat(2_000))});`);
  writeFileSync(join(folder, 'assets', 'index-c3d4.css'), 'body{color:red}');
  writeFileSync(join(folder, 'assets', 'face.woff2'), Buffer.alloc(4_000, 7));
  writeFileSync(join(folder, 'theme.js'), '/* */'.repeat(300));
  writeFileSync(join(folder, 'service-worker.js'), '/* */'.repeat(300));
  const forGateway = join(folder, '.gateway');
  mkdirSync(forGateway);
  const files = { '/': ['/assets/home-a1.js'], '/event': ['/assets/event-b2.js', '/assets/map-c3.css'] };
  writeFileSync(join(forGateway, 'page.json'), JSON.stringify({ paths: PATHS, files }));
  const texts = { siteTitle: 'Beltway', pictureOf: '{title}', nameless: 'Somebody' };
  writeFileSync(join(forGateway, 'texts.json'), JSON.stringify({ en: texts, es: texts }));
  writeFileSync(
    join(forGateway, 'first-screens.js'),
    'export const prepare = async () => undefined; export const render = ({ screen }) => `<p>The screen of ${screen}</p>`;',
  );
  for (const file of ['assets/index-a1b2.js', 'theme.js', 'service-worker.js']) {
    const plain = readFileSync(join(folder, file));
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(plain));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(plain));
  }
  writeFileSync(join(folder, '.sources'), 'a digest');
  return folder;
}

/** Limits that even a busy machine meets. */
const PATIENT = { waitMs: 60_000, renderMs: 60_000, startMs: 60_000 };

export const services = ['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime', 'sandbox'] as const;

/** Starts one stub for each service. */
export async function standIns() {
  const all = await Promise.all(services.map((name) => standIn(name)));
  return Object.fromEntries(all.map((service) => [service.name, service])) as Record<
    (typeof services)[number],
    (typeof all)[number]
  >;
}

/** Starts the gateway on a real port. The services are stubs; sessions and bus are real. */
export async function startGateway(
  change: Partial<Config> = {},
  timeouts = PROXY_TIMEOUTS,
  redis?: Redis,
  isBehind = () => false,
  routes?: Route[],
  clock?: () => number,
  finding?: Parameters<typeof openBackends>[2],
  firstScreens: Partial<FirstScreenLimits> = PATIENT,
) {
  const [busDatabase, identity, behind] = await Promise.all([testDatabase(BUS), testIdentity(), standIns()]);
  const folder = builtPage();
  const log = logger('gateway', process.env['LOG_LEVEL'] ?? 'silent');
  const bus = await openBus({ BUS_DATABASE_URL: busDatabase.url });
  await bus.ensureTopics(['identity.events', ...PURGING_TOPICS]);
  const auth = await authenticator({ identity: identity.url, internalToken: INTERNAL_TOKEN, bus, log });
  await eventually(() => auth.ready());
  const urls = Object.fromEntries(
    services.map((name) => [`${name.toUpperCase()}_URL`, name === 'sandbox' ? behind[name].url : [behind[name].url]]),
  );
  const config = {
    BELTWAY_MODE: 'embedded',
    BELTWAY_RATE_LIMITS: 'off',
    BELTWAY_DEMO: '1',
    MAX_REQUESTS_PER_ADDRESS: 250,
    MAX_CONNECTIONS_PER_ADDRESS: 1_000,
    TRUSTED_HOPS: 0,
    PUBLIC_URL: 'http://localhost:3000',
    INTERNAL_TOKEN,
    FRONTEND_DIR: folder,
    ...urls,
    ...change,
  } as Config;

  const backends = openBackends(config, log, finding);
  await Promise.all(present(backends).map(([, { started }]) => started));
  const more = { ...(routes && { routes }), ...(clock && { clock }) };
  const gateway = createGateway({ config, log, auth, backends, bus, redis, timeouts, isBehind, firstScreens, ...more });
  const tail = await bus.tail(PURGING_TOPICS, gateway.hear);
  const server = createServer(gateway.handler);
  gateway.attach(server);
  const url = await listen(server);
  const { port } = server.address() as AddressInfo;
  const clients = new Set<Socket>();

  return {
    url,
    port,
    server,
    behind,
    folder,
    drain: gateway.drain,
    hear: gateway.hear,
    /** Publishes a message that gateways consume. */
    publish: (topic: string, message: Message) => bus.publish(topic, [message]),
    bus,
    tokenFor: identity.tokenFor,
    get: (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers, redirect: 'manual' }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    /** Opens a raw connection, which can send anything. */
    connect: (localAddress = '127.0.0.1') => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).setEncoding('latin1');
      clients.add(socket.on('error', () => undefined));
      const seen = { text: '', ended: false };
      socket.on('data', (chunk: string) => (seen.text += chunk));
      socket.on('close', () => (seen.ended = true));
      return Object.assign(socket, { seen });
    },
    /** Sends a request from this IP address, on a connection of its own. Returns the status. */
    askFrom: (localAddress: string, method: string, path: string, body = '', headers: OutgoingHttpHeaders = {}) =>
      new Promise<number | undefined>((resolve, reject) => {
        const length = { 'content-length': Buffer.byteLength(body) };
        request(
          { host: '127.0.0.1', port, localAddress, method, path, agent: false, headers: { ...length, ...headers } },
          (answer) => answer.resume().once('end', () => resolve(answer.statusCode)),
        )
          .on('error', reject)
          .end(body);
      }),
    /** Sends these bytes. Returns everything received until the other side closes the connection. */
    async raw(bytes: string): Promise<string> {
      const socket = this.connect();
      socket.write(bytes, 'latin1');
      await eventually(() => socket.seen.ended, {
        what: `an end of the answer to ${JSON.stringify(bytes.slice(0, 80))}`,
      });
      return socket.seen.text;
    },
    /** The requests that reached any service. */
    heard: () => Object.values(behind).flatMap((service) => service.heard),
    stop: async () => {
      clients.forEach((socket) => socket.destroy());
      gateway.drain();
      gateway.close();
      await new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
      await tail.stop();
      await auth.stop();
      await bus.close();
      await Promise.all([...Object.values(behind).map((service) => service.die()), identity.close()]);
      await busDatabase.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type TestGateway = Awaited<ReturnType<typeof startGateway>>;
