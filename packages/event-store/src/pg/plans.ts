/**
 * Session settings for connections that prepare their statements. A plan made while a table is empty reads the table whole, which is
 * cheapest then, and is kept until autovacuum next counts the rows, a minute later at the earliest: in a rush, each group of sales would
 * read every order there is (decision 35 has figures). Our statements all have an index; one that has none still reads the table.
 */
export const PLANS = '-c enable_seqscan=off';

/**
 * The same for connections whose statements take arrays: PostgreSQL takes one of unknown length to hold ten, finds a plan for the one or
 * two that it gets cheaper, and would plan each time anew, which takes longer than to run.
 */
export const PLANS_FOR_ARRAYS = `${PLANS} -c plan_cache_mode=force_generic_plan`;
