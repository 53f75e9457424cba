import type { PhotoReportReason } from '@beltway/contracts/media/gallery';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';

/** Why a photo may be reported. */
export const REASONS: readonly PhotoReportReason[] = ['spam', 'abuse', 'privacy', 'other'];

/** The same in words. */
export const reasonText = (reason: PhotoReportReason): string => textsNow(texts)(reason);
