import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Words for the types. */
const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};
const kindOf = (expected: string): string => KINDS[expected] ?? expected;

/** Words for the formats. */
const FORMATS: Record<string, string> = {
  email: 'an email address',
  url: 'a web address',
  uuid: 'a UUID',
  datetime: 'a time such as 2026-12-01T19:00:00Z',
  date: 'a date such as 2026-12-01',
  time: 'a time such as 19:00',
  base64url: 'base64url',
  base64: 'base64',
};

/** Words for the units, singular and plural. */
const UNITS: Record<string, readonly [string, string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};
function sizeOf(limit: number | bigint, origin: string): string {
  const units = UNITS[origin];
  return units ? `${limit} ${units[limit === 1 ? 0 : 1]}` : String(limit);
}

const listed = (values: readonly z.core.util.Primitive[]): string => values.map(String).join(', ');

/** Describes the expected value of a field whose schema has no message of its own. */
export function expectedOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'nonoptional') return 'is missing';
      return issue.input === undefined
        ? `is missing: it must be ${kindOf(issue.expected)}`
        : `must be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${listed(issue.values)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}` : 'is not of the form that is expected here';
    case 'too_small':
      return `must ${UNITS[issue.origin] ? 'have' : 'be'} ${issue.inclusive === false ? 'more than' : 'at least'} ${sizeOf(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must ${UNITS[issue.origin] ? 'have' : 'be'} ${issue.inclusive === false ? 'less than' : 'at most'} ${sizeOf(issue.maximum, issue.origin)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return issue.discriminator ? 'is missing, or none that is known' : 'is none of what is accepted here';
    default:
      return undefined;
  }
}
