import './refusals.ts'

export { createAttempt } from './create-attempt.ts'
export { paymentStatusOf, sendBegun, type PayOutcome } from './outcome.ts'
export { cancelByRegister, lastAttempt } from './of-register.ts'

/** The demo story of this room, told once the merchants have theirs. */
export const checkoutStory = () => import('./checkout.demo.ts')
