import type { Event } from '@beltway/contracts/catalog/events';
import { MenuPanel, type MenuProps } from '../../ui/menu-panel.tsx';
import { useShareItems } from './share-items.tsx';

/** The list of a ShareMenu. */
export const ShareOptions = ({ event, trigger }: { event: Event } & Pick<MenuProps, 'trigger'>) => (
  <MenuPanel trigger={trigger} items={useShareItems(event)} />
);
