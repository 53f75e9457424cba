import type { ReactNode, Ref } from 'react';
import { cx } from './cx.ts';

/** `text`: a readable line length; `form`: the width of fields. */
const WIDTHS = { full: null, text: 'max-w-3xl', form: 'max-w-xl' };
const SPACES = { full: 'gap-6 py-6 lg:py-10', text: 'gap-6 py-6 lg:py-10', form: 'gap-5 py-8 lg:py-12' };
const ROOMY = 'gap-8 py-8 lg:gap-10 lg:py-12';

interface PageProps {
  title: ReactNode;
  /** The page's purpose, below its title. */
  intro?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** Larger gaps, for a page of few large sections. */
  isRoomy?: boolean;
  /** Ref of the heading, which gets the focus when an item is removed from the page's list. */
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** A page with its title. */
export const Page = ({ title, intro, actions, width = 'full', isRoomy = false, heading, children }: PageProps) => (
  <div className={cx('page grid grid-cols-[minmax(0,1fr)]', WIDTHS[width], isRoomy ? ROOMY : SPACES[width])}>
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0 flex-[1_1_18rem]">
        <h1 {...(heading && { ref: heading, tabIndex: -1 })} className="text-heading outline-none">
          {title}
        </h1>
        {intro && <p className="mt-1 text-ink-soft">{intro}</p>}
      </div>
      {actions}
    </header>
    {children}
  </div>
);

/** A page with only a message: an error or an empty state. */
export const PageMessage = ({ children }: { children: ReactNode }) => <div className="page py-12">{children}</div>;
