/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from './wait.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const BEHIND_A_DIALOG = '#root[aria-hidden=true]';
/** The minified source, which a page parses in half the time. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Axe's findings on this page, on a phone and a desktop, in the dark and the light theme, and the elements that are
 * wider than the screen. With a modal dialog open, axe checks only the dialog, because a page of 2,000 elements takes
 * five times as long. The page itself is checked without the dialog anyway. `within` is a selector that limits the
 * check to one part, for a page scrolled to where a sticky bar covers targets of other parts.
 */
export async function faultsOf(page: Page, within?: string): Promise<string[]> {
  const faults: string[] = [];
  // The outer loop changes the theme, which takes as long as a check. The order of sizes alternates to save a resize.
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const size of theme === 'dark' ? SIZES : SIZES.toReversed()) {
      await page.setViewportSize(size);
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      await page.waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition));
      // Contrast is the only rule that depends on colors.
      const axe = await axeOn(page, theme === 'dark' ? RULES : 'color-contrast');
      const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
      for (const { id, nodes } of violations)
        for (const { target, failureSummary } of nodes)
          faults.push(`${size.width} ${theme} ${id}: ${target.join(' ')} ${failureSummary ?? ''}`);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (wide > 0) faults.push(`${size.width}: ${wide} pixels wider than the screen`);
    }
  }
  return faults;
}

/**
 * Returns axe with the rules of these tags, or with one rule. Loads its source once per document and reports only
 * violations.
 */
async function axeOn(page: Page, rules: string[] | string): Promise<AxeBuilder> {
  const has = await Promise.all(page.frames().map((frame) => frame.evaluate(() => 'axe' in window).catch(() => false)));
  const axe = new AxeBuilder({ page, axeSource: has.every(Boolean) ? 'void 0' : axeSource })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  if ((await page.locator(BEHIND_A_DIALOG).count()) > 0) axe.exclude(BEHIND_A_DIALOG);
  return typeof rules === 'string' ? axe.withRules(rules) : axe.withTags(rules);
}

/** The overlap of two elements, in pixels. */
export async function overlap(one: Locator, other: Locator): Promise<number> {
  const [a, b] = await Promise.all([one.boundingBox(), other.first().boundingBox()]);
  if (!a || !b) throw new Error(`${a ? other : one} is not on the screen`);
  const along = (from: 'x' | 'y', size: 'width' | 'height') =>
    Math.max(0, Math.min(a[from] + a[size], b[from] + b[size]) - Math.max(a[from], b[from]));
  return Math.round(along('x', 'width') * along('y', 'height'));
}

/**
 * Elements beyond the left or right edge of the screen, except elements that scroll, that only screen readers see, or
 * that belong to a map.
 */
export const beyondTheEdge = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const isScrolled = ({ parentElement: frame }: Element): boolean => {
      if (frame === null) return false;
      const { overflowX, clipPath } = getComputedStyle(frame);
      const isMap = frame.matches('.leaflet-container');
      return isMap || /auto|scroll/.test(overflowX) || clipPath !== 'none' || isScrolled(frame);
    };
    return [...document.body.querySelectorAll('*')]
      .filter((part) => {
        const { left, right, width, height } = part.getBoundingClientRect();
        return width > 1 && height > 1 && (right > edge + 0.5 || left < -0.5) && !isScrolled(part);
      })
      .map((part) => `${part.tagName} ${part.getAttribute('class')}: ${part.textContent.slice(0, 30)}`);
  });

/** A dialog's buttons whose visible area is at least partly covered by the toast. */
export const coveredButtons = async (dialog: Locator, toast: Locator): Promise<string[]> =>
  dialog.evaluate(
    (panel, over) => {
      const cover = over!.getBoundingClientRect();
      const clips = (part: Element | null): Element[] =>
        part === null
          ? []
          : [...(/auto|scroll/.test(getComputedStyle(part).overflowY) ? [part] : []), ...clips(part.parentElement)];
      return [...panel.querySelectorAll('button')]
        .filter((button) => {
          if (over!.contains(button)) return false;
          const rects = [button, ...clips(button.parentElement)].map((part) => part.getBoundingClientRect());
          const most = (side: 'left' | 'top') => Math.max(cover[side], ...rects.map((rect) => rect[side]));
          const least = (side: 'right' | 'bottom') => Math.min(cover[side], ...rects.map((rect) => rect[side]));
          return most('left') < least('right') && most('top') < least('bottom');
        })
        .map((button) => button.ariaLabel ?? button.textContent);
    },
    await toast.elementHandle(),
  );

/** Whether the first and last characters of a text are visible: neither scrolled away nor covered. */
export const isInSight = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const seen = (x: number, y: number) => element.contains(document.elementFromPoint(x, y));
    return seen(left + 2, top + 4) && seen((left + right) / 2, bottom - 4);
  });

/** Presses Tab until the element with this name has the focus, as a keyboard user does. */
export async function tabTo(page: Page, name: RegExp | string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      if (!element || element === document.body) return null;
      const labels = (element as HTMLInputElement).labels;
      return {
        name: (
          element.getAttribute('aria-label') ??
          (labels?.length ? [...labels].map((label) => label.textContent).join(' ') : element.textContent) ??
          ''
        ).trim(),
        isSeen: element.matches(':focus-visible'),
      };
    });
    passed.push(focused?.name ?? 'nothing');
    if (!focused || !(typeof name === 'string' ? focused.name === name : name.test(focused.name))) continue;
    expect(focused.isSeen, `the focus is seen on ${focused.name}`).toBe(true);
    return;
  }
  throw new Error(`${name} is not reached by Tab; passed ${passed.join(' | ')}`);
}

export interface Control {
  /** The control's index among the page's visible controls. */
  at: number;
  label: string;
  /** The control's label, without parts that differ between cards or presses. */
  kind: string;
  disabled: boolean;
  /** Whether the control is the selected option, such as ‘All’ or ‘List’, so that pressing it changes nothing. */
  isChosen: boolean;
  /** Whether the control is in the page itself, not in the header or footer, which all pages have. */
  isInMain: boolean;
  /** Whether the control is in a card. A page has many cards. */
  isInCard: boolean;
  /** Whether the control belongs to a form: it submits the form, or input in the form enables the control. */
  isOfForm: boolean;
}

/** Selects everything that can be pressed, except links. */
const CONTROLS = 'button:visible, summary:visible';
export const controlAt = (page: Page, { at }: Control): Locator => page.locator(CONTROLS).nth(at);

/** The visible controls. If several controls have the same kind, only the first one is included. */
export const buttonsOf = (page: Page): Promise<Control[]> =>
  page.locator(CONTROLS).evaluateAll((all) => {
    const seen = new Set<string>();
    return all.flatMap((element, at) => {
      const label = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
      const kind = element.closest('article')
        ? label.replace(/^(Share|Save|Like) .*/s, '$1').replace(/\$[\d.]+/, '')
        : label.replace(/, \d+ unread$|(light|dark) (?=theme$)/, '');
      if (seen.has(kind)) return [];
      seen.add(kind);
      const isIn = (selector: string) => element.closest(selector) !== null;
      // In a calendar, the selected state of a day is on its cell.
      const isChosen = [element.ariaPressed, element.ariaChecked].includes('true') || isIn('[aria-selected=true]');
      return [
        {
          ...{ at, label, kind, isChosen, disabled: (element as HTMLButtonElement).disabled === true },
          ...{ isInMain: isIn('main'), isInCard: isIn('article'), isOfForm: isIn('form') },
        },
      ];
    });
  });

/** The URLs of a page's links. */
export const linksOf = (page: Page): Promise<string[]> =>
  page
    .locator('a[href]:visible')
    .evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href') ?? ''))]);

/** Everything that a user can perceive: URL, theme, text, open and pressed controls, focus, scroll position. */
export const stateOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    const active = document.activeElement;
    return JSON.stringify([
      location.href,
      document.documentElement.dataset['theme'],
      // Excludes clocks, because a countdown would never settle.
      document.getElementById('root')?.innerText.replace(/\b\d{1,2}:\d\d\b/g, ''),
      all('[role=dialog], [role=menu], [role=alert], details[open]').length,
      all('[aria-pressed], [aria-expanded], [aria-checked]').map((one) => [
        ...[one.ariaPressed, one.ariaExpanded, one.ariaChecked],
      ]),
      all('input').map((one) => [(one as HTMLInputElement).type, (one as HTMLInputElement).value]),
      active?.tagName === 'INPUT' ? active.id || active.getAttribute('name') : '',
      Math.round(window.scrollY),
    ]);
  });

/** Milliseconds between two reads of a page that must not change. Each read costs processor time. */
const READ_AGAIN_MS = 150;

/**
 * Waits until nothing changed for `steadyMs`, because content that loads late would look like the result of a click.
 */
export async function settled(page: Page, steadyMs = 0): Promise<string> {
  let before = '';
  let since = 0;
  return eventually(
    async () => {
      if (before && steadyMs > 0) await setTimeout(READ_AGAIN_MS);
      const now = await stateOf(page);
      if (now !== before) since = performance.now();
      const same = now === before && performance.now() - since >= steadyMs && now;
      before = now;
      return same;
    },
    { what: 'the page settles' },
  );
}
