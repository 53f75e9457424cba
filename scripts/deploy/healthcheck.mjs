// Exit code 0 if the service of this container is ready. Plain JavaScript, because it starts every few seconds.
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { get as getByTls } from 'node:https';

const { SERVICE_PORT, PORT, SERVICE_CERT_FILE, SERVICE_CA_FILE, BELTWAY_SERVICE: servername } = process.env;
// The gateway's public port never uses TLS.
const isTls = Boolean(SERVICE_CERT_FILE && SERVICE_CA_FILE && SERVICE_PORT);
const options = {
  ...{ host: '127.0.0.1', port: SERVICE_PORT || PORT || 3000, path: '/health/ready', timeout: 3_000 },
  ...(isTls && { ca: readFileSync(SERVICE_CA_FILE), servername }),
};
(isTls ? getByTls : get)(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
