import { TopPickReportReason } from '@beltway/contracts/media/top-picks';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './player.texts.en.ts';

/** Why a video may be reported, in words. Those of the player's catalog: who shows them waits for it. */
export const reasons = (): Record<TopPickReportReason, string> => {
  const t = textsNow(texts);
  const words = TopPickReportReason.options.map((reason) => [reason, t(reason)] as const);
  return Object.fromEntries(words) as Record<TopPickReportReason, string>;
};
