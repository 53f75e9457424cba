/** As many cards per row as fit, at most three. */
export const eventGrid = 'grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 md:gap-5 xl:grid-cols-3';
