import type { Event } from '@beltway/contracts/catalog';
import { Camera, Link2, MessageCircle, Send, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyForInstagram, copyLink, shareOn } from './share.ts';

interface ShareItem {
  label: string;
  icon: ReactNode;
  onSelect: () => void;
}

/** The five ways of docs/product.md#sharing */
export const shareItems = (event: Event): readonly ShareItem[] => [
  { label: 'Share on Facebook', icon: <ThumbsUp aria-hidden />, onSelect: () => shareOn('Facebook', event) },
  { label: 'Share on Twitter', icon: <Send aria-hidden />, onSelect: () => shareOn('Twitter', event) },
  { label: 'Copy for Instagram', icon: <Camera aria-hidden />, onSelect: () => void copyForInstagram(event) },
  { label: 'Share on WhatsApp', icon: <MessageCircle aria-hidden />, onSelect: () => shareOn('WhatsApp', event) },
  { label: 'Copy Link', icon: <Link2 aria-hidden />, onSelect: () => void copyLink(event) },
];
