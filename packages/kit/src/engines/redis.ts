import { createClient, ErrorReply } from 'redis';
import { readCaFile } from './ca-file.ts';
import { attempted, ATTEMPT_MS, networkFinding, type Finding } from './finding.ts';

/** Errors that Redis returns while it starts or is briefly unavailable. */
const NOT_YET = /^(LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN)/;

/** Signs in at Redis once and pings it. Throws `ConfigError` if the CA file cannot be read. */
export async function tryRedis(url: string, caFile: string | undefined): Promise<Finding> {
  const ca = readCaFile('REDIS_CA_FILE', caFile);
  const client = createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: ATTEMPT_MS, reconnectStrategy: false, ...(ca && { ca }) },
  });
  client.on('error', () => undefined);
  try {
    await attempted(
      client.connect().then(() => client.ping()),
      () => client.destroy(),
    );
    return { state: 'answers' };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof ErrorReply)
      return NOT_YET.test(message)
        ? { state: 'away', why: message }
        : { state: 'refused', variable: 'REDIS_URL', why: `Redis answers ${message}` };
    const { hostname, port, protocol } = new URL(url);
    const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379), isTls: protocol === 'rediss:' };
    return networkFinding(error, { url: 'REDIS_URL', tls: 'REDIS_URL', ca: 'REDIS_CA_FILE' }, at);
  }
}
