import type { PhotoReportReason } from '@beltway/contracts/media/gallery';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';

/** The reasons for reporting a photo. */
export const REASONS: readonly PhotoReportReason[] = ['spam', 'abuse', 'privacy', 'other'];

export const reasonText = (reason: PhotoReportReason): string => textsNow(texts)(reason);
