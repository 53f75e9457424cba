import { TopPickReportReason } from '@beltway/contracts/media/top-picks';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './player.texts.en.ts';

/**
 * The labels of the reasons for reporting a video. They are part of the player's texts, which callers must have loaded.
 */
export const reasons = (): Record<TopPickReportReason, string> => {
  const t = textsNow(texts);
  const words = TopPickReportReason.options.map((reason) => [reason, t(reason)] as const);
  return Object.fromEntries(words) as Record<TopPickReportReason, string>;
};
