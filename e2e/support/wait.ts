export { eventually } from '@beltway/kit/testing';
