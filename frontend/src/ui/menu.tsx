import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

interface MenuProps {
  /** A button; it gets the menu's attributes. */
  trigger: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', side = 'bottom', children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={12}
          className="z-50 min-w-56 animate-rise rounded-md border border-line bg-raised p-1.5 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 text-body outline-none data-highlighted:bg-ink/8 [&_svg]:size-4.5 [&_svg]:text-ink-soft"
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-3 py-2 text-note text-ink-soft">{children}</DropdownMenu.Label>
);
export const MenuSeparator = () => <DropdownMenu.Separator className="my-1.5 h-px bg-line" />;
