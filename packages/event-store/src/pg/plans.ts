/**
 * Session settings for connections whose statements take arrays: PostgreSQL takes one of unknown length to hold ten, finds a plan for the one
 * or two that it gets cheaper, and would plan each time anew, which takes longer than to run.
 */
export const PLANS_FOR_ARRAYS = '-c plan_cache_mode=force_generic_plan';
