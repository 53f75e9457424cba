import { cloneElement, Suspense, useState, type ComponentType } from 'react';
import { lazily } from '../lib/loading/lazily.ts';
import type { MenuProps } from './menu-panel.tsx';

/**
 * A drop-down menu whose code and items load on hover or focus of its button. The first press opens it. `load` returns
 * a component that renders a MenuPanel.
 */
export function lazyMenu<Props extends Pick<MenuProps, 'trigger'>>(load: () => Promise<ComponentType<Props>>) {
  const Panel = lazily(load);
  return function LazyMenu(props: Props) {
    const [wanted, setWanted] = useState(false);
    const waiting = cloneElement(props.trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: () => void load(),
      onFocus: () => void load(),
      onClick: () => setWanted(true),
    });
    return wanted ? (
      <Suspense fallback={waiting}>
        <Panel {...props} />
      </Suspense>
    ) : (
      waiting
    );
  };
}

export const Menu = lazyMenu(async () => (await import('./menu-panel.tsx')).MenuPanel);
