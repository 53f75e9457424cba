import { plainDescription } from '@beltway/contracts/catalog/plain-description';
import type { Event } from '@beltway/contracts/catalog/events';
import { cutText } from '@beltway/contracts/common/cut-text';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { sharedPath } from '../../lib/i18n/language.ts';
import { toast } from '../../ui/toast.ts';
import { texts } from './share.texts.en.ts';

type Shared = Pick<Event, 'id' | 'title' | 'location' | 'description' | 'tags'>;

/** frontend/PRODUCT.md#sharing */
const DESCRIPTION_LIMIT = 100;
const POPUP = 'width=600,height=400,noopener';

export const shareUrl = (event: Shared): string => window.location.origin + sharedPath(eventPath(event));

/** Title, location, the first 100 characters of the description (with an ellipsis if longer) and hashtags. */
export function shareText({ title, location, description, tags }: Shared): string {
  const words = plainDescription(description);
  const start = cutText(words, DESCRIPTION_LIMIT);
  const cut = start === words ? start : `${start}...`;
  const hashtags = [...tags, '#Beltway'].map((tag) => (tag.startsWith('#') ? tag : `#${tag}`).replace(/\s+/g, ''));
  return `${textsNow(texts)('titleAt', { title, place: location })}\n\n${cut}\n\n${hashtags.join(' ')}`;
}

const networks = {
  Facebook: (url: string, text: string) =>
    `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(url)}&quote=${encodeURIComponent(text)}`,
  Twitter: (url: string, text: string) =>
    `https://twitter.com/intent/tweet?text=${encodeURIComponent(text)}&url=${encodeURIComponent(url)}`,
  WhatsApp: (url: string, text: string) => `https://wa.me/?text=${encodeURIComponent(`${text}\n\n${url}`)}`,
};

export type Network = keyof typeof networks;

/** Opens the network's share page in a popup of 600 by 400. */
export function shareOn(network: Network, event: Shared): void {
  window.open(networks[network](shareUrl(event), shareText(event)), '_blank', POPUP);
  const t = textsNow(texts);
  toast({ title: t('sharedOn', { network }), description: t('sharedWell') });
}

/** Returns false when the browser does not allow copying. */
export async function copyLink(event: Shared): Promise<boolean> {
  const copied = await copyText(shareUrl(event));
  if (copied) toast({ title: textsNow(texts)('linkCopied'), description: textsNow(texts)('linkCopiedWhy') });
  else sayNotCopied(event);
  return copied;
}

/** Instagram has no share page for links, so this copies text and link to paste there. */
export async function copyForInstagram(event: Shared): Promise<boolean> {
  const copied = await copyText(`${shareText(event)}\n\n${shareUrl(event)}`);
  if (copied) toast({ title: textsNow(texts)('linkCopied'), description: textsNow(texts)('forInstagramWhy') });
  else sayNotCopied(event);
  return copied;
}

function sayNotCopied(event: Shared): void {
  const t = textsNow(texts);
  toast({ title: t('notCopied'), description: t('copyByHand', { url: shareUrl(event) }), variant: 'destructive' });
}
