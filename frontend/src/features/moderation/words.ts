import type { CaseAction } from '@beltway/contracts/identity/moderation';
import type { texts } from './texts.en.ts';
import type { TextsOf } from '../../lib/i18n/catalog.ts';

/** What was done, in words. */
export const sayDone = (t: TextsOf<typeof texts>, action: CaseAction): string => t(`${action}Done`);
