import type { Logged } from './read.ts';

declare const fits: unique symbol;

/** A message, and the event that it is published for. Only `outgoing` makes one, so that its data fits its schema. */
export interface Outgoing {
  of: Logged;
  type: string;
  version: number;
  /** Messages of one key keep their order. Default: the event's stream. */
  key?: string;
  data: unknown;
  [fits]: true;
}

/** The zod schema of a message, as far as publishing needs it. */
export interface MessageSchema<Data = unknown> {
  shape: { type: { value: string }; version: { value: number }; data: { parse(data: unknown): Data } };
}

/** The message of this schema for an event. Throws when its data does not fit. */
export const outgoing = <Data>(
  of: Logged,
  { shape: { type, version, data } }: MessageSchema<Data>,
  given: NoInfer<Data>,
  key?: string,
): Outgoing =>
  ({
    of,
    type: type.value,
    version: version.value,
    data: data.parse(given),
    ...(key !== undefined && { key }),
  }) as Outgoing;
