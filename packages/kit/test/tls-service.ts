/** A service in a separate process that calls `identity`: `node tls-service.ts <name>`. */
import { internalClient, internalOnly } from '../src/http/instances/internal.ts';
import { common, readConfig } from '../src/config.ts';
import { createServiceApp } from '../src/http/app.ts';
import { fetchFrom } from '../src/http/instances/instances.ts';
import { serviceInstances } from '../src/service/parts.ts';
import { runService } from '../src/service/service.ts';

const name = process.argv[2]!;
const { HOST, LOG_LEVEL, SERVICE_PORT, METRICS_PORT, INTERNAL_TOKEN, IDENTITY_URL, ...others } = common;
const { SERVICE_CERT_FILE, SERVICE_KEY_FILE, SERVICE_CA_FILE } = others;
const tls = { SERVICE_CERT_FILE, SERVICE_KEY_FILE, SERVICE_CA_FILE };
const variables = { HOST, LOG_LEVEL, SERVICE_PORT, METRICS_PORT, INTERNAL_TOKEN, IDENTITY_URL, ...tls };

runService(
  name,
  (env) => readConfig(variables, env),
  async (service) => {
    const { config, log } = service;
    const identity = await serviceInstances(service, 'identity', config.IDENTITY_URL);
    const client = internalClient(identity, config.INTERNAL_TOKEN, 2_000);
    const handler = createServiceApp({
      service: name,
      log,
      routes: (router) => {
        router.use('/internal', internalOnly(config.INTERNAL_TOKEN));
        router.get('/internal/who', (_req, res) => void res.json({ who: name }));
        router.get('/internal/peer', async (_req, res) => void res.json(await client.get('/internal/who')));
        router.get('/internal/peer-is-ready', async (_req, res) => {
          const answer = await fetchFrom(identity, '/health/ready', { signal: AbortSignal.timeout(2_000) });
          res.json(await answer.json());
        });
      },
    });
    return { handler };
  },
);
