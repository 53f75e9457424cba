import type { Event } from '@beltway/contracts/catalog';
import { Camera, Link2, MessageCircle, Send, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCountShare } from '../../lib/engagement.ts';
import { copyForInstagram, copyLink, shareOn, type Network } from './share.ts';

interface ShareItem {
  label: string;
  icon: ReactNode;
  onSelect: () => void;
}

/** The five ways of docs/product.md#sharing; what was shared is counted. */
export function useShareItems(event: Event): readonly ShareItem[] {
  const count = useCountShare(event.id);
  const on = (network: Network) => () => {
    shareOn(network, event);
    count();
  };
  const by = (copy: (event: Event) => Promise<boolean>) => () => void copy(event).then((copied) => copied && count());
  return [
    { label: 'Share on Facebook', icon: <ThumbsUp aria-hidden />, onSelect: on('Facebook') },
    { label: 'Share on Twitter', icon: <Send aria-hidden />, onSelect: on('Twitter') },
    { label: 'Copy for Instagram', icon: <Camera aria-hidden />, onSelect: by(copyForInstagram) },
    { label: 'Share on WhatsApp', icon: <MessageCircle aria-hidden />, onSelect: on('WhatsApp') },
    { label: 'Copy Link', icon: <Link2 aria-hidden />, onSelect: by(copyLink) },
  ];
}
