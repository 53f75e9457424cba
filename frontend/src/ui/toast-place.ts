/** In the order of preference: below the header first. On a phone left and right are the same. */
const PLACES = ['top-right', 'bottom-right', 'bottom-left', 'top-left'] as const;

const CONTROLS = 'main :is(a[href], button, input, select, textarea), [data-dock]';
/** What must stay in sight weighs more than any number of links. */
const WEIGHT = 1_000;

const overlaps = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Puts a toast where it covers least: never what has the focus or is marked `data-keep-clear`, as long as there is another place. */
export function placeToast(toast: HTMLElement | null): void {
  const viewport = toast?.parentElement;
  if (!toast || !viewport) return;
  const focused = document.activeElement === document.body ? null : document.activeElement;
  const matters = [...document.querySelectorAll('[data-keep-clear]'), ...(focused ? [focused] : [])];
  const controls = [...document.querySelectorAll(CONTROLS)];
  const costs = PLACES.map((place) => {
    viewport.dataset['place'] = place;
    const rect = toast.getBoundingClientRect();
    const covers = (all: readonly Element[]) =>
      all.filter((one) => !one.contains(toast) && overlaps(rect, one.getBoundingClientRect())).length;
    return covers(controls) + WEIGHT * covers(matters);
  });
  viewport.dataset['place'] = PLACES[costs.indexOf(Math.min(...costs))];
}
