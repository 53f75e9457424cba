import type { Logged } from './read.ts';

declare const fits: unique symbol;

/** A message and the event that it publishes. Only `outgoing` creates this type, so the data always fits the schema. */
export interface Outgoing {
  of: Logged;
  type: string;
  version: number;
  /** Messages with the same key keep their order. Default: the event's stream. */
  key?: string;
  data: unknown;
  [fits]: true;
}

/** The part of a message's zod schema that publishing requires. */
export interface MessageSchema<Data = unknown> {
  shape: { type: { value: string }; version: { value: number }; data: { parse(data: unknown): Data } };
}

/** Creates the message of a schema for an event. Throws if the data does not fit. */
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
