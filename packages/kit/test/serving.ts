/** A service in a separate process, which the test stops: `node serving.ts <port> <lameDuckMs> <reusePort>`. */
import { createServiceApp } from '../src/http/app.ts';
import { logger } from '../src/observe/logger.ts';
import { serve } from '../src/http/serve.ts';

const [port, lameDuckMs, reusePort] = process.argv.slice(2);
const log = logger('serving', 'silent');
const tell = (word: string) => process.connected && process.send!(word);
await serve({
  log,
  port: Number(port),
  host: '127.0.0.1',
  lameDuckMs: Number(lameDuckMs),
  reusePort: reusePort === 'shared',
  handler: createServiceApp({
    service: 'serving',
    log,
    routes: (app) => {
      app.get('/who', (_req, res) => void res.json(process.pid));
      app.get('/busy', (_req, res) => {
        tell('busy');
        const until = performance.now() + 500;
        while (performance.now() < until);
        res.json('was busy');
      });
      app.get('/slow', (_req, res) => {
        tell('slow');
        process.once('message', () => res.json('finished'));
      });
    },
  }),
  drain: () => tell('drained'),
  close: [() => tell('closed')],
});
tell('listening');
