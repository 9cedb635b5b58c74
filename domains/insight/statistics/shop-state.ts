import type { HomeShop } from './use-home.ts'

/** State of a shop that is open for business. */
export const SHOP_STATUS_OPEN = 1

export const isOpenShopOffline = (shop: HomeShop): boolean => shop.status === SHOP_STATUS_OPEN && !shop.online
/** Whether a shop has a problem; items that are merely due do not count. */
export const isShopNeedingAttention = (shop: HomeShop): boolean =>
  isOpenShopOffline(shop) || shop.needs.some(({ tone }) => tone === 'bad')
export const hasShopCoordinates = (shop: HomeShop): boolean => !!shop.longitude && !!shop.latitude
