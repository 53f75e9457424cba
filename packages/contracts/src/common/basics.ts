import { z } from 'zod';
import { fault } from '../problems/fault.ts';
import { onFirstUse } from './on-first-use.ts';

/**
 * Fields of every message on the bus, in addition to its `type`, `version` and `data` (docs/architecture.md#messages).
 */
export const envelope = {
  /** Derived from the log event, so that a consumer recognizes a second delivery. */
  id: z.uuid(),
  /** The stream. Messages with the same key keep their order. */
  key: z.string().min(1),
  occurredAt: z.iso.datetime(),
  correlationId: z.string(),
  causationId: z.string(),
};

/** Any message, before its type is known. Consumers skip types they do not know. */
export const Message = z.object({
  ...envelope,
  type: z.string(),
  version: z.int().positive(),
  data: z.unknown(),
});
export type Message = z.infer<typeof Message>;

/**
 * A sentence that the frontend translates: the sentence's key in the table (problems/texts.ts) and the values to
 * insert.
 */
export const sentence = {
  text: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
};

/** A sentence from the server that is not a problem: the English text and its key. */
export const Said = z.object({ message: z.string(), ...sentence });
export type Said = z.infer<typeof Said>;

/** The error that every endpoint returns (RFC 9457, `application/problem+json`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** Kebab-case and stable, because clients branch on it. */
  code: z.string(),
  /** In English, for clients of the API. */
  detail: z.string().optional(),
  ...sentence,
  /** One entry per invalid field. */
  errors: z.array(z.object({ field: z.string(), ...Said.shape })).optional(),
  requestId: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;

/** A positive integer in a path or query, which arrives as text. */
export const IdText = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, fault('invalid.positive'))
  .transform(Number)
  .refine((id) => id <= 2_147_483_647, fault('invalid.positive'));

const blankIsAbsent = (value: unknown) =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;

type Blankable<Schema extends z.ZodType> = z.ZodOptional<
  z.ZodType<NonNullable<z.output<Schema>> | undefined, z.input<Schema>>
>;

/** An optional field of a body. Absent, null and empty text are equivalent. */
export const optionalField = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(blankIsAbsent, schema.nullish()).optional() as unknown as Blankable<Schema>;

/**
 * Like `optionalField`, with a default. In a `partial` body, which describes a change, an absent field stays absent.
 */
export const fieldOr = <Schema extends z.ZodType, Fallback extends string | boolean | null | unknown[]>(
  schema: Schema,
  fallback: Fallback,
) => optionalField(schema).transform((value) => (value ?? fallback) as NonNullable<z.output<Schema>> | Fallback);

/**
 * An enum in a response. A value that a later release adds is parsed as `unknown`, so that an open or cached page can
 * still display the rest of the answer.
 */
export const orUnknown = <Values extends Readonly<Record<string, string>>>(values: z.ZodEnum<Values>) =>
  values.catch('unknown' as never) as unknown as z.ZodType<Values[keyof Values] | 'unknown', Values[keyof Values]>;

export const Role = z.enum(['user', 'business', 'admin']);
export type Role = z.infer<typeof Role>;

/**
 * Copies only the fields of `value` that the contract names, so that no other field is sent by accident. Does not
 * parse, because one invalid row would break the whole list.
 */
export function only<Contract extends z.ZodObject>(contract: Contract, value: z.input<Contract>): z.output<Contract> {
  const fields = Object.keys(contract.shape).filter((field) => field in value);
  return Object.fromEntries(fields.map((field) => [field, value[field]])) as z.output<Contract>;
}

/** 2550 → "25.50": a price as text (services/ticketing/PRODUCT.md#prices). */
export const centsToText = (cents: number): string => (cents / 100).toFixed(2);
const dollars = onFirstUse(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }));
/** 125050 → "$1,250.50": an amount in a sentence. */
export const moneyText = (cents: number): string => dollars().format(cents / 100);
/** 2550 → 25.5: revenue and amounts in rows (services/ticketing/PRODUCT.md#prices). */
export const centsToDollars = (cents: number): number => Math.round(cents) / 100;
