import { z } from 'zod';
import type { Bus, BusLog, Delivery } from './bus.ts';
import { deadLetterTopic } from './dead-letter-topics.ts';
import { uuidOf, type ParkedV1 } from './dead-letters.ts';
import { counter } from '../observe/metrics.ts';

const STACK_LINES = 6;
/** Maximum length of a cause's text. The length is bounded, because the dead letter must also contain the message. */
const LONGEST_TEXT = 2_000;

const parked = counter('dead_letters_total', 'Messages a group could not handle and parked', ['group', 'type']);

/** Label for messages without a type, or of a type that the group does not handle. */
const OTHER = 'other';

/** Exports the counter with 0 before the group's first dead letter. */
export function countFrom0(group: string, types: string[]): void {
  for (const type of [...types, OTHER]) parked.inc({ group, type }, 0);
}

/**
 * Parks a message that a group failed to handle. Resolves when the dead letter is durable. `isKnown`: the group has a
 * handler for the message's type.
 */
export async function park(
  { bus, log, group }: { bus: Bus; log: BusLog; group: string },
  delivery: Delivery,
  error: unknown,
  tried: number,
  isKnown: boolean,
): Promise<void> {
  const letter = letterOf(group, delivery, error, tried);
  await bus.publish(deadLetterTopic(group), [letter]);
  const { topic, partition, offset } = delivery;
  const { type, messageId } = letter.data;
  parked.inc({ group, type: isKnown ? type : OTHER });
  log.error(
    { err: error, group, topic, partition, offset: String(offset), type, id: messageId },
    'parked a dead letter',
  );
}

/**
 * The dead letter's id derives from the message's position, so a message that is parked twice after an interruption is
 * one dead letter.
 */
function letterOf(group: string, delivery: Delivery, cause: unknown, attempts: number): ParkedV1 {
  const { topic, partition, offset, message } = delivery;
  const known = z
    .object({ id: z.string(), type: z.string(), key: z.string(), correlationId: z.string() })
    .partial()
    .safeParse(message).data;
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const id = uuidOf(`${group} ${topic} ${partition} ${offset}`);
  const at = new Date().toISOString();
  return {
    id,
    type: 'kit.dead-letter',
    version: 1,
    key: known?.key || id,
    occurredAt: at,
    correlationId: known?.correlationId ?? id,
    causationId: known?.id ?? id,
    data: {
      group,
      type: known?.type ?? 'unknown',
      messageId: known?.id ?? 'unknown',
      error: {
        name: error.name,
        message: error.message.slice(0, LONGEST_TEXT),
        stack: (error.stack ?? '')
          .split('\n')
          .slice(0, STACK_LINES)
          .map((line) => line.slice(0, LONGEST_TEXT)),
      },
      attempts,
      topic,
      partition,
      offset: String(offset),
      at,
      original: message,
    },
  };
}
