export { allShops, basicShopInfo, bookedIn, ownOrAllShops, shopId, shopIds } from './basic-shop-info.resource.ts'
export { shopConf } from './shop-conf.resource.ts'
export { unmannedLog } from './unmanned-log.resource.ts'
export { wxShoper } from './wx-shoper.resource.ts'
