import { Client, DatabaseError } from 'pg';
import { connection, isTransientState } from '@beltway/event-store';
import { ATTEMPT_MS, networkFinding, type Finding } from './finding.ts';

/** Signs in once at the database of `url`. `variable` is the name of the environment variable. */
export async function tryPostgres(variable: string, url: string): Promise<Finding> {
  const refused = (why: string): Finding => ({ state: 'refused', variable, why });
  let client: Client;
  try {
    // The constructor reads the file that `sslrootcert` names.
    client = new Client({ connectionString: url, connectionTimeoutMillis: ATTEMPT_MS, ...connection() });
  } catch (error) {
    return refused(`its sslrootcert cannot be read (${(error as NodeJS.ErrnoException).code ?? 'not a file'})`);
  }
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { state: 'answers' };
  } catch (error) {
    if (error instanceof DatabaseError)
      return isTransientState(error.code ?? '') ? { state: 'away', why: error.message } : refused(error.message);
    const { message } = error as Error;
    if (/does not support SSL/.test(message)) return refused('the server has no TLS, and sslmode=verify-full wants it');
    // The server requires a password, but the URL has none.
    if (/client password must be/.test(message)) return refused('it has no password, and the server asks for one');
    const { hostname: host, port, searchParams } = new URL(url);
    const isTls = searchParams.get('sslmode') === 'verify-full';
    const at = { host: host.replace(/^\[|\]$/g, ''), port: Number(port || 5432), isTls };
    return networkFinding(error, { url: variable, tls: variable, ca: variable }, at);
  } finally {
    client.end().catch(() => undefined);
  }
}
