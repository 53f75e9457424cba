import { createServer, type Server } from 'node:net';

const HOST = '127.0.0.1';

/** A server that listens there and takes nobody; undefined when somebody else listens. */
const listen = (port: number, host = HOST): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });

/** True when nobody listens there. */
export async function isFree(port: number, host = HOST): Promise<boolean> {
  const server = await listen(port, host);
  return server ? new Promise((resolve) => server.close(() => resolve(true))) : false;
}

/**
 * Between the look and the listening another process could take a port, so each process looks in a range of its own. It is its own as long as it
 * listens on the port that stands for the range; when it ends, however it ends, the system gives the range back.
 */
const RANGES = 48;
const FIRST = 20_000;
const RANGE = 256;

let own: Promise<number> | undefined;
async function takeRange(): Promise<number> {
  // Processes that start together begin at different places.
  for (let tries = 0; tries < RANGES; tries++) {
    const range = (process.pid + tries) % RANGES;
    const server = await listen(FIRST + range);
    if (!server) continue;
    server.unref();
    return FIRST + RANGES + range * RANGE;
  }
  throw new Error(`All ranges of ports are taken: processes listen on each of ${FIRST} to ${FIRST + RANGES - 1}`);
}

/** What was given out here and may be listened on later: nobody gets it again, as long as there are others. */
const given = new Set<number>();

/**
 * Ports nobody listens on, below the range (32768 and up) from which systems take the near end of outgoing connections: one
 * of those would make a service that is started again fail to listen on its own port.
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
