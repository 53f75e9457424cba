import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** Usage of a process since its start. */
export interface Used {
  /** CPU milliseconds of the main thread, which runs the event loop. */
  loopMs: number;
  /** Rows that PostgreSQL sent. */
  rows: number;
}

/**
 * Loaded into each service by `--import` while costs are measured: answers a connection to `COSTS_DIR/<pid>.sock` with
 * the usage of the process.
 */
const folder = process.env['COSTS_DIR'];
if (folder && isMainThread) {
  const used: Used = { loopMs: 0, rows: 0 };
  const { prototype } = createRequire(import.meta.url)('pg/lib/connection') as {
    prototype: { emit(event: string, ...given: unknown[]): boolean };
  };
  const { emit } = prototype;
  prototype.emit = function (event, ...given) {
    if (event === 'dataRow') used.rows++;
    return emit.call(this, event, ...given);
  };
  const server = createServer((socket) => {
    const { user, system } = process.threadCpuUsage();
    socket.on('error', () => undefined).end(JSON.stringify({ ...used, loopMs: (user + system) / 1_000 }));
  });
  server.listen(join(folder, `${process.pid}.sock`)).unref();
}
