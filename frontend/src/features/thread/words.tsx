import type { ReactNode } from 'react';
import { Age } from '../../lib/time/age.tsx';
import { formatMoment } from '../../lib/i18n/format.ts';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';

/** Keeps typed line breaks and the text's own direction. */
export const asTyped = 'whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]';

/** The text of a contribution. */
export const Words = ({ className, children }: { className?: string; children: ReactNode }) => (
  <p dir="auto" className={cx('max-w-prose', asTyped, className)}>
    {children}
  </p>
);

/** The age of a contribution. */
export const When = ({ at }: { at: string }) => (
  <Meta as="time" dateTime={at} title={formatMoment(at)}>
    <Age of={at} />
  </Meta>
);
