import { cloneElement, Suspense, useState, type ReactElement, type ReactNode } from 'react';
import { lazily } from '../lib/lazily.ts';

export interface MenuEntry {
  label: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
}
export interface MenuProps {
  /** A button; it gets the menu's attributes. */
  trigger: ReactElement<React.ComponentProps<'button'>>;
  items: readonly MenuEntry[];
  /** Stands above the items. */
  heading?: ReactNode;
  side?: 'top' | 'bottom';
}

const load = () => import('./menu-panel.tsx');
const MenuPanel = lazily(async () => (await load()).MenuPanel);

/** A menu that drops from a button. Its code is fetched when a hand comes near and opens on the first press. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const { trigger } = props;
  const waiting = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: () => setWanted(true),
  });
  return wanted ? (
    <Suspense fallback={waiting}>
      <MenuPanel {...props} />
    </Suspense>
  ) : (
    waiting
  );
}
