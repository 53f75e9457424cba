import type { ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';

interface ProseProps {
  title: string;
  /** The page's audience and content, in one sentence. */
  lead: ReactNode;
  /** The date of the last change, as text. */
  updated: string;
  /** A note above the text. */
  note?: ReactNode;
  children: ReactNode;
}

/** A text page with a readable line length and headings as link targets. */
export const Prose = ({ title, lead, updated, note, children }: ProseProps) => (
  <article className="page py-8 md:py-12">
    <div className="max-w-[42rem]">
      <h1 className="text-heading">{title}</h1>
      <p className="mt-3 text-title font-regular leading-normal text-ink-soft">{lead}</p>
      <p className="mt-2 text-note text-ink-soft">{textsNow(texts)('lastChanged', { when: updated })}</p>
      {note && <p className="mt-4 rounded-md bg-sunken px-4 py-3">{note}</p>}
      <div className="mt-8 grid gap-3 [&_a]:font-strong [&_a]:underline [&_a]:underline-offset-4 [&_h2]:mt-5 [&_h2]:text-title [&_li]:mt-1.5 [&_ul]:list-disc [&_ul]:ps-5">
        {children}
      </div>
    </div>
  </article>
);
