import { StripeError } from './errors.ts';
import type { Changes, Known, Row } from './ledger-rows.ts';
import { draft, type Call, type Tx } from './tx.ts';

export interface Answer {
  status: number;
  body: unknown;
  /** True if this answer repeats an earlier answer under the same idempotency key. */
  replayed?: boolean;
}

export interface Work extends Call {
  /** Ids of the documents that the work needs. One query reads the documents of a whole group. */
  touches: string[];
  /** Must depend only on its input and have no side effects: if the group fails, the function runs again. */
  run(tx: Tx): Promise<Answer> | Answer;
}

export interface GroupState {
  /** Documents, including the changes by the group's earlier calls. */
  documents: Map<string, Row>;
  /** Stored answers under the group's idempotency keys. */
  known: Map<string, Known>;
  changes: Changes;
  look(ids: string[]): Promise<Map<string, Row>>;
  apiVersion: string;
}

/** Decides one call of a group and records its changes. */
export async function decide(
  work: Work,
  { documents, known, changes, look, apiVersion }: GroupState,
): Promise<Answer | StripeError> {
  const before = work.key && known.get(work.key.name);
  if (before) return replay(before, work);
  const seen = {
    known: (id: string) => documents.get(id),
    async row(id: string) {
      if (!documents.has(id)) for (const [found, row] of await look([id])) documents.set(found, row);
      return documents.get(id);
    },
  };
  const tx = draft(seen, work, apiVersion);
  let result: Answer | StripeError;
  try {
    result = await work.run(tx);
    for (const [id, row] of tx.rows) {
      documents.set(id, row);
      changes.dirty.add(id);
    }
    changes.events.push(...tx.events);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    result = error;
  }
  if (work.key) {
    const answer = result instanceof StripeError ? { status: result.status, body: { error: result.body } } : result;
    const entry = { key: work.key.name, fingerprint: work.key.fingerprint, status: answer.status, body: answer.body };
    known.set(entry.key, entry);
    changes.keys.push(entry);
  }
  return result;
}

export const otherParameters = (key: string): StripeError =>
  new StripeError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });

function replay(before: Known, work: Work): Answer | StripeError {
  if (before.fingerprint !== work.key?.fingerprint) return otherParameters(before.key);
  return { status: before.status, body: before.body, replayed: true };
}
