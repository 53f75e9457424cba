import { createServer } from 'node:net';

/** True when nobody listens there. */
export const isFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** Test files that run at the same time (`VITEST_POOL_ID`) look in different ranges: between the look and the listening another could take a port. */
const RANGE = 3_000;
const FIRST = 20_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 4) * RANGE;

/**
 * Ports nobody listens on, below the range (32768 and up) from which systems take the near end of outgoing connections: one
 * of those would make a service that is started again fail to listen on its own port.
 */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count; tries++) {
    if (tries > 2_000) throw new Error(`No free ports between ${FIRST} and ${FIRST + RANGE}`);
    const port = FIRST + Math.floor(Math.random() * RANGE);
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  return [...found];
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}
