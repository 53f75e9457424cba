import type { ReactElement, ReactNode } from 'react';
import * as DropdownMenu from '@radix-ui/react-dropdown-menu';

export interface MenuEntry {
  label: ReactNode;
  icon?: ReactNode;
  onSelect?: () => void;
  /** Makes the item a link; an absolute URL opens in a new tab. */
  href?: string;
}
export interface MenuProps {
  /** The button that opens the menu. It gets the menu's attributes. */
  trigger: ReactElement<React.ComponentProps<'button'>>;
  items: readonly MenuEntry[];
  /** Shown above the items. */
  heading?: ReactNode;
  side?: 'top' | 'bottom';
}

/** The menu's list. Opens on mount, because the menu loads after the first press. */
export function MenuPanel({ trigger, items, heading, side = 'bottom' }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          side={side}
          sideOffset={6}
          collisionPadding={12}
          className="z-50 min-w-56 animate-rise rounded-md border border-line bg-raised p-1.5 shadow-float"
        >
          {heading && <DropdownMenu.Label className="px-3 py-2 text-note text-ink-soft">{heading}</DropdownMenu.Label>}
          {items.map(({ label, icon, onSelect, href }, at) => {
            const content = (
              <>
                {icon}
                {label}
              </>
            );
            return (
              <DropdownMenu.Item
                key={at}
                asChild={href !== undefined}
                {...(onSelect && { onSelect })}
                className="flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 text-body outline-none data-highlighted:bg-ink/8 [&_svg]:size-4.5 [&_svg]:text-ink-soft"
              >
                {href === undefined ? (
                  content
                ) : (
                  <a href={href} {...(/^https?:/.test(href) && { target: '_blank', rel: 'noopener' })}>
                    {content}
                  </a>
                )}
              </DropdownMenu.Item>
            );
          })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
