import type { ReactNode, Ref } from 'react';
import { cx } from './cx.ts';

/** `text`: as wide as lines can be read; `form`: as wide as fields are. */
const WIDTHS = { full: null, text: 'max-w-3xl', form: 'max-w-xl' };
const SPACES = { full: 'gap-6 py-6 lg:py-10', text: 'gap-6 py-6 lg:py-10', form: 'gap-5 py-8 lg:py-12' };
const ROOMY = 'gap-8 py-8 lg:gap-10 lg:py-12';

interface PageProps {
  title: ReactNode;
  /** What the page is for, below its title. */
  intro?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** Few large sections. */
  isRoomy?: boolean;
  /** The heading takes the focus of what leaves the page's list. */
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** A page below its title. */
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

/** A page with a message only: what went wrong, or that nothing is there. */
export const PageMessage = ({ children }: { children: ReactNode }) => <div className="page py-12">{children}</div>;
