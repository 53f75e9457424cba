import * as RadixTabs from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

interface TabsProps {
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[];
}

/** Two or more views, one visible at a time. */
export function Tabs({ label, value, onValueChange, tabs }: TabsProps) {
  return (
    <RadixTabs.Root value={value} onValueChange={onValueChange}>
      <RadixTabs.List
        aria-label={label}
        className={cx(
          'gap-1 rounded-full bg-sunken p-1',
          tabs.length > 2 ? 'grid max-sm:grid-cols-2 max-sm:rounded-lg sm:flex' : 'flex',
        )}
      >
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.value}
            value={tab.value}
            className="min-h-11 flex-1 max-sm:[&:last-child:nth-child(odd)]:col-span-2 rounded-full px-4 max-[15rem]:px-1 font-strong text-ink-soft transition-colors duration-(--duration-fast) hover:text-ink data-[state=active]:bg-raised data-[state=active]:text-ink data-[state=active]:shadow-card"
          >
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="pt-6">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
