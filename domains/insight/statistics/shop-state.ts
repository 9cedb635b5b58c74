import type { HomeShop } from './use-home.ts'

/** State of a shop that is open for business. */
export const TAKES_MONEY = 1

export const isOff = (shop: HomeShop): boolean => shop.status === TAKES_MONEY && !shop.online
/** Something went wrong there; work that is merely due waits in every shop. */
export const needsSomebody = (shop: HomeShop): boolean => isOff(shop) || shop.needs.some(({ tone }) => tone === 'bad')
export const isPlaced = (shop: HomeShop): boolean => !!shop.longitude && !!shop.latitude
