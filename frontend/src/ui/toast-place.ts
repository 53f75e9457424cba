/** In the order of preference: below the header first. On a phone left and right are the same. */
const PLACES = ['top-right', 'bottom-right', 'bottom-left', 'top-left'] as const;

const CONTROLS = 'main :is(a[href], button, input, select, textarea), [data-dock]';
/** What must stay in sight weighs more than any number of links. */
const WEIGHT = 1_000;

const overlaps = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const keptClear = () => [...document.querySelectorAll('[data-keep-clear]')];

function covered(toast: HTMLElement, all: readonly Element[]): number {
  const rect = toast.getBoundingClientRect();
  return all.filter((one) => !one.contains(toast) && overlaps(rect, one.getBoundingClientRect())).length;
}

/** Puts a toast where it covers least: never what has the focus or is marked `data-keep-clear`, as long as there is another place. */
export function placeToast(toast: HTMLElement): void {
  const viewport = toast.parentElement;
  if (!viewport) return;
  const focused = document.activeElement === document.body ? null : document.activeElement;
  const matters = [...keptClear(), ...(focused ? [focused] : [])];
  const controls = [...document.querySelectorAll(CONTROLS)];
  const costs = PLACES.map((place) => {
    viewport.dataset['place'] = place;
    return covered(toast, controls) + WEIGHT * covered(toast, matters);
  });
  viewport.dataset['place'] = PLACES[costs.indexOf(Math.min(...costs))];
}

/** How often it is looked whether a ticket has come to lie below a toast, in milliseconds. */
const LOOK_EVERY = 200;

/** Keeps a toast in its place, until what must stay in sight is loaded or scrolled to below it. Returns how to end that. */
export function keepPlaced(toast: HTMLElement): () => void {
  placeToast(toast);
  const timer = setInterval(() => covered(toast, keptClear()) > 0 && placeToast(toast), LOOK_EVERY);
  return () => clearInterval(timer);
}
