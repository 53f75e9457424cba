import { createHash } from 'node:crypto';
import { Message } from '@beltway/contracts/common/basics';
import { z } from 'zod';
import type { Bus } from './bus.ts';
import { deadLetterTopic, isLetters, retryTopic } from './dead-letter-topics.ts';

/** A message that its group failed to handle, with the cause. Stored in the topic `<group>.dead-letters`. */
export const ParkedV1 = Message.extend({
  type: z.literal('kit.dead-letter'),
  version: z.literal(1),
  data: z.object({
    group: z.string(),
    /** Fields of the failed message, as far as they could be read. */
    type: z.string(),
    messageId: z.string(),
    error: z.object({ name: z.string(), message: z.string(), stack: z.array(z.string()) }),
    /** 0 if the message violated its contract and was never attempted. */
    attempts: z.int(),
    topic: z.string(),
    partition: z.int(),
    offset: z.string(),
    at: z.iso.datetime(),
    original: z.unknown(),
  }),
});
export type ParkedV1 = z.infer<typeof ParkedV1>;

/**
 * Marks a dead letter as replayed. The mark is appended after the dead letter, because entries of the log never change.
 */
const ReplayedV1 = Message.extend({
  type: z.literal('kit.dead-letter-replayed'),
  version: z.literal(1),
  data: z.object({ letterId: z.uuid() }),
});

/** Marks a dead letter as discarded: its message will not be handled. */
const DiscardedV1 = ReplayedV1.extend({ type: z.literal('kit.dead-letter-discarded') });
const MarkV1 = z.union([ReplayedV1, DiscardedV1]);

export type DeadLetter = ParkedV1['data'] & {
  id: string;
  /** The failed message's key, or the dead letter's id if the message had no key. */
  key: string;
  /** When it was replayed, as ISO text. */
  replayedAt?: string;
  /** When it was discarded, as ISO text. */
  discardedAt?: string;
};

/** An entry of a dead-letter topic: a dead letter, or its outcome. */
export type DeadLetterEntry =
  | { is: 'letter'; letter: DeadLetter }
  | { is: 'replayed' | 'discarded'; letterId: string; at: string };

/**
 * Number of topics read concurrently. With Kafka, each read of a topic waits a few seconds for a group of its own, so
 * reading the topics one after another would be slow.
 */
const READERS = 4;

/**
 * Reads the dead letters in all groups, or in one group, in order per key. A dead letter precedes its outcome and may
 * occur twice. Passes entries one by one, so that the caller decides how many to keep.
 */
export async function readDeadLetters(bus: Bus, see: (entry: DeadLetterEntry) => void, group?: string): Promise<void> {
  const wanted = group === undefined ? undefined : deadLetterTopic(group);
  const topics = (await bus.topics()).filter((topic) => (wanted === undefined ? isLetters(topic) : topic === wanted));
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      for (let topic = topics.shift(); topic !== undefined; topic = topics.shift()) await readTopic(bus, topic, see);
    }),
  );
}

/** Reads a group's dead letters; its topic must exist. `newest`: only the last entries of each partition. */
export const readLetters = (
  bus: Bus,
  group: string,
  see: (entry: DeadLetterEntry) => void,
  options?: { newest: number },
): Promise<void> => readTopic(bus, deadLetterTopic(group), see, options);

const readTopic = (
  bus: Bus,
  topic: string,
  see: (entry: DeadLetterEntry) => void,
  options?: { newest: number },
): Promise<void> =>
  bus.replay(
    topic,
    async (batch) => {
      for (const { message } of batch) {
        const letter = ParkedV1.safeParse(message).data;
        if (letter) see({ is: 'letter', letter: { id: letter.id, key: letter.key, ...letter.data } });
        const mark = letter ? undefined : MarkV1.safeParse(message).data;
        if (!mark) continue;
        const is = mark.type === 'kit.dead-letter-replayed' ? 'replayed' : 'discarded';
        see({ is, letterId: mark.data.letterId, at: mark.occurredAt });
      }
    },
    options,
  );

/**
 * All dead letters in all groups, oldest first. `replayedAt` and `discardedAt` mark dead letters that have an outcome.
 */
export async function listDeadLetters(bus: Bus): Promise<DeadLetter[]> {
  const letters = new Map<string, DeadLetter>();
  await readDeadLetters(
    bus,
    keep(letters, () => true),
  );
  return [...letters.values()].sort((a, b) => a.at.localeCompare(b.at));
}

/** The dead letter with this id; searches only `group` if given. */
export async function deadLetter(bus: Bus, id: string, group?: string): Promise<DeadLetter | undefined> {
  const letters = new Map<string, DeadLetter>();
  await readDeadLetters(
    bus,
    keep(letters, (letter) => letter.id === id),
    group,
  );
  return letters.get(id);
}

const keep =
  (letters: Map<string, DeadLetter>, isWanted: (letter: DeadLetter) => boolean) =>
  (entry: DeadLetterEntry): void => {
    if (entry.is === 'letter') {
      if (isWanted(entry.letter) && !letters.has(entry.letter.id)) letters.set(entry.letter.id, entry.letter);
      return;
    }
    const letter = letters.get(entry.letterId);
    if (letter) letter[`${entry.is}At`] = entry.at;
  };

/** True if the parked value is a deliverable message. */
export const isReplayable = ({ original }: Pick<DeadLetter, 'original'>): boolean =>
  Message.safeParse(original).success;

async function mark(bus: Bus, letter: DeadLetter, is: 'replayed' | 'discarded'): Promise<DeadLetter> {
  const at = new Date().toISOString();
  await bus.publish(deadLetterTopic(letter.group), [
    {
      id: uuidOf(`${is} ${letter.id} ${at}`),
      type: `kit.dead-letter-${is}`,
      version: 1,
      key: letter.key,
      occurredAt: at,
      correlationId: Message.safeParse(letter.original).data?.correlationId ?? letter.id,
      causationId: letter.id,
      data: { letterId: letter.id },
    } satisfies z.infer<typeof MarkV1>,
  ]);
  return { ...letter, [`${is}At`]: at };
}

async function waitingLetter(bus: Bus, id: string, group: string | undefined): Promise<DeadLetter> {
  const letter = await deadLetter(bus, id, group);
  if (!letter) throw new Error(`There is no dead letter ${id}`);
  if (letter.discardedAt !== undefined) throw new Error(`Dead letter ${id} was discarded`);
  return letter;
}

/**
 * Publishes the original message again, only to the group that parked it, and marks the dead letter. Throws if the dead
 * letter does not exist, contains no valid message, or was discarded.
 */
export async function replayDeadLetter(bus: Bus, id: string, group?: string): Promise<DeadLetter> {
  const letter = await waitingLetter(bus, id, group);
  if (!isReplayable(letter)) throw new Error(`Dead letter ${id} holds no message that could be delivered`);
  return sendLetterAgain(bus, letter);
}

/** Publishes a dead letter's message to the group that parked it, and marks it as replayed. */
export async function sendLetterAgain(bus: Bus, letter: DeadLetter): Promise<DeadLetter> {
  const topic = retryTopic(letter.group);
  await bus.ensureTopics([topic]);
  // The message is published before the dead letter is marked: if the process is interrupted in between, the dead
  // letter stays pending, and the inbox recognizes the message when it is replayed again. Sends the original message,
  // including unknown fields.
  await bus.publish(topic, [letter.original as Message]);
  return mark(bus, letter, 'replayed');
}

/**
 * Marks a dead letter as discarded: its message will not be handled. Idempotent. Throws if the dead letter does not
 * exist or was replayed.
 */
export async function discardDeadLetter(bus: Bus, id: string, group?: string): Promise<DeadLetter> {
  const letter = await deadLetter(bus, id, group);
  if (!letter) throw new Error(`There is no dead letter ${id}`);
  if (letter.replayedAt !== undefined) throw new Error(`Dead letter ${id} was replayed`);
  return letter.discardedAt === undefined ? mark(bus, letter, 'discarded') : letter;
}

/** A UUID derived from a text (version 8, application-defined). */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
