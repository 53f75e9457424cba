import type { Fact, Upcasts } from '../types.ts';

/** The category and the id of a stream: `sale` and `42` of `sale-42`. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** Converts a stored event to its current shape. */
export function upcastEvent<Stored extends Fact & { stream: string }>(upcasts: Upcasts, stored: Stored): Stored {
  const upcast = upcasts[categoryOf(stored.stream)];
  if (!upcast) return stored;
  const { type, data } = upcast({ type: stored.type, data: stored.data });
  return { ...stored, type, data };
}
