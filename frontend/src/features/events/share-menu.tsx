import type { Event } from '@beltway/contracts/catalog/events';
import Share2 from 'lucide-react/icons/share-2';
import type { ReactElement } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useShareItems } from './share-items.tsx';
import { texts } from './texts.en.ts';

interface ShareMenuProps {
  event: Event;
  /** A button of another shape, such as one with a word on it. */
  trigger?: ReactElement<React.ComponentProps<'button'>>;
}

export function ShareMenu({ event, trigger }: ShareMenuProps) {
  const t = useTexts(texts);
  return (
    <Menu
      trigger={
        trigger ?? (
          <IconButton label={t('shareOf', { title: event.title })}>
            <Share2 aria-hidden />
          </IconButton>
        )
      }
      items={useShareItems(event)}
    />
  );
}
