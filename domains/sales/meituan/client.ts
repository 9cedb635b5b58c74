import { setTimeout as pause } from 'node:timers/promises'
import { callVendor, VendorError } from '#domains/platform/external-apis/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import { MEITUAN_BUSY_CODE, readAnswer, MEITUAN_TOKEN_EXPIRED_CODE, type MeituanAnswer } from './answers.ts'
import { sign } from './sign.ts'

export const MEITUAN_URL = 'https://waimaiopen.meituan.com/api/v1'

/** An application at the platform with all that a call needs. */
export type MeituanApp = {
  tenantId: string
  appNo: string
  secret: string
  baseUrl: string
  mayBeInside: boolean
  /** Waits until the application may ask once more: all servers share what it may ask in a second. */
  turn?: () => Promise<void>
}

/** The token of a shop, for an application that acts for shops of other companies. */
export type MeituanShopTokenSource = { read: () => Promise<string | undefined>; renew: () => Promise<string> }

type Params = Readonly<Record<string, unknown>>
const BUSY_MS = [250, 500, 1_000]

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const plain = (params: Params): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, textOf(value)]],
    ),
  )
/** Parameters with personal data, pictures or secrets; the log leaves them out. */
const UNSHOWN = new Set(['img_data', 'apply_info', 'courier_phone', 'courier_name', 'refresh_token'])
const shownOf = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !UNSHOWN.has(name)))

/** The platform's calls for one application and, where it needs one, one shop's token. */
export function createMeituanApi(services: Services, app: MeituanApp, token?: MeituanShopTokenSource) {
  async function once(
    method: 'GET' | 'POST',
    path: string,
    params: Record<string, string>,
    { accessToken, isTask }: { accessToken: string | undefined; isTask: boolean },
  ): Promise<MeituanAnswer> {
    await app.turn?.()
    const url = `${app.baseUrl}/${path}`
    const timestamp = String(Math.floor(services.now().getTime() / 1000))
    const system = { app_id: app.appNo, timestamp, ...(accessToken ? { access_token: accessToken } : {}) }
    const sig = sign(url, { ...params, ...system }, app.secret)
    const query = new URLSearchParams({ ...system, sig, ...(method === 'GET' ? params : {}) })
    const reply = await callVendor(services, {
      tenantId: app.tenantId,
      system: 'meituan',
      method,
      url: `${url}?${query}`,
      mayBeInside: app.mayBeInside,
      ...(isTask ? { headers: AS_TASK } : {}),
      ...(method === 'POST'
        ? { body: new URLSearchParams(params).toString(), contentType: 'application/x-www-form-urlencoded' }
        : {}),
      shown: shownOf(params),
      read: ({ body }) => codeOf(body.toString('utf8')),
    })
    return readAnswer(reply.status, reply.body.toString('utf8'))
  }

  /** Calls the platform. Waits and repeats when it is busy, and renews an expired token once, before it gives up. */
  async function ask(method: 'GET' | 'POST', path: string, given: Params, isTask = false): Promise<MeituanAnswer> {
    const params = plain(given)
    let accessToken = await token?.read()
    let isRenewed = false
    for (let tries = 0; ; tries++) {
      try {
        return await once(method, path, params, { accessToken, isTask })
      } catch (error) {
        if (!(error instanceof VendorError)) throw error
        if (error.code === MEITUAN_TOKEN_EXPIRED_CODE && token && !isRenewed) {
          accessToken = await token.renew()
          isRenewed = true
        } else if (error.code === MEITUAN_BUSY_CODE && tries < BUSY_MS.length) await pause(BUSY_MS[tries])
        else throw error
      }
    }
  }

  const get = (path: string, params: Params = {}) => ask('GET', path, params)
  const post: MeituanPost = (path, params, isTask) => ask('POST', path, params, isTask)
  return { ...shopCalls(get, post), ...goodsCalls(get, post), ...orderCalls(get, post), ...tokenCalls(get, post) }
}

export type MeituanApi = ReturnType<typeof createMeituanApi>
type MeituanCall = (path: string, params?: Params) => Promise<MeituanAnswer>
type MeituanPost = (path: string, params: Params, isTask?: boolean) => Promise<MeituanAnswer>

/** Header: the platform processes the call in the background and returns a task number. */
const AS_TASK = { 'request-process-way': 'asyn' }

/** Reads the code of an answer for the log. The answer itself names customers and is not logged. */
function codeOf(text: string): { bizCode?: string } {
  const [, code] = /"(?:code|result_code)"\s*:\s*"?(\d{1,6})/.exec(text.slice(0, 2_000)) ?? []
  return code ? { bizCode: code } : {}
}

const shopCalls = (get: MeituanCall, post: MeituanPost) => ({
  saveShop: (poi: Params) => post('poi/save', poi),
  shopCodes: () => get('poi/getids'),
  shops: (codes: readonly string[]) => get('poi/mget', { app_poi_codes: codes.join(',') }),
  openShop: (code: string) => post('poi/open', { app_poi_code: code }),
  closeShop: (code: string) => post('poi/close', { app_poi_code: code }),
  goOnline: (code: string) => post('poi/online', { app_poi_code: code }),
  goOffline: (code: string, reason: string) => post('poi/offline', { app_poi_code: code, reason }),
  /** Names the platform's own number of a shop, which no other call does. */
  boundShops: (code: string) => get('ecommerce/poi/bound/list', { app_poi_code: code, page_num: 1, page_size: 200 }),
  handInShops: (type: 0 | 1, applications: readonly object[]) =>
    post('ecommerce/poi/settle/single/save', { type, apply_info: applications }),
  submitAudit: (codes: readonly string[]) =>
    post('ecommerce/poi/settle/audit/submit', { app_poi_codes: codes.join(',') }),
  shopAudits: (codes: readonly string[]) =>
    get('ecommerce/poi/settle/audit/list', { app_poi_codes: codes.join(','), audit_type: 1 }),
  uploadPicture: (code: string, name: string, bytes: Buffer) =>
    post('image/upload', { app_poi_code: code, img_name: name, img_data: bytes.toString('base64') }),
})

const TASKS_LISTED = 50
const TASK_CALLS = {
  whole: { path: 'retail/batchinitdata', more: {} },
  price: { path: 'retail/sku/price', more: {} },
  stock: { path: 'retail/sku/stock', more: {} },
  onSale: { path: 'retail/sellStatus', more: { sell_status: 0 } },
  offSale: { path: 'retail/sellStatus', more: { sell_status: 1 } },
} as const
/** What a batch changes about its products. */
export type MeituanTaskKind = keyof typeof TASK_CALLS

const goodsCalls = (get: MeituanCall, post: MeituanPost) => ({
  goodsTypes: (code: string) => get('retailCat/list', { app_poi_code: code }),
  saveGoodsType: (type: Params) => post('retailCat/update', type),
  removeGoodsType: (code: string, categoryCode: string) =>
    post('retailCat/delete', { app_poi_code: code, category_code: categoryCode, move_product_to_uncate: 1 }),
  categories: () => get('retail/getSpTagIds'),
  attributes: (tagNo: string) => get('gw/category/attr/list', { tag_id: tagNo }),
  attributeValues: (attrNo: string, keyword: string, page: { current: number; size: number }) =>
    get('gw/category/attr/value/list', {
      attr_id: attrNo,
      keyword,
      page_num: page.current,
      page_size: page.size,
    }),
  saveGood: (good: Params) => post('retail/initdata', good),
  goods: (code: string, offset: number, limit: number) => get('retail/list', { app_poi_code: code, offset, limit }),
  removeGood: (code: string, spuCode: string) => post('retail/delete', { app_poi_code: code, app_spu_code: spuCode }),
  setPrices: (code: string, food: readonly object[]) =>
    post('retail/sku/price', { app_poi_code: code, food_data: food }),
  setStocks: (code: string, food: readonly object[]) =>
    post('retail/sku/stock', { app_poi_code: code, food_data: food }),
  setOnSale: (code: string, spuCodes: readonly string[], sellStatus: number) =>
    post('retail/sellStatus', {
      app_poi_code: code,
      food_data: spuCodes.map((spuCode) => ({ app_spu_code: spuCode })),
      sell_status: sellStatus,
    }),
  goodsAudits: (code: string, page: number, size: number) =>
    get('retail/audit/status', { app_poi_code: code, page_num: page, page_size: size }),
  /** Submits products of a shop as one batch; `work` is what changes. */
  handOver: (code: string, work: MeituanTaskKind, food: readonly object[]) => {
    const { path, more } = TASK_CALLS[work]
    return post(path, { app_poi_code: code, food_data: food, ...more }, true)
  },
  task: (taskNo: string) => get('task/detail', { task_id: taskNo }),
  /** The batches of a shop, latest first. */
  tasks: (code: string) => get('task/list', { app_poi_code: code, page_num: 1, page_size: TASKS_LISTED }),
})

type Rider = { name: string; phone: string }
/** The platform's code of riders a shop employs itself. */
const OWN_RIDERS = 10015

const orderCalls = (get: MeituanCall, post: MeituanPost) => ({
  received: (order: string) => get('order/poi_received', { order_id: order }),
  confirm: (order: string) => get('order/confirm', { order_id: order }),
  cancel: (order: string, reasonCode: number, reason: string) =>
    get('order/cancel', { order_id: order, reason_code: reasonCode, reason }),
  packed: (order: string) => get('order/preparationMealComplete', { order_id: order }),
  /** `sentOut` and `arrived` report the shop's own delivery. */
  sentOut: (order: string, { name, phone }: Rider) =>
    get('order/delivering', { order_id: order, courier_name: name, courier_phone: phone }),
  arrived: (order: string, { name, phone }: Rider) =>
    get('order/arrived', { order_id: order, courier_name: name, courier_phone: phone }),
  /** Reports the rider and the progress of a delivery, under a number of ours. */
  ride: (order: string, deliveryNo: string, status: number, { name, phone }: Rider) =>
    post('ecommerce/order/logistics/sync', {
      order_id: order,
      third_carrier_order_id: deliveryNo,
      courier_name: name,
      courier_phone: phone,
      logistics_status: status,
      logistics_provider_code: OWN_RIDERS,
    }),
  order: (order: string) => get('order/getOrderDetail', { order_id: order, is_mt_logistics: 1 }),
  orderState: (order: string) => get('order/viewstatus', { order_id: order }),
  refunds: (order: string) => get('ecommerce/order/getOrderRefundDetail', { wm_order_id_view: order }),
  agreeRefund: (order: string, reason: string) => get('order/refund/agree', { order_id: order, reason }),
  rejectRefund: (order: string, reason: string) => get('order/refund/reject', { order_id: order, reason }),
  refundPart: (order: string, reason: string, food: readonly object[]) =>
    post('order/applyPartRefund', { order_id: order, reason, food_data: food }),
  /**
   * The number of the shop's last order today, and the order with a number of a day: finds orders no callback reported.
   */
  daySeq: (code: string) => get('order/getOrderDaySeq', { app_poi_code: code }),
  orderOfDay: (code: string, date: string, seq: number) =>
    get('order/getOrderIdByDaySeq', { app_poi_code: code, date_time: date, day_seq: seq }),
  phones: (code: string, offset: number, limit: number) =>
    post('order/batchPullPhoneNumber', { app_poi_code: code, offset, limit }),
})

const tokenCalls = (get: MeituanCall, post: MeituanPost) => ({
  authorise: (code: string) => get('oauth/authorize', { app_poi_code: code, response_type: 'token' }),
  renewToken: (refreshToken: string) =>
    post('oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken }),
})
