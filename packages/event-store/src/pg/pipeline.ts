import type { PoolClient } from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

export interface Statement {
  /** Each connection prepares a statement once per name. */
  name: string;
  text: string;
  values: unknown[];
}

/** The part of pg's connection that we use: the messages of the extended query protocol. */
interface PipelineConnection {
  parse(query: { name: string; text: string; types?: undefined }): void;
  bind(config: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  execute(config: { portal: string; rows?: undefined }): void;
  close(what: { type: 'S'; name: string }): void;
  sync(): void;
  stream: { cork(): void; uncork(): void };
}

/**
 * The statements that each connection has prepared. `perhaps`: the statement may not be prepared, because the server
 * skips the rest of a batch after an error.
 */
const prepared = new WeakMap<PipelineConnection, Map<string, 'yes' | 'perhaps'>>();

const preparedOn = (used: PipelineConnection): Map<string, 'yes' | 'perhaps'> => {
  const known = prepared.get(used) ?? new Map<string, 'yes' | 'perhaps'>();
  prepared.set(used, known);
  return known;
};

/** The connection of a client that has already sent a batch. */
const connections = new WeakMap<PoolClient, PipelineConnection>();

/**
 * Sends several statements and one Sync. This takes one round trip and, outside an explicit transaction, is one
 * transaction that the Sync commits (PostgreSQL: Extended Query, Pipelining). pg's own pipeline ends each statement
 * with a Sync, so it needs begin, commit and a response for each; for small groups that costs as much as the rows.
 * Rejects with the first error; then the transaction is rolled back.
 *
 * `behind`: true if exactly one other batch is in progress on this client. The new batch is sent immediately, so that
 * the server can start the new batch when the first batch is done. The new batch runs even if the first batch fails.
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

    // The interface that a query must have for pg.
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
    // At most one batch waits in pg's queue. pg 9 will have no queue. It will need a client with `pipeline: true`
    // (available in pg 8.23), which submits each batch immediately; then our own `send` is unnecessary.
    client.query(batch as never);
    const ahead = connections.get(client);
    if (behind && !used && ahead) send(ahead);
  });
