import type { ModuleDefinition } from '#kit/server/module.ts'
import access from '#domains/access/server.ts'
import ai from '#domains/ai/server.ts'
import announcements from '#domains/announcements/server.ts'
import checkout from '#domains/checkout/server.ts'
import desk from '#domains/desk/server.ts'
import develop from '#domains/develop/server.ts'
import devices from '#domains/devices/server.ts'
import doors from '#domains/doors/server.ts'
import ele from '#domains/ele/server.ts'
import events from '#domains/events/server.ts'
import files from '#domains/files/server.ts'
import fleet from '#domains/fleet/server.ts'
import gateways from '#domains/gateways/server.ts'
import goods from '#domains/goods/server.ts'
import guard from '#domains/guard/server.ts'
import integrations from '#domains/integrations/server.ts'
import identity from '#domains/identity/server.ts'
import logs from '#domains/logs/server.ts'
import marketing from '#domains/marketing/server.ts'
import meituan from '#domains/meituan/server.ts'
import members from '#domains/members/server.ts'
import merchants from '#domains/merchants/server.ts'
import operations from '#domains/operations/server.ts'
import orders from '#domains/orders/server.ts'
import organisation from '#domains/organisation/server.ts'
import ownfields from '#domains/ownfields/server.ts'
import payments from '#domains/payments/server.ts'
import power from '#domains/power/server.ts'
import registers from '#domains/registers/server.ts'
import prints from '#domains/prints/server.ts'
import printing from '#domains/printing/server.ts'
import report from '#domains/report/server.ts'
import shops from '#domains/shops/server.ts'
import sms from '#domains/sms/server.ts'
import statistics from '#domains/statistics/server.ts'
import stock from '#domains/stock/server.ts'
import suppliers from '#domains/suppliers/server.ts'
import system from '#domains/system/server.ts'
import tally from '#domains/tally/server.ts'
import tags from '#domains/tags/server.ts'
import thirdparty from '#domains/thirdparty/server.ts'
import video from '#domains/video/server.ts'
import visits from '#domains/visits/server.ts'
import wechat from '#domains/wechat/server.ts'
import wechatpay from '#domains/wechatpay/server.ts'
import workflow from '#domains/workflow/server.ts'

/** Every room of the product. Seeds run in this order: rights first, then who has them, then the trade. */
export const rooms: readonly ModuleDefinition[] = [
  identity,
  access,
  organisation,
  system,
  ownfields,
  logs,
  integrations,
  desk,
  workflow,
  files,
  sms,
  wechat,
  develop,
  shops,
  events,
  gateways,
  members,
  visits,
  operations,
  goods,
  tags,
  stock,
  marketing,
  payments,
  orders,
  devices,
  fleet,
  announcements,
  doors,
  power,
  registers,
  printing,
  suppliers,
  wechatpay,
  merchants,
  checkout,
  thirdparty,
  ele,
  meituan,
  tally,
  guard,
  video,
  ai,
  prints,
  statistics,
  report,
]
