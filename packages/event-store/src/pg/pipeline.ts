import type { PoolClient } from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

export interface Statement {
  /** One prepared statement per name and connection. */
  name: string;
  text: string;
  values: unknown[];
}

/** What we use of pg's connection; the messages of the extended query protocol. */
interface PipelineConnection {
  parse(query: { name: string; text: string; types?: undefined }): void;
  bind(config: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  execute(config: { portal: string; rows?: undefined }): void;
  close(what: { type: 'S'; name: string }): void;
  sync(): void;
  stream: { cork(): void; uncork(): void };
}

/** Statements each connection has prepared, or may have: what was sent before an error of its batch was not looked at. */
const prepared = new WeakMap<PipelineConnection, Map<string, 'yes' | 'perhaps'>>();

const preparedOn = (used: PipelineConnection): Map<string, 'yes' | 'perhaps'> => {
  const known = prepared.get(used) ?? new Map<string, 'yes' | 'perhaps'>();
  prepared.set(used, known);
  return known;
};

/** The connection of a client that has sent a batch before. */
const connections = new WeakMap<PoolClient, PipelineConnection>();

/**
 * Several statements and one Sync: one round trip, and outside of an explicit transaction one transaction of their own, committed
 * by the Sync (PostgreSQL: Extended Query, Pipelining). pg's own pipeline ends each statement with a Sync and so needs begin,
 * commit and an answer apiece; for small groups that cost as much as the rows. Rejects with the first error; nothing is then kept.
 *
 * `behind`: another batch is on this client's way, and nothing else; this one is sent at once, so that the server finds it there
 * when it has done with that one. It runs whatever became of the other.
 */
export const sendBatch = (client: PoolClient, statements: Statement[], behind = false): Promise<void> =>
  new Promise((resolve, reject) => {
    const fresh: string[] = [];
    let used: PipelineConnection | undefined;
    let failure: Error | undefined;
    const settle = (error?: Error | null) => (error ? reject(error) : resolve());

    function send(connection: PipelineConnection): void {
      used = connection;
      connections.set(client, connection);
      const known = preparedOn(connection);
      connection.stream.cork();
      try {
        for (const { name, text, values } of statements) {
          if (known.get(name) !== 'yes' && !fresh.includes(name)) {
            if (known.has(name)) connection.close({ type: 'S', name });
            known.set(name, 'perhaps');
            connection.parse({ name, text });
            fresh.push(name);
          }
          connection.bind({ statement: name, values, valueMapper: prepareValue });
          connection.execute({ portal: '' });
        }
      } finally {
        connection.sync();
        connection.stream.uncork();
      }
    }

    // The shape that pg asks of a query of somebody else's making.
    const batch = {
      callback: settle,
      submit(connection: PipelineConnection) {
        if (!used) send(connection);
      },
      handleError(error: Error) {
        failure ??= error;
        batch.callback(failure);
      },
      handleReadyForQuery() {
        if (failure) return;
        if (used) for (const name of fresh) preparedOn(used).set(name, 'yes');
        batch.callback(null);
      },
      handleCommandComplete: () => undefined,
      handleRowDescription: () => undefined,
      handleDataRow: () => undefined,
      handleEmptyQuery: () => undefined,
      handlePortalSuspended: () => undefined,
    };
    // At most one batch waits in pg's queue. pg 9 has no queue: it will need a client with `pipeline: true` (pg 8.23 has that option),
    // which submits each batch at once, and then no `send` of our own.
    client.query(batch as never);
    const ahead = connections.get(client);
    if (behind && !used && ahead) send(ahead);
  });
