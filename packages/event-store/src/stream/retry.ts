import { isConflict, isTransient, violated } from '../pg/faults.ts';
import { rejectCommand, rejectReused } from './answer.ts';
import { decideAndAppend } from './append/sequential.ts';
import { noteConflict } from './statistics.ts';
import { MAX_GROUP, type OpenStream, type PendingCommand, type Writer } from './state.ts';

/** After a conflict, this many groups take the stream's advisory lock: two instances that write concurrently then take turns. */
const LOCKED_GROUPS = 50;
const GIVE_UP_MS = 5_000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 500;

/** Why an append failed, which decides whether and how it is tried again. */
type Fault =
  /** Another instance appended first: decided again, under the lock. */
  | 'conflict'
  /** A command id is in the log: of this stream (known after the reload) or, by a mistake of the caller, of another one. */
  | 'reused-id'
  /** Whether it was committed is not known: the command ids show it after a pause. */
  | 'transient'
  /** One of the commands breaks the append. */
  | 'permanent';

function faultOf(error: unknown): Fault {
  if (isConflict(error)) return 'conflict';
  if (violated(error) === 'events_command') return 'reused-id';
  return isTransient(error) ? 'transient' : 'permanent';
}

/** Tries until each of the commands is answered. Never rejects. `attempt` is the first try. */
export async function settle(
  writer: Writer,
  stream: OpenStream,
  commands: PendingCommand[],
  attempt: () => Promise<void> = () => decideAndAppend(writer, stream, commands, true),
): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_MS;
  let pause = FIRST_PAUSE_MS;
  let open = commands;
  for (let next = attempt; open.length > 0; next = () => decideAndAppend(writer, stream, open, false)) {
    try {
      await next();
      return;
    } catch (error) {
      stream.cached = undefined; // it may contain uncommitted events
      const fault = faultOf(error);
      if (fault === 'permanent' && open.length > 1) {
        // One by one, so that only the one at fault fails.
        for (const one of open) await settle(writer, stream, [one]);
        return;
      }
      if (fault === 'conflict') {
        noteConflict(writer.category);
        stream.lockedGroups = LOCKED_GROUPS;
      }
      if (fault === 'reused-id') open = await rejectReused(writer, stream, open).catch(() => open);
      if (fault === 'permanent' || Date.now() >= giveUpAt) {
        for (const one of open) rejectCommand(writer, one, error);
        return;
      }
      if (fault === 'transient') {
        await new Promise((resolve) => setTimeout(resolve, pause));
        pause = Math.min(pause * 2, MAX_PAUSE_MS);
      }
    }
  }
}

/** The cached state contains events that were not committed: it is read again, and the commands are decided again. */
export async function reloadAndSettle(
  writer: Writer,
  stream: OpenStream,
  commands: PendingCommand[],
  error: unknown,
): Promise<void> {
  for (let first = true; commands.length > 0; first = false)
    await settle(writer, stream, commands.splice(0, MAX_GROUP), first ? () => Promise.reject(error) : undefined);
}
