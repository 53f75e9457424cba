/**
 * A service in a separate process that reports its life cycle: `node service-process.ts [fails]`. Its environment must
 * have `COLOR`, and may have `DATABASE_URL`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { common, readConfig } from '../src/config.ts';
import { runService } from '../src/service/service.ts';

const tell = (word: string) => process.connected && process.send!(word);
const { HOST, LOG_LEVEL, SERVICE_PORT, DATABASE_URL, MIGRATE_AT_START } = common;
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG } = common;
const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG };
const more = { DATABASE_URL: DATABASE_URL.optional(), MIGRATE_AT_START, ...tracing };
const variables = { HOST, LOG_LEVEL, SERVICE_PORT, ...more, COLOR: z.enum(['red', 'blue']) };

runService(
  'test',
  (env) => readConfig(variables, env),
  async ({ config, onStop }) => {
    tell(`config ${config.COLOR}`);
    onStop(() => tell('database closed'));
    if (process.argv[2] === 'fails') throw new Error('no database at postgres://me:secret@127.0.0.1/test');
    onStop({
      stop: async () => {
        await pause(50);
        tell('bus closed');
      },
    });
    onStop(
      () => Promise.reject(new Error('a part that does not close')),
      () => tell('consumer stopped'),
      () => tell('worker stopped'),
    );
    return {
      handler: (_req, res) => void res.end('here'),
      attach: () => tell('attached'),
      drain: () => tell('drained'),
    };
  },
);
