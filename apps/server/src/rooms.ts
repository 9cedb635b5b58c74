import type { Room } from '#kit/server/room.ts'
import access from '#domains/access/server.ts'
import ai from '#domains/ai/server.ts'
import desk from '#domains/desk/server.ts'
import devices from '#domains/devices/server.ts'
import ele from '#domains/ele/server.ts'
import goods from '#domains/goods/server.ts'
import identity from '#domains/identity/server.ts'
import logs from '#domains/logs/server.ts'
import marketing from '#domains/marketing/server.ts'
import meituan from '#domains/meituan/server.ts'
import members from '#domains/members/server.ts'
import merchants from '#domains/merchants/server.ts'
import operations from '#domains/operations/server.ts'
import orders from '#domains/orders/server.ts'
import organisation from '#domains/organisation/server.ts'
import report from '#domains/report/server.ts'
import resource from '#domains/resource/server.ts'
import shops from '#domains/shops/server.ts'
import statistics from '#domains/statistics/server.ts'
import suppliers from '#domains/suppliers/server.ts'
import system from '#domains/system/server.ts'
import thirdparty from '#domains/thirdparty/server.ts'

/** Every room of the product. Seeds run in this order: rights first, then who has them, then the trade. */
export const rooms: readonly Room[] = [
  identity,
  access,
  organisation,
  system,
  logs,
  desk,
  resource,
  report,
  shops,
  operations,
  goods,
  members,
  marketing,
  orders,
  devices,
  suppliers,
  merchants,
  thirdparty,
  ele,
  meituan,
  ai,
  statistics,
]
