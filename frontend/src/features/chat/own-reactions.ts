import { Reaction } from '@beltway/contracts/realtime/chat';
import { z } from 'zod';

// Counts are the same for everybody, so that one answer serves all: which reactions are one's own is kept on this device.

const SLOT = 'beltway.chat-reactions';
/** Messages with reactions of one's own that are remembered, in all rooms together. */
const MAX_MARKS = 500;

const Kept = z.object({ who: z.string(), marks: z.array(z.object({ id: z.string(), reactions: z.array(Reaction) })) });

const NONE: readonly Reaction[] = [];

/** What this person reacted with, by message; `who`: their account, or empty. Another person's are forgotten. */
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
        // No room: they are marked until the page is left.
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
