import type { Event } from '@beltway/contracts/catalog';
import { Camera, Link2, MessageCircle, Send, Share2, ThumbsUp } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { copyForInstagram, copyLink, shareOn } from './share.ts';

interface ShareMenuProps {
  event: Event;
  /** A button of another shape, such as one with a word on it. */
  trigger?: ReactElement<React.ComponentProps<'button'>>;
}

export function ShareMenu({ event, trigger }: ShareMenuProps) {
  return (
    <Menu
      trigger={
        trigger ?? (
          <IconButton label={`Share ${event.title}`}>
            <Share2 aria-hidden />
          </IconButton>
        )
      }
      items={[
        { label: 'Share on Facebook', icon: <ThumbsUp aria-hidden />, onSelect: () => shareOn('Facebook', event) },
        { label: 'Share on Twitter', icon: <Send aria-hidden />, onSelect: () => shareOn('Twitter', event) },
        { label: 'Copy for Instagram', icon: <Camera aria-hidden />, onSelect: () => void copyForInstagram(event) },
        { label: 'Share on WhatsApp', icon: <MessageCircle aria-hidden />, onSelect: () => shareOn('WhatsApp', event) },
        { label: 'Copy Link', icon: <Link2 aria-hidden />, onSelect: () => void copyLink(event) },
      ]}
    />
  );
}
