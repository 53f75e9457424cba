import { blocksOf, type Inline } from '@beltway/contracts/catalog/description';
import { Fragment, type ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';

const shown = (line: readonly Inline[]): ReactNode =>
  line.map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      <a
        key={at}
        href={part.href}
        target="_blank"
        rel="nofollow ugc noopener noreferrer"
        className="underline underline-offset-4"
      >
        {part.words}
      </a>
    ),
  );

/** An event's description with its links, lists and line breaks (services/catalog/PRODUCT.md#launching-an-event). */
export function Description({ text, className }: { text: string; className?: string }) {
  return (
    <div dir="auto" className={cx('grid max-w-prose grid-cols-[minmax(0,1fr)] gap-3 wrap-anywhere', className)}>
      {blocksOf(text).map((block, at) => {
        if ('lines' in block)
          return (
            <p key={at}>
              {block.lines.map((line, index) => (
                <Fragment key={index}>
                  {index > 0 && <br />}
                  {shown(line)}
                </Fragment>
              ))}
            </p>
          );
        const items = block.items.map((item, index) => <li key={index}>{shown(item)}</li>);
        return block.from === undefined ? (
          <ul key={at} className="list-disc ps-5">
            {items}
          </ul>
        ) : (
          <ol key={at} start={block.from} className="list-decimal ps-6">
            {items}
          </ol>
        );
      })}
    </div>
  );
}
