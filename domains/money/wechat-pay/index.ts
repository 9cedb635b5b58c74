export { payAccount } from './pay-account.resource.ts'
