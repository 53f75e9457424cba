/** In the order of preference: below the header first. On a phone left and right are the same. */
const PLACES = ['top-right', 'bottom-right', 'bottom-left', 'top-left'] as const;

const CONTROLS = 'main :is(a[href], button, input, select, textarea), [data-dock]';
/** The cost of covering what is marked or focused, against 1 for each other control. */
const WEIGHT = 1_000;

const overlaps = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const keptClear = () => [...document.querySelectorAll('[data-keep-clear]')];
const controlsNow = () => [...document.querySelectorAll(CONTROLS)];

function covered(toast: HTMLElement, all: readonly Element[]): number {
  const rect = toast.getBoundingClientRect();
  return all.filter((one) => !one.contains(toast) && overlaps(rect, one.getBoundingClientRect())).length;
}

/** The sum of their covered parts: 1 for an element that is covered whole. */
function hidden(toast: HTMLElement, all: readonly Element[]): number {
  const rect = toast.getBoundingClientRect();
  const shares = all.map((one) => {
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    const across = Math.max(0, Math.min(rect.right, right) - Math.max(rect.left, left));
    const down = Math.max(0, Math.min(rect.bottom, bottom) - Math.max(rect.top, top));
    return one.contains(toast) ? 0 : (across * down) / (width * height || 1);
  });
  return shares.reduce((sum, share) => sum + share, 0);
}

/**
 * Puts a toast where it covers least: never what has the focus or is marked `data-keep-clear`, as long as there is another place. Where
 * there is none, as on the smallest phones, it is made shorter (`data-tight`).
 */
export function placeToast(toast: HTMLElement): void {
  const viewport = toast.parentElement;
  if (!viewport) return;
  delete viewport.dataset['tight'];
  choosePlace(toast, viewport);
  if (covered(toast, keptClear()) === 0) return;
  viewport.dataset['tight'] = '';
  choosePlace(toast, viewport);
}

function choosePlace(toast: HTMLElement, viewport: HTMLElement): void {
  const focused = document.activeElement === document.body ? null : document.activeElement;
  const matters = [...keptClear(), ...(focused ? [focused] : [])];
  const controls = controlsNow();
  const costs = PLACES.map((place) => {
    viewport.dataset['place'] = place;
    return covered(toast, controls) + WEIGHT * hidden(toast, matters);
  });
  viewport.dataset['place'] = PLACES[costs.indexOf(Math.min(...costs))];
}

/** Milliseconds between checks of what a toast covers. */
const LOOK_EVERY = 200;

/**
 * Places a toast, and again when it covers something marked, or a control that was loaded after it: the toast may come before the page
 * that it is about. Returns a function that ends this.
 */
export function keepPlaced(toast: HTMLElement): () => void {
  placeToast(toast);
  let known = new Set(controlsNow());
  const look = () => {
    const controls = controlsNow();
    const late = controls.filter((control) => !known.has(control));
    known = new Set(controls);
    if (covered(toast, keptClear()) > 0 || covered(toast, late) > 0) placeToast(toast);
  };
  const timer = setInterval(look, LOOK_EVERY);
  return () => clearInterval(timer);
}
