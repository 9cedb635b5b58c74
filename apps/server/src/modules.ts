import type { ModuleDefinition } from '#kit/server/module/module.ts'
import access from '#domains/platform/access/server.ts'
import ai from '#domains/insight/ai/server.ts'
import announcements from '#domains/devices/audio-announcements/server.ts'
import checkout from '#domains/money/checkout/server.ts'
import desk from '#domains/messaging/notices/server.ts'
import develop from '#domains/platform/code-generator/server.ts'
import devices from '#domains/devices/device-registry/server.ts'
import doors from '#domains/devices/door-access/server.ts'
import ele from '#domains/sales/ele/server.ts'
import events from '#domains/shops/shop-events/server.ts'
import files from '#domains/platform/files/server.ts'
import fleet from '#domains/devices/device-maintenance/server.ts'
import gateways from '#domains/devices/device-messaging/server.ts'
import goods from '#domains/catalogue/products/server.ts'
import guard from '#domains/shops/incidents/server.ts'
import integrations from '#domains/platform/external-apis/server.ts'
import identity from '#domains/platform/identity/server.ts'
import logs from '#domains/platform/logs/server.ts'
import marketing from '#domains/sales/marketing/server.ts'
import meituan from '#domains/sales/meituan/server.ts'
import members from '#domains/sales/customers/server.ts'
import merchants from '#domains/money/merchant-accounts/server.ts'
import operations from '#domains/shops/work-orders/server.ts'
import orders from '#domains/sales/orders/server.ts'
import organisation from '#domains/platform/organisation/server.ts'
import ownfields from '#domains/platform/custom-fields/server.ts'
import payments from '#domains/money/payment-channels/server.ts'
import power from '#domains/devices/energy/server.ts'
import registers from '#domains/sales/point-of-sale/server.ts'
import prints from '#domains/platform/documents/server.ts'
import printing from '#domains/devices/printers/server.ts'
import report from '#domains/insight/reports/server.ts'
import shops from '#domains/shops/shops/server.ts'
import sms from '#domains/messaging/sms/server.ts'
import statistics from '#domains/insight/statistics/server.ts'
import stock from '#domains/catalogue/inventory/server.ts'
import suppliers from '#domains/catalogue/purchasing/server.ts'
import system from '#domains/platform/system/server.ts'
import tally from '#domains/money/reconciliation/server.ts'
import tags from '#domains/devices/shelf-labels/server.ts'
import thirdparty from '#domains/sales/delivery-platforms/server.ts'
import video from '#domains/devices/video/server.ts'
import visits from '#domains/shops/visits/server.ts'
import wechat from '#domains/messaging/wechat-messages/server.ts'
import wechatpay from '#domains/money/wechat-pay/server.ts'
import workflow from '#domains/platform/workflow/server.ts'

/**
 * Every module of the product. Seeds run in this order: permissions first, then the users who have them, then shops and
 * trade.
 */
export const productModules: readonly ModuleDefinition[] = [
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
