import './refusals.ts'

export { findOrCreatePaymentAttempt } from './create-attempt.ts'
export { paymentStatusOf, sendCreatedAttempt, type PayOutcome } from './outcome.ts'
export { cancelByRegister, requireLastRegisterPayment } from './of-register.ts'

/** Imports the demo data of this module, only when it is seeded. */
export const importCheckoutDemo = () => import('./checkout.demo.ts')
