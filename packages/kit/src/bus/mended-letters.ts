import type { Bus } from './bus.ts';
import { readLetters, sendLetterAgain, type DeadLetter } from './dead-letters.ts';

/** Number of newest entries per partition that a starting service reads, and the maximum number of replays. */
const NEWEST = 500;

/**
 * Replays a group's dead letters that did not fit their contract on arrival but fit the current contract, because the
 * earlier contract was wrong. Dead letters with an outcome stay unchanged. Two instances that start concurrently may
 * replay the same dead letter, which is harmless.
 */
export async function replayMended(
  bus: Bus,
  group: string,
  fits: (message: unknown) => boolean,
  signal: AbortSignal,
): Promise<number> {
  const mended = new Map<string, DeadLetter>();
  await readLetters(
    bus,
    group,
    (entry) => {
      if (entry.is !== 'letter') mended.delete(entry.letterId);
      else if (entry.letter.attempts === 0 && mended.size < NEWEST && fits(entry.letter.original))
        mended.set(entry.letter.id, entry.letter);
    },
    { newest: NEWEST },
  );
  let sent = 0;
  for (const letter of mended.values()) {
    if (signal.aborted) break;
    await sendLetterAgain(bus, letter);
    sent++;
  }
  return sent;
}
