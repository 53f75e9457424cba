import { appendOnce } from '../../log/append.ts';
import { conclude } from '../answer.ts';
import { catchUp, emptyState, loadState } from '../cached-state.ts';
import { decideGroup, statementsFor } from '../decide.ts';
import { inAppendSpans } from '../spans.ts';
import type { DecidedGroup, OpenStream, PendingCommand, Writer } from '../state.ts';
import { appendLocked } from './locked.ts';
import { appendShared } from './shared.ts';

/**
 * Loads the stream if it is not cached, decides, and appends. After a conflict, appends under the stream's advisory
 * lock.
 */
export async function decideAndAppend(
  writer: Writer,
  stream: OpenStream,
  commands: PendingCommand[],
  isFirst: boolean,
): Promise<void> {
  const { store, decider, load } = writer;
  const isUnknown = isFirst && stream.epoch === undefined;
  if (isUnknown && commands.every(({ context }) => context.begins)) stream.cached ??= emptyState(decider);
  const wasCached = stream.cached !== undefined;
  // Must be read before the stream is loaded, because the loaded state may lack later appends of another instance.
  const epoch = store.soleWriter.epoch();
  const cached = (stream.cached ??= await loadState(store.pool, stream.name, load, store.warn));
  if (stream.lockedGroups > 0) return appendLocked(writer, stream, cached, commands);
  return appendGroup(writer, stream, decideGroup(writer, stream, cached, commands), wasCached, epoch);
}

/** `epoch`: the value before the cached state was last compared with the log. */
export async function appendGroup(
  writer: Writer,
  stream: OpenStream,
  group: DecidedGroup,
  wasCached: boolean,
  epoch: number | undefined,
): Promise<void> {
  const { store, load, sharedCommits } = writer;
  const { rows, commands } = group;
  const cached = stream.cached!;
  if (rows.length > 0) {
    await inAppendSpans(group, () =>
      sharedCommits
        ? appendShared(writer, sharedCommits, rows)
        : appendOnce(store.writers, statementsFor(writer, rows)),
    );
    store.appended();
  } else if (wasCached && (epoch === undefined || epoch !== stream.epoch)) {
    // The fence protects appends but not rejections: an event that another instance appended may make the command
    // acceptable. A group of repeats is compared with the log too, because after it the state counts as current.
    const { version } = cached;
    await catchUp(store.pool, stream.name, cached, load);
    if (cached.version > version)
      return appendGroup(writer, stream, decideGroup(writer, stream, cached, commands), false, epoch);
  }
  conclude(writer, stream, cached, group, epoch);
}
