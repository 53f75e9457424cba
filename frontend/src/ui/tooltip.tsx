import { Tooltip as RadixTooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** Specification 1, section 9: 700 ms before the first, 300 ms in which the next comes at once. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <RadixTooltip.Provider delayDuration={700} skipDelayDuration={300}>
    {children}
  </RadixTooltip.Provider>
);

interface TooltipProps {
  text: string;
  /** What it belongs to: a button or link. */
  children: ReactNode;
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-w-xs animate-fade rounded-sm bg-inverse px-2.5 py-1.5 text-note text-on-inverse"
        >
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
