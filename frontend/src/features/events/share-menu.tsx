import type { Event } from '@beltway/contracts/catalog';
import { Share2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useShareItems } from './share-items.tsx';

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
      items={useShareItems(event)}
    />
  );
}
