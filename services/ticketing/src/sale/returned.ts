/** Tickets of an order by their places, from 1 on, as the bits of one number: an order has ten at most. */
export const placesIn = (places: readonly number[]): number =>
  places.reduce((bits, place) => bits | (1 << (place - 1)), 0);

export const allPlaces = (quantity: number): number => (1 << quantity) - 1;

/** The places of these bits, in their order. */
export function placesOf(bits: number): number[] {
  const places: number[] = [];
  for (let place = 1; bits >> (place - 1) > 0; place++) if (bits & (1 << (place - 1))) places.push(place);
  return places;
}
