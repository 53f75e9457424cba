import { append } from '../../log/append.ts';
import { isTransient } from '../../pg/faults.ts';
import { conclude } from '../answer.ts';
import { catchUp, type CachedState } from '../cached-state.ts';
import { decideGroup, statementsFor } from '../decide.ts';
import { inAppendSpans } from '../spans.ts';
import type { OpenStream, PendingCommand, Writer } from '../state.ts';

/** Appends under the stream's advisory lock, so that two instances that write to the stream concurrently take turns. */
export async function appendLocked(
  writer: Writer,
  stream: OpenStream,
  cached: CachedState<unknown>,
  commands: PendingCommand[],
): Promise<void> {
  const { store, load } = writer;
  const epoch = store.soleWriter.epoch();
  const client = await store.writers.connect();
  let failed: Error | undefined;
  try {
    stream.lockedGroups--;
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [stream.name]);
    await catchUp(client, stream.name, cached, load);
    const group = decideGroup(writer, stream, cached, commands);
    if (group.rows.length > 0) {
      await inAppendSpans(group, () => append(client, statementsFor(writer, group.rows), { begun: true }));
      store.appended();
    } else await client.query('rollback');
    conclude(writer, stream, cached, group, epoch);
  } catch (error) {
    failed = error as Error;
    throw error;
  } finally {
    if (failed && !isTransient(failed)) await client.query('rollback').catch(() => undefined);
    client.release(failed && isTransient(failed) ? failed : undefined);
  }
}
