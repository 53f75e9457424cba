import type { CaseAction } from '@beltway/contracts/identity/moderation';
import type { texts } from './texts.ts';
import type { TextsOf } from '../../lib/i18n/catalogue.ts';

/** What was done, in words. */
export const sayDone = (t: TextsOf<typeof texts>, action: CaseAction): string => t(`${action}Done`);
