import { fields } from '@beltway/contracts/problems/fields.texts.en';
import { readFault } from '@beltway/contracts/problems/fault';
import { textsOf, type Messages } from '../i18n/catalog.ts';
import { translate } from '../i18n/problems.ts';

const english = textsOf<Messages>(fields);

/** A schema's message in the page's language. Zod's own messages stay unchanged. */
export function sayFault(message: string): string {
  const fault = readFault(message);
  if (!fault) return message;
  return translate(fault.text, fault.params) ?? english(fault.text, fault.params as never);
}
