import { Reaction } from '@beltway/contracts/realtime/chat';
import { z } from 'zod';

// The server sends only counts of reactions, so that one cached response serves all readers. A reader's own reactions
// are stored on this device.

const SLOT = 'beltway.chat-reactions';
/** Reactions are stored for at most this many messages, across all rooms. */
const MAX_MARKS = 500;

const Kept = z.object({ who: z.string(), marks: z.array(z.object({ id: z.string(), reactions: z.array(Reaction) })) });

const NONE: readonly Reaction[] = [];

/**
 * This reader's reactions to each message. `who` is the account, or empty for a guest. Stored reactions of another
 * account are ignored.
 */
export function ownReactions(who: string) {
  const marks = read(who);
  return {
    of: (messageId: string): readonly Reaction[] => marks.get(messageId) ?? NONE,
    set(messageId: string, reaction: Reaction, isOn: boolean): void {
      const others = (marks.get(messageId) ?? []).filter((one) => one !== reaction);
      marks.delete(messageId);
      if (isOn || others.length) marks.set(messageId, isOn ? [...others, reaction] : others);
      for (const id of marks.keys()) {
        if (marks.size <= MAX_MARKS) break;
        marks.delete(id);
      }
      try {
        localStorage.setItem(
          SLOT,
          JSON.stringify({ who, marks: [...marks].map(([id, reactions]) => ({ id, reactions })) }),
        );
      } catch {
        // The storage is full, so the reactions are remembered only until the page is left.
      }
    },
  };
}

function read(who: string): Map<string, Reaction[]> {
  try {
    const kept = Kept.parse(JSON.parse(localStorage.getItem(SLOT) ?? 'null'));
    return new Map(kept.who === who ? kept.marks.map(({ id, reactions }) => [id, reactions]) : []);
  } catch {
    return new Map();
  }
}
