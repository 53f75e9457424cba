import { createServer, type Server } from 'node:net';

const HOST = '127.0.0.1';

/** A server on the port that closes every connection; undefined if the port is in use. */
const listen = (port: number, host = HOST): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });

/** True if no server listens on the port. */
export async function isFree(port: number, host = HOST): Promise<boolean> {
  const server = await listen(port, host);
  return server ? new Promise((resolve) => server.close(() => resolve(true))) : false;
}

/**
 * Each process searches its own range, because another process could take a port between check and use. A process owns
 * its range while it listens on the range's first port; when the process ends in any way, the system releases the port.
 */
const RANGES = 48;
const FIRST = 20_000;
const RANGE = 256;

let own: Promise<number> | undefined;
async function takeRange(): Promise<number> {
  // Processes that start together try different ranges first.
  for (let tries = 0; tries < RANGES; tries++) {
    const range = (process.pid + tries) % RANGES;
    const server = await listen(FIRST + range);
    if (!server) continue;
    server.unref();
    return FIRST + RANGES + range * RANGE;
  }
  throw new Error(`All ranges of ports are taken: processes listen on each of ${FIRST} to ${FIRST + RANGES - 1}`);
}

/** Ports that this process has returned. These ports are not returned again while other ports are free. */
const given = new Set<number>();

/**
 * Finds free ports below the range (32768 and up) that systems use for outgoing connections, because such a connection
 * could block the port of a restarted service.
 */
export async function freePorts(count: number): Promise<number[]> {
  const first = await (own ??= takeRange());
  if (given.size + count > RANGE) given.clear();
  const found: number[] = [];
  for (let tries = 0; found.length < count; tries++) {
    if (tries > 2_000) throw new Error(`No free ports between ${first} and ${first + RANGE}`);
    const port = first + Math.floor(Math.random() * RANGE);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) found.push(port);
  }
  return found;
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}
