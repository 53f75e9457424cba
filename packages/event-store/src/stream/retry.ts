import { isConflict, isTransient, violated } from '../pg/faults.ts';
import { rejectCommand, rejectReused } from './answer.ts';
import { decideAndAppend } from './append/sequential.ts';
import { noteConflict } from './statistics.ts';
import { MAX_GROUP, type OpenStream, type PendingCommand, type Writer } from './state.ts';

/**
 * The number of groups that use the stream's advisory lock after a conflict, so that two concurrently writing instances
 * take turns.
 */
const LOCKED_GROUPS = 50;
const GIVE_UP_MS = 5_000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 500;

/** Why an append failed. The reason determines whether and how the append is retried. */
type Fault =
  /** Another instance appended first. The commands are decided again under the lock. */
  | 'conflict'
  /**
   * A command id is already in the log: in this stream, which the reload shows, or in another stream by the caller's
   * mistake.
   */
  | 'reused-id'
  /** The append may have committed or not. After a pause, the command ids in the log show whether it has. */
  | 'transient'
  /** One of the commands makes the append fail. */
  | 'permanent';

function faultOf(error: unknown): Fault {
  if (isConflict(error)) return 'conflict';
  if (violated(error) === 'events_command') return 'reused-id';
  return isTransient(error) ? 'transient' : 'permanent';
}

/** Retries until each command is answered. Never rejects. `attempt` is the first attempt. */
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
      stream.cached = undefined; // because it may contain uncommitted events
      const fault = faultOf(error);
      if (fault === 'permanent' && open.length > 1) {
        // Retries the commands one by one, so that only the faulty command fails.
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

/** Reloads the cached state, because it contains uncommitted events, and decides the commands again. */
export async function reloadAndSettle(
  writer: Writer,
  stream: OpenStream,
  commands: PendingCommand[],
  error: unknown,
): Promise<void> {
  for (let first = true; commands.length > 0; first = false)
    await settle(writer, stream, commands.splice(0, MAX_GROUP), first ? () => Promise.reject(error) : undefined);
}
