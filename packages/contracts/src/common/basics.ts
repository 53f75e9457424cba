import { z } from 'zod';
import { fault } from '../problems/fault.ts';

/** What every message on the bus carries beside its own `type`, `version` and `data` (docs/architecture.md#messages). */
export const envelope = {
  /** Made from the event it tells of, so that a second delivery is recognized. */
  id: z.uuid(),
  /** The stream: messages of one key keep their order. */
  key: z.string().min(1),
  occurredAt: z.iso.datetime(),
  correlationId: z.string(),
  causationId: z.string(),
};

/** Any message, before its type is known. Readers skip types they do not know. */
export const Message = z.object({
  ...envelope,
  type: z.string(),
  version: z.int().positive(),
  data: z.unknown(),
});
export type Message = z.infer<typeof Message>;

/** The key of a sentence in the table (problems/texts.ts) and its values, from which the page makes its own language's. */
export const sentence = {
  text: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
};

/** A sentence of the server, beside a problem: in English, and by its key. */
export const Said = z.object({ message: z.string(), ...sentence });
export type Said = z.infer<typeof Said>;

/** The error every endpoint answers with (RFC 9457, `application/problem+json`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** Kebab-case, stable: what a program decides by. */
  code: z.string(),
  /** In English, for clients of the API. */
  detail: z.string().optional(),
  ...sentence,
  /** One entry for each field that is wrong. */
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

/** A field of a body that may be left out. Absent, null and empty text are the same. */
export const optionalField = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(blankIsAbsent, schema.nullish()).optional() as unknown as Blankable<Schema>;

/** The same, parsed as `fallback` where it is left out. In a `partial` body, a change, it stays absent when it is absent. */
export const fieldOr = <Schema extends z.ZodType, Fallback extends string | boolean | null | unknown[]>(
  schema: Schema,
  fallback: Fallback,
) => optionalField(schema).transform((value) => (value ?? fallback) as NonNullable<z.output<Schema>> | Fallback);

/**
 * One of these values in an answer. A value of a later release is read as `unknown`, so that a page that was open or cached before shows
 * the rest of the answer.
 */
export const orUnknown = <Values extends Readonly<Record<string, string>>>(values: z.ZodEnum<Values>) =>
  values.catch('unknown' as never) as unknown as z.ZodType<Values[keyof Values] | 'unknown', Values[keyof Values]>;

export const Role = z.enum(['user', 'business', 'admin']);
export type Role = z.infer<typeof Role>;

/**
 * The fields of `value` that the contract names, and no other: what goes out has none by accident. It is not parsed, so that one odd
 * row spoils no list.
 */
export function only<Contract extends z.ZodObject>(contract: Contract, value: z.input<Contract>): z.output<Contract> {
  const fields = Object.keys(contract.shape).filter((field) => field in value);
  return Object.fromEntries(fields.map((field) => [field, value[field]])) as z.output<Contract>;
}

/** 2550 → "25.50": a price as text (services/ticketing/PRODUCT.md#prices). */
export const centsToText = (cents: number): string => (cents / 100).toFixed(2);
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
/** 125050 → "$1,250.50": an amount in a sentence. */
export const moneyText = (cents: number): string => dollars.format(cents / 100);
/** 2550 → 25.5: revenue and amounts in rows (services/ticketing/PRODUCT.md#prices). */
export const centsToDollars = (cents: number): number => Math.round(cents) / 100;
