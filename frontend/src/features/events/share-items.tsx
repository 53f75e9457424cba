import type { Event } from '@beltway/contracts/catalog/events';
import Camera from 'lucide-react/icons/camera';
import Link2 from 'lucide-react/icons/link-2';
import MessageCircle from 'lucide-react/icons/message-circle';
import Send from 'lucide-react/icons/send';
import ThumbsUp from 'lucide-react/icons/thumbs-up';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useCountShare } from '../../lib/events/engagement.ts';
import { copyForInstagram, copyLink, shareOn, type Network } from './share.ts';
import { texts } from './share.texts.en.ts';

interface ShareItem {
  label: string;
  /** The network's name alone, for compact buttons. */
  short: string;
  icon: ReactNode;
  onSelect: () => void;
}

/** The five options of frontend/PRODUCT.md#sharing; shares are counted. */
export function useShareItems(event: Event): readonly ShareItem[] {
  const t = useTexts(texts);
  const count = useCountShare(event.id);
  const on = (network: Network) => () => {
    shareOn(network, event);
    count();
  };
  const by = (copy: (event: Event) => Promise<boolean>) => () => void copy(event).then((copied) => copied && count());
  return [
    { label: t('onFacebook'), short: 'Facebook', icon: <ThumbsUp aria-hidden />, onSelect: on('Facebook') },
    { label: t('onTwitter'), short: 'Twitter', icon: <Send aria-hidden />, onSelect: on('Twitter') },
    { label: t('forInstagram'), short: 'Instagram', icon: <Camera aria-hidden />, onSelect: by(copyForInstagram) },
    { label: t('onWhatsApp'), short: 'WhatsApp', icon: <MessageCircle aria-hidden />, onSelect: on('WhatsApp') },
    { label: t('copyLink'), short: t('copyLink'), icon: <Link2 aria-hidden />, onSelect: by(copyLink) },
  ];
}
