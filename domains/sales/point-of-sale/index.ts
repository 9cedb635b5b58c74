export { cashRegister } from './cash-register.resource.ts'
export { shoppingCart, shoppingCartOnline } from './shopping-cart.resource.ts'
