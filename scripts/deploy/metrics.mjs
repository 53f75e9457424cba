// Prints the metrics of the process in this container. Plain JavaScript, as in healthcheck.mjs.
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { get as getByTls } from 'node:https';

const { METRICS_PORT = 9464, SERVICE_CERT_FILE, SERVICE_CA_FILE } = process.env;
const options = {
  ...{ host: '127.0.0.1', port: METRICS_PORT, path: '/metrics', timeout: 10_000 },
  // Every certificate has this name, for Prometheus. Without SERVICE_CA_FILE, NODE_EXTRA_CA_CERTS names the authority.
  ...(SERVICE_CERT_FILE && { servername: 'metrics.beltway' }),
  ...(SERVICE_CERT_FILE && SERVICE_CA_FILE && { ca: readFileSync(SERVICE_CA_FILE) }),
};
(SERVICE_CERT_FILE ? getByTls : get)(options, (response) => response.pipe(process.stdout))
  .on('timeout', () => process.exit(1))
  .on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
