export { payAttempt } from './pay-attempt.resource.ts'
