import { z } from 'zod';
import { cursorOf, Micros, readCursor as read } from '@beltway/kit/cursor';

/** A place in the list, which goes from the newest order to the oldest. */
export interface Place {
  /** When it was held. */
  heldMicros: string;
  orderId: string;
}

/** Before the newest. PostgreSQL takes so many microseconds, and nobody holds tickets that late. */
export const START: Place = { heldMicros: '99999999999999999', orderId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const Cursor = z.tuple([Micros, z.guid()]);

export const toCursor = ({ heldMicros, orderId }: Place): string => cursorOf([heldMicros, orderId]);

/** Throws 400 `bad-cursor` for what none of our pages said. */
export function readCursor(text: string): Place {
  const [heldMicros, orderId] = read(text, Cursor);
  return { heldMicros, orderId };
}
