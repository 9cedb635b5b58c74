export { cashRegister } from './cash-register.resource.ts'
