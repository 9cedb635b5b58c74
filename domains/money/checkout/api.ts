import './refusals.ts'

export { createAttempt } from './create-attempt.ts'
export { paymentStatusOf, sendBegun, type PayOutcome } from './outcome.ts'
export { cancelByRegister, lastAttempt } from './of-register.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const checkoutStory = () => import('./checkout.demo.ts')
