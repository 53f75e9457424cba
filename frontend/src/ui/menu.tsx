import { cloneElement, Suspense, useState } from 'react';
import { lazily } from '../lib/loading/lazily.ts';
import type { MenuProps } from './menu-panel.tsx';

const load = () => import('./menu-panel.tsx');
const MenuPanel = lazily(async () => (await load()).MenuPanel);

/** A drop-down menu. Its code is loaded on hover or focus of the button; the first press opens it. */
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
